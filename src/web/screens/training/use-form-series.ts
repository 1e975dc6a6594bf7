import { useMemo } from 'preact/hooks'
import { useResource } from '../../state.ts'
import type { Forecast, LoadDays } from '../../types.ts'
import { offsetQuery, today } from '../stats.ts'
import { type FormSeries, formSeries } from './form-series.ts'

const DAY_MS = 86_400_000

/** Load and form of the last days and two weeks ahead; `series` is null while it is on its way. */
export function useFormSeries(dayCount: number) {
  const from = new Date(Date.parse(`${today()}T00:00:00Z`) - dayCount * DAY_MS).toISOString().slice(0, 10)
  const loads = useResource<LoadDays>(`/training/load?${offsetQuery()}&from=${from}`)
  const rest = useResource<Forecast>(`/training/forecast?${offsetQuery()}&plan=rest`)
  const usual = useResource<Forecast>(`/training/forecast?${offsetQuery()}&plan=usual`)
  const series = useMemo<FormSeries | null>(() => {
    if (loads.data === null || rest.data === null || usual.data === null) return null
    return formSeries(loads.data.days, rest.data.days, usual.data.days)
  }, [loads.data, rest.data, usual.data])
  const reload = () => {
    for (const one of [loads, rest, usual]) one.reload()
  }
  return { series, error: loads.error ?? rest.error ?? usual.error, reload }
}
