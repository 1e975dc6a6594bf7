import { localDay } from '../format.ts'
import type { Run } from '../types.ts'

/** Runs of a list that something is to be done with. */
export interface Choice {
  readonly ids: ReadonlySet<string>
  /** The run that was chosen last, from which a range reaches. */
  readonly anchor: string | null
}

export const NOTHING_CHOSEN: Choice = { ids: new Set(), anchor: null }

/** The choice with one run more or less. */
export function toggled({ ids }: Choice, id: string): Choice {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** The choice with all runs from its last one up to another; of a list that does not show the last one, only the other. */
export function reachedTo(choice: Choice, id: string, shown: readonly string[]): Choice {
  const [from, to] = [shown.indexOf(choice.anchor ?? ''), shown.indexOf(id)]
  const range = from === -1 || to === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...choice.ids, ...range]), anchor: id }
}

/** Runs that stand together under one heading. */
export interface MonthOfRuns {
  /** `yyyy-MM` where the runs were. */
  readonly month: string
  readonly runs: readonly Run[]
}

/** Runs in the order of their days, month by month. */
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
