import { useMemo } from 'preact/hooks'
import { api } from '../../api.ts'
import { shiftedDay } from '../../days.ts'
import { useResource } from '../../state.ts'
import type { Forecast, LoadDays } from '../../types.ts'
import { offsetQuery, today } from '../stats.ts'
import { allDays, type FormSeries, formSeries } from './form-series.ts'

/**
 * Load and form of the last days and two weeks ahead; `series` is null while loading.
 * @param dayCount null: all days from the first run on
 */
export function useFormSeries(dayCount: number | null) {
  const path = `/training/load?${offsetQuery()}`
  const loads = useResource<Pick<LoadDays, 'days'>>(
    dayCount === null ? `${path}&all` : `${path}&from=${shiftedDay(today(), -dayCount)}`,
    dayCount === null
      ? () => allDays(today(), (from, to) => api.get<LoadDays>(`${path}&from=${from}&to=${to}`))
      : api.get,
  )
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
