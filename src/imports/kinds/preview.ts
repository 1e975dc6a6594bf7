import type { Db } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { RunOrigin } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { knownRun } from '../../library/duplicates.ts'
import { firstDeleted, keysOfRun } from '../../library/forgotten.ts'
import { gearKey } from '../../library/gear.ts'
import type { ImportAction } from '../../library/outcomes.ts'
import type { AnalyzedRun } from '../../workers/analyze-file.ts'
import { type TakeoutWork, takeItems } from './import.ts'
import type { TakeoutKind } from './kind.ts'
import type { TakeoutPreview, TakeoutSummary } from './schemas.ts'
import type { TakeoutSource } from './source.ts'
import { tallyOf } from './tally.ts'

/** What importing an export would do, with an overview of its runs; nothing is stored. */
export async function previewTakeout(
  deps: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, signal, unitM, ...how }: TakeoutWork,
): Promise<TakeoutSummary> {
  const tally = tallyOf(kind, null)
  const seen = createSeen()
  await takeItems(deps, kind, source, {
    ...{ tally, title, signal, unitM, receipt: null },
    pretend: async (_, runs) =>
      runs.map(({ run, origin: { original, warn } }) => {
        const action = seen.add(run, original) ? actionFor(deps.db, run, original, how) : 'skipped'
        if (action !== 'skipped') for (const { reason } of run.corrections) warn?.(reason)
        return { value: { isStored: false, action, id: '' } }
      }),
  })
  return { ...tally.summary(0), preview: seen.preview() }
}

/** What a run is recognised by; null: it has no file. */
type Original = RunOrigin['original']

function actionFor(
  db: Db,
  run: AnalyzedRun,
  original: Original,
  { includeDeleted, createShoes }: Pick<TakeoutWork, 'includeDeleted' | 'createShoes'>,
): ImportAction {
  const known = knownRun(db, run, original)
  if (known !== null) return known.isCompleted || canFill(db, known.id, run, createShoes) ? 'updated' : 'skipped'
  return !includeDeleted && firstDeleted(db, keysOfRun(run, original)) !== null ? 'skipped' : 'created'
}

/** The runs of an export so far. */
function createSeen() {
  const keys = new Set<string>()
  const shoes = new Map<string, string>()
  let runs = 0
  let distanceM = 0
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    /** @returns false: the export has the same run before */
    add: ({ startedAtMs, analysis, gear }: AnalyzedRun, original: Original): boolean => {
      const key = original === null ? `${Math.floor(startedAtMs / 1000)}` : `${original.sha256} ${original.session}`
      const extent = `${startedAtMs} ${analysis.durationS} ${Math.round(analysis.distanceM)}`
      if (keys.has(key) || keys.has(extent)) return false
      keys.add(key).add(extent)
      runs += 1
      distanceM += analysis.distanceM
      firstMs = Math.min(firstMs, startedAtMs)
      lastMs = Math.max(lastMs, startedAtMs)
      if (gear !== null && !shoes.has(gearKey(gear))) shoes.set(gearKey(gear), gear)
      return true
    },
    preview: (): TakeoutPreview => ({
      firstRunAt: runs === 0 ? null : isoTime(firstMs),
      lastRunAt: runs === 0 ? null : isoTime(lastMs),
      runs,
      distanceM: roundHalfUp(distanceM, 2),
      shoes: [...shoes.values()].toSorted(),
    }),
  }
}
