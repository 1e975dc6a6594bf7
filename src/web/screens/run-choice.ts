import { localDay } from '../format.ts'
import type { Run } from '../types.ts'

/** Selected runs of a list. */
export interface Choice {
  readonly ids: ReadonlySet<string>
  /** The run selected last, from which a range extends. */
  readonly anchor: string | null
}

export const NOTHING_CHOSEN: Choice = { ids: new Set(), anchor: null }

/** The selection with one run added or removed. */
export function toggled({ ids }: Choice, id: string): Choice {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** The selection extended from its last run to another one; when the last one is not in the list, only by the other. */
export function reachedTo(choice: Choice, id: string, shown: readonly string[]): Choice {
  const [from, to] = [shown.indexOf(choice.anchor ?? ''), shown.indexOf(id)]
  const range = from === -1 || to === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...choice.ids, ...range]), anchor: id }
}

/** Runs under one heading. */
interface MonthOfRuns {
  /** Month `yyyy-MM` by local time of the runs. */
  readonly month: string
  readonly runs: readonly Run[]
}

/** Groups runs, in the order of their days, by month. */
export function byMonth(runs: readonly Run[]): MonthOfRuns[] {
  const months: { month: string; runs: Run[] }[] = []
  for (const run of runs) {
    const month = localDay(run.startedAt, run.utcOffsetMinutes).slice(0, 7)
    const last = months.at(-1)
    if (last?.month === month) last.runs.push(run)
    else months.push({ month, runs: [run] })
  }
  return months
}
