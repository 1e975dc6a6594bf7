import { type Activity, FormatError } from '../../formats/format.ts'
import { type ImportOutcome, type RunOrigin, storeRuns } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { zonesOrDefault } from '../../library/settings.ts'
import { analyzeActivity } from '../../workers/analyze-file.ts'

/** How the run is stored; the caller notes an error. */
interface StoringTotals extends Pick<RunOrigin, 'origin' | 'unitM' | 'noted' | 'fills' | 'warn'> {
  /** Set where many are imported, of which a single event is sent at the end. */
  readonly isQuiet?: boolean
}

/** Imports a run of which there are totals and no file. @throws errors of disk and database */
export async function importTotals(
  deps: DepsBy,
  activity: Activity,
  { isQuiet = false, ...how }: StoringTotals,
): Promise<ImportOutcome> {
  const { db, events, now } = deps
  const conditions = { zones: zonesOrDefault(db), elevation: elevationOptions(deps) }
  try {
    const run = analyzeActivity(activity, { ...conditions, nowMs: now(), splitLengthM: how.unitM })
    const [stored] = await storeRuns(deps, [{ run, origin: { ...how, original: null } }])
    if (stored === undefined || 'error' in stored) throw stored?.error
    const { isStored: _, ...outcome } = stored.value
    if (!isQuiet && outcome.action === 'created') events.emit({ event: 'workout.created', data: { id: outcome.id } })
    return outcome
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { error: error.message, problem: error.problem }
  }
}
