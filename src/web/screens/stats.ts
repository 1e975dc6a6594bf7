import { api } from '../api.ts'
import { localDay } from '../format.ts'
import { useResource } from '../state.ts'
import type { RunPage } from '../types.ts'

const PAGE_SIZE = 100
const YEAR_MS = 54 * 7 * 86_400_000

/** Minutes that the reader's clock is ahead of UTC, as the statistics want them. */
export function offsetQuery(): string {
  return `timezoneOffsetMinutes=${-new Date().getTimezoneOffset()}`
}

/** The local day of today. */
export function today(): string {
  return localDay(new Date().toISOString())
}

/** 0 is Monday. */
export function weekdayIndex(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

/** Metres by local day over the last year. */
export function useDays() {
  return useResource<ReadonlyMap<string, number>>('days', daysOfLastYear)
}

/** The list is the only place that tells single days; its pages are asked for one after the other, the newest first. */
async function daysOfLastYear(): Promise<ReadonlyMap<string, number>> {
  const from = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10)
  const days = new Map<string, number>()
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await api.get<RunPage>(`/workouts?pageSize=${PAGE_SIZE}&startDate=${from}&page=${page}`)
    pages = answer.totalPages
    for (const { startedAt, utcOffsetMinutes, distanceM } of answer.items) {
      const day = localDay(startedAt, utcOffsetMinutes)
      days.set(day, (days.get(day) ?? 0) + distanceM)
    }
  }
  return days
}
