import { rm } from 'node:fs/promises'
import type { Db } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { FormatError } from '../../formats/format.ts'
import { sportWord } from '../../formats/sport-words.ts'
import { canFill } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { knownRun } from '../../library/duplicates.ts'
import { firstDeleted, keysOfRun } from '../../library/forgotten.ts'
import { gearKey } from '../../library/gear.ts'
import { elevationOptions } from '../../library/inputs.ts'
import type { ImportAction } from '../../library/outcomes.ts'
import { zonesOrDefault } from '../../library/settings.ts'
import { toldOf, withTold } from '../../library/told.ts'
import { type AnalyzedRun, analyzeActivity, type RefusedRun } from '../../workers/analyze-file.ts'
import { analyzedParts } from '../../workers/worker-line.ts'
import type { TakeoutWork } from './import.ts'
import { fileOf, takeItems } from './items.ts'
import type { FileItem, TakeoutKind, TakeoutSource } from './kind.ts'
import type { TakeoutPreview, TakeoutSummary } from './schemas.ts'
import { type Tally, tallyOf } from './tally.ts'

/** The original of a run, by which it is recognised. */
type Original = { readonly sha256: string; readonly session: number } | null

interface Looking {
  readonly tally: Tally
  readonly seen: Seen
  readonly includeDeleted: boolean
  readonly createShoes: boolean
}

/** What importing an export would do, with an overview of its runs; nothing is stored. */
export async function previewTakeout(
  deps: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, signal, unitM, includeDeleted, createShoes }: TakeoutWork,
): Promise<TakeoutSummary> {
  const tally = tallyOf(kind, null)
  const seen = createSeen()
  const conditions = {
    nowMs: deps.now(),
    splitLengthM: unitM,
    zones: zonesOrDefault(deps.db),
    elevation: elevationOptions(deps),
  }
  const looking = { tally, seen, includeDeleted, createShoes }
  await takeItems(deps, kind, source, {
    ...{ tally, title, signal },
    summary: ({ filename, summary }) =>
      lookAt(deps, filename, () => [analyzeActivity(summary, conditions), null], looking),
    outcome: () => {},
    file: (item, before) => lookAtFile(deps, item, { ...looking, conditions, before }),
  })
  return { ...tally.summary(0), preview: seen.preview() }
}

type Conditions = Parameters<typeof analyzeActivity>[1]

async function lookAtFile(
  deps: DepsBy,
  item: FileItem,
  { conditions, before, ...looking }: Looking & { readonly conditions: Conditions; readonly before: Promise<void> },
): Promise<void> {
  const { tally } = looking
  const { filename, told, isSportCounted } = item
  const file = await fileOf(item)
  try {
    const job = { ...conditions, file: file.path ?? new Uint8Array(await file.bytes()), filename }
    for await (const { runs, fromRun, left, sha256, sports, warning } of analyzedParts(deps.worker, job)) {
      await before
      if (fromRun === 0 && isSportCounted !== true) tally.addSports(sports)
      if (fromRun === 0 && warning !== null) tally.warn({ filename, message: warning })
      const isOnly = fromRun + runs.length + left === 1
      for (const [place, run] of runs.entries()) {
        const found = () => [toldRun(run, (one) => withTold(one, toldOf(told, one, isOnly))), original] as const
        const original = { sha256, session: fromRun + place }
        lookAt(deps, filename, found, looking)
      }
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    await before
    if (error.sport === null) tally.fail(filename, error.message)
    else if (isSportCounted !== true) tally.addSport(sportWord(error.sport))
  } finally {
    if (file.path !== null) await rm(file.path, { force: true })
  }
}

/** @throws FormatError for a run that was refused */
function toldRun(run: AnalyzedRun | RefusedRun, tell: (run: AnalyzedRun) => AnalyzedRun): AnalyzedRun {
  if ('error' in run) throw new FormatError(run.error)
  return tell(run)
}

function lookAt(
  { db }: DepsBy,
  filename: string,
  found: () => readonly [AnalyzedRun, Original],
  { tally, seen, includeDeleted, createShoes }: Looking,
): void {
  try {
    const [run, original] = found()
    const isNew = seen.add(run, original)
    const action = isNew ? actionFor(db, run, original, { includeDeleted, createShoes }) : 'skipped'
    tally.addRun(action)
    if (action !== 'skipped') for (const { reason: message } of run.corrections) tally.warn({ filename, message })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    tally.fail(filename, error.message)
  }
}

function actionFor(
  db: Db,
  run: AnalyzedRun,
  original: Original,
  { includeDeleted, createShoes }: Pick<Looking, 'includeDeleted' | 'createShoes'>,
): ImportAction {
  const known = knownRun(db, run, original)
  if (known !== null) return known.isCompleted || canFill(db, known.id, run, createShoes) ? 'updated' : 'skipped'
  return !includeDeleted && firstDeleted(db, keysOfRun(run, original)) !== null ? 'skipped' : 'created'
}

type Seen = ReturnType<typeof createSeen>

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
