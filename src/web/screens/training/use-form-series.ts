import { useMemo } from 'preact/hooks'
import { shiftedDay } from '../../days.ts'
import { useResource } from '../../state.ts'
import type { Forecast, LoadDays } from '../../types.ts'
import { offsetQuery, today } from '../stats.ts'
import { type FormSeries, formSeries } from './form-series.ts'

/** Load and form of the last days and two weeks ahead; `series` is null while loading. */
export function useFormSeries(dayCount: number) {
  const from = shiftedDay(today(), -dayCount)
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
