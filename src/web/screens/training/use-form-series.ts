import { useMemo } from 'preact/hooks'
import { api } from '../../api.ts'
import { shiftedDay } from '../../days.ts'
import { useLoaded, useResource } from '../../state.ts'
import type { LoadDays } from '../../types.ts'
import { offsetQuery, today } from '../stats.ts'
import { allDays, type FormSeries, formSeries } from './form-series.ts'

/**
 * Load and form of the last days and two weeks ahead; `series` is null while loading.
 * @param dayCount null: all days from the first run on
 */
export function useFormSeries(dayCount: number | null) {
  const path = `/training/load?${offsetQuery()}` as const
  const since = `${path}&from=${shiftedDay(today(), -(dayCount ?? 0))}` as const
  const ask = (from: string, to: string) => api.get(`${path}&from=${from}&to=${to}`)
  const loads = useLoaded<Pick<LoadDays, 'days'>>(
    dayCount === null ? `${path}&all` : since,
    dayCount === null ? () => allDays(today(), ask) : () => api.get(since),
  )
  const rest = useResource(`/training/forecast?${offsetQuery()}&plan=rest`)
  const usual = useResource(`/training/forecast?${offsetQuery()}&plan=usual`)
  const series = useMemo<FormSeries | null>(() => {
    if (loads.data === null || rest.data === null || usual.data === null) return null
    return formSeries(loads.data.days, rest.data.days, usual.data.days)
  }, [loads.data, rest.data, usual.data])
  return { series, error: loads.error ?? rest.error ?? usual.error }
}
