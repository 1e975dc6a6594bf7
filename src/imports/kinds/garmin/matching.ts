import type { ReadRun } from '../kind.ts'
import type { GarminRow } from './rows.ts'

// Names of files are numbers of uploads, which no row has: a file belongs to the row whose start it shares.

const SAME_START_MS = 2000
const NEAR_START_MS = 120_000
const SAME_TIME_SHARE = 0.02

/** The rows of runs, and which of them have a file. */
export function createRows(unsorted: readonly GarminRow[]) {
  const rows = unsorted.toSorted((one, other) => one.startedAtMs - other.startedAtMs)
  const withFile = new Set<GarminRow>()
  return {
    /** The row of a run that was read from a file; null: none, or several could be meant. */
    take: (run: ReadRun): GarminRow | null => {
      const near = rows.filter(({ startedAtMs }) => Math.abs(startedAtMs - run.startedAtMs) <= NEAR_START_MS)
      const same = near.filter(({ startedAtMs }) => Math.abs(startedAtMs - run.startedAtMs) <= SAME_START_MS)
      const meant = same.length > 0 ? same : near.filter((row) => isAsLong(row, run))
      const [only] = meant
      if (only === undefined || meant.length > 1) return null
      withFile.add(only)
      return only
    },
    /** Those that no run was read for. */
    withoutFile: (): readonly GarminRow[] => rows.filter((row) => !withFile.has(row)),
  }
}

function isAsLong({ totals }: GarminRow, { elapsedS, timerS }: ReadRun): boolean {
  const isSame = (one: number | null, other: number | null) =>
    one !== null && other !== null && Math.abs(one - other) <= SAME_TIME_SHARE * other
  return isSame(totals.elapsedS, elapsedS) || isSame(totals.timerS, timerS)
}
