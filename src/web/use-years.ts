import { localDay } from './format.ts'
import { useResource } from './state.ts'

/** The years in which runs may be, the latest first. */
export function useYears(): readonly string[] {
  const { data } = useResource('/workouts?sortOrder=asc&pageSize=1')
  const oldest = data?.items[0]
  const thisYear = new Date().getFullYear()
  const first =
    oldest === undefined ? thisYear : Number(localDay(oldest.startedAt, oldest.utcOffsetMinutes).slice(0, 4))
  return Array.from({ length: Math.max(1, thisYear - first + 1) }, (_, back) => String(thisYear - back))
}
