import type { Tx } from '../db/open.ts'
import type { RecordingOrigin } from '../db/stored.ts'
import { storedLaps } from '../engine/laps.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { deriveRun } from '../workers/derive.ts'
import { timedEfforts } from './change-run.ts'
import { type Change, type ChangeGroup, commitItem, insertRecording, type NewRecording } from './commit.ts'
import type { DepsBy } from './deps.ts'
import {
  type Asked,
  compact,
  isJoined,
  type RunDocument,
  type RunHead,
  recordingIds,
  runHead,
  wantedShoe,
} from './documents/run.ts'
import { knownRun } from './duplicates.ts'
import type { Original } from './files/paths.ts'
import { firstDeleted, keysOfRun } from './forgotten.ts'
import { type Fills, gearShoe, namedShoes } from './gear.ts'
import { shoeExists } from './ids.ts'
import { askedNow, boundsOfZones, deriveJob, durationOf } from './inputs.ts'
import { mergedAtOnce } from './merging/pairs.ts'
import type { Done, Failure } from './outcomes.ts'
import { knownReason } from './receipts/known-reason.ts'
import type { OpenReceipt } from './receipts/record.ts'
import { recordingsByIds } from './recordings.ts'
import { combinedWords, type Derived } from './run-rows.ts'
import { defaultShoeId, zonesOrDefault } from './settings.ts'
import { type Inserted, type Stored, type Storing, storeGroup } from './store.ts'
import { storedWeather } from './weather.ts'

export type ImportOutcome = Done | Failure

export interface RunOrigin {
  readonly origin: Exclude<RecordingOrigin, 'archive'>
  /** null: a row of Strava's export without a file. */
  readonly original: Original | null
  /** Length of a split, metres. */
  readonly unitM: number
  /** The receipt that notes the outcome; errors are noted by the caller, which words them. */
  readonly noted?: NotedIn | null
  /** Set for an export: its words fill those that a stored run lacks. */
  readonly fills?: Fills
  /** Takes a sentence for each thing that was corrected in a stored run; absent: the receipt. */
  readonly warn?: (message: string) => void
}

/** The receipt of an import, and the name that it gives to the file. */
interface NotedIn {
  readonly receipt: OpenReceipt
  readonly filename: string
}

/** Most runs committed together; more would make neither disk nor database faster. */
export const RUNS_A_GROUP = 16

/**
 * Stores up to `RUNS_A_GROUP` analysed runs in their order, each unless it is stored already. Every kind of import of
 * files and table rows stores through this function. When it returns, files and rows are on the disk. A run that cannot
 * be stored does not affect the others. The caller emits the event, since an import of many runs emits a single one.
 */
export async function storeRuns(
  deps: DepsBy,
  runs: readonly { readonly run: AnalyzedRun; readonly origin: RunOrigin }[],
): Promise<Stored<RunStored>[]> {
  const nowMs = deps.now()
  const outcomes: (Stored<RunStored> | null)[] = []
  const group: Storing<RunStored>[] = []
  for (const { run, origin } of runs) {
    // a known run needs no files
    const known = knownRun(deps.db, run, origin.original)
    const isSkipped = known !== null && !known.isCompleted
    const value = isSkipped
      ? deps.db.transaction((tx) => filledOrSkipped(tx, deps, known.id, { run, origin }))
      : known === null
        ? stayingDeleted(deps, run, origin)
        : null
    outcomes.push(value && { value })
    if (value !== null) continue
    const id = Bun.randomUUIDv7()
    group.push({
      files: [{ id, original: origin.original, rawData: null }],
      insert: (tx) => insertRun(tx, deps, { id, run, origin, nowMs }),
    })
  }
  const stored = await storeGroup(deps, group)
  const all = outcomes.map((outcome) => outcome ?? stored.shift()!)
  for (const [k, outcome] of all.entries()) {
    if (!('value' in outcome) || !outcome.value.isStored) continue
    const { run, origin } = runs[k]!
    const { noted = null, warn = (message) => noted?.receipt.warn({ filename: noted.filename, message }) } = origin
    for (const { reason } of run.corrections) warn(reason)
    if (outcome.value.action !== 'created') continue
    const id = await mergedAtOnce(deps, outcome.value.id, noted?.receipt)
    if (id !== null) all[k] = { value: { isStored: true, action: 'updated', id, merged: true } }
  }
  return all
}

type RunStored = Inserted & Done

interface Made {
  /** Id of the first recording and of its files, and of the run when it is new. */
  readonly id: string
  readonly run: AnalyzedRun
  readonly origin: RunOrigin
  readonly nowMs: number
}

/** Stores a new run, or further recordings of one that is known, which only the transaction can tell for sure. */
function insertRun(tx: Tx, deps: DepsBy, made: Made): RunStored {
  const { run, origin } = made
  const known = knownRun(tx, run, origin.original)
  if (known !== null && !known.isCompleted) return filledOrSkipped(tx, deps, known.id, { run, origin })
  const head = known && runHead(tx, known.id)
  const recordings = recordingsOfRun(made)
  const { noted = null } = origin
  const workoutId = head?.id ?? made.id
  const action = head === null ? 'created' : 'updated'
  for (const recording of recordings) insertRecording(tx, recording)
  const group: ChangeGroup = {
    changes: [head === null ? created(tx, deps, made, recordings) : completed(tx, deps, { head, recordings, ...made })],
    item: { outcome: action, workoutId, filename: noted?.filename ?? null },
  }
  commitItem(tx, deps, group, noted?.receipt ?? null)
  return { isStored: true, action, id: workoutId }
}

function filledOrSkipped(tx: Tx, deps: DepsBy, id: string, { run, origin }: Pick<Made, 'run' | 'origin'>): RunStored {
  const { noted = null, fills } = origin
  const filling = { receipt: noted?.receipt ?? null, filename: noted?.filename ?? null }
  const isFilled = fills !== undefined && fillWords(tx, deps, id, run, { ...filling, ...fills })
  return isFilled ? { isStored: false, action: 'updated', id } : skipped(tx, id, origin)
}

function skipped(tx: Tx, id: string, { noted, original }: RunOrigin): RunStored {
  const found = { isStored: false, action: 'skipped', id } as const
  if (!noted) return found
  const reason = knownReason(tx, id, original)
  noted.receipt.note({ outcome: 'skipped', workoutId: id, filename: noted.filename, reason })
  return { ...found, reason }
}

/**
 * The outcome for a deleted run that comes again automatically: it stays deleted. null: it was never deleted, or a
 * person asked for it.
 */
function stayingDeleted({ db, by }: DepsBy, run: AnalyzedRun, { original, noted }: RunOrigin): RunStored | null {
  const found = by.isAutomatic ? firstDeleted(db, keysOfRun(run, original)) : null
  if (found === null) return null
  const { workoutId: id, reason } = found
  noted?.receipt.note({ outcome: 'skipped', filename: noted.filename, reason })
  return { isStored: false, action: 'skipped', id, reason }
}

/** The recordings of a run. The first one has the name of the file, and the words that the import settled on. */
function recordingsOfRun({ run, id, origin, nowMs }: Made): NewRecording[] {
  const { original, noted } = origin
  const { name, notes, runType, rpe, source, device } = run
  const file = original && {
    fileSha256: original.sha256,
    fileSession: original.session,
    fileName: original.name,
    fileType: original.type,
    storedAs: id,
  }
  const ofFile = {
    id,
    ...file,
    weather: run.weather && JSON.stringify(storedWeather(run.weather, nowMs)),
    samples: run.samples,
    channels: run.channels,
    laps: storedLaps(run.laps),
    hasRaw: false,
    hasRawHr: run.hasRawHr,
    rawView: run.rawView,
    corrections: run.corrections,
  }
  return run.statements.map(({ kind, said, words }, place) => ({
    ...(place === 0
      ? ofFile
      : { id: Bun.randomUUIDv7(), samples: null, channels: [], laps: [], corrections: [], hasRaw: false }),
    origin: run.external?.origin === 'health_auto_export' ? run.external.origin : origin.origin,
    kind,
    // the external id belongs to the last recording: the service's row beside the file
    externalId: place === run.statements.length - 1 ? (run.external?.id ?? null) : null,
    totals: said,
    words: place === 0 ? { name, notes, runType, rpe, source, device, gear: words.gear } : words,
    startedAt: run.startedAtMs,
    utcOffsetMinutes: run.fileOffsetMinutes,
    hasEstimatedTimes: false,
    addedAt: nowMs,
    receiptId: noted?.receipt.id ?? null,
  }))
}

/** A new run; its numbers are those that its parsing derived, unless the runner changed the zones meanwhile. */
function created(tx: Tx, deps: DepsBy, { id, run, origin, nowMs }: Made, recordings: readonly NewRecording[]): Change {
  const ofGear = { createShoes: false, ...origin.fills, receipt: origin.noted?.receipt ?? null }
  const shoeId = run.gear === null ? defaultShoeId(tx) : gearShoe(tx, deps, run.gear, ofGear)
  const to: RunDocument = {
    track: { recordings: recordings.map((recording) => recording.id), repairs: [] },
    ...(shoeId === null ? {} : { shoeId }),
    routeId: Bun.randomUUIDv7(),
    createdAt: nowMs,
  }
  const zones = zonesOrDefault(tx)
  const asked: Asked = { zones: boundsOfZones(zones), splitUnitM: origin.unitM, elevation: run.elevation }
  const isSame = Bun.deepEquals(zones, run.zones)
  const stated = recordings.map(({ kind, totals, samples }) => ({ kind, said: totals, samples }))
  const derived: Derived = isSame
    ? { ...run, startShiftMs: 0 }
    : deriveRun({
        ...{ recordings: stated, repairs: [], primary: 0, ours: { effort: false }, durationS: 0 },
        ...{ zones, splitLengthM: origin.unitM, elevation: run.elevation },
      })
  return { kind: 'run', id, from: null, to, asked, derived, asksWeather: true }
}

interface Completing extends Made {
  readonly head: RunHead
  readonly recordings: readonly NewRecording[]
}

/**
 * A known run with further recordings: they fill numbers and words that are null, and the samples that count are those
 * with the most channels. Distance, duration, and what the runner set stay.
 */
function completed(tx: Tx, deps: DepsBy, { head, recordings, origin, nowMs }: Completing): Change {
  const { id, seq, body } = head
  const { track } = body
  if (isJoined(track)) throw new Error(`The joined run ${id} was to be completed`)
  const named = [...track.recordings, ...recordings.map((recording) => recording.id)]
  const to: RunDocument = { ...body, track: { ...track, recordings: named } }
  const hasSplits = tx.$client.query('SELECT 1 FROM workout WHERE id = ? AND splits_count > 0').get(id) !== null
  const { elevation } = askedNow(tx, deps)
  const made: Asked = { ...head.asked, elevation, ...(hasSplits ? {} : { splitUnitM: origin.unitM }) }
  const derived = deriveRun(deriveJob(tx, { body: to, asked: made, durationS: durationOf(tx, id) }, deps))
  const asked = timedEfforts(tx, id, { asked: made, ...derived.analysis, nowMs })
  return { kind: 'run', id, from: seq, to, asked, derived, asksWeather: true }
}

// What an export says of runs that are stored already.

const WORDS = ['name', 'notes', 'runType', 'rpe'] as const

interface Filling extends Fills {
  readonly receipt: OpenReceipt | null
  readonly filename: string | null
}

/**
 * Words of a run that was read again fill those of the stored one that are null, unless the runner removed them.
 * @returns false when nothing changed
 */
function fillWords(
  tx: Tx,
  deps: DepsBy,
  id: string,
  run: AnalyzedRun,
  { receipt, filename, ...fills }: Filling,
): boolean {
  const head = runHead(tx, id)
  if (head === null) return false
  const { body, seq } = head
  const filled = missingWords(tx, body, run)
  const shoeId = isShoeless(tx, body) ? gearShoe(tx, deps, run.gear, { receipt, ...fills }) : null
  if (Object.keys(filled).length === 0 && shoeId === null) return false
  const words = { ...body.carried?.words, ...filled }
  const to = compact({ ...body, carried: { ...body.carried, words }, ...(shoeId === null ? {} : { shoeId }) })
  const item = { outcome: 'updated', workoutId: id, filename } as const
  commitItem(tx, deps, { changes: [{ kind: 'run', id, from: seq, to }], item }, receipt)
  return true
}

/** Whether `fillWords` would change something. */
export function canFill(tx: Tx, id: string, run: AnalyzedRun, createShoes: boolean): boolean {
  const head = runHead(tx, id)
  if (head === null) return false
  const hasShoe = run.gear !== null && (createShoes || namedShoes(tx).find(run.gear) !== null)
  return Object.keys(missingWords(tx, head.body, run)).length > 0 || (hasShoe && isShoeless(tx, head.body))
}

function missingWords(tx: Tx, body: RunDocument, run: AnalyzedRun): Partial<Pick<AnalyzedRun, (typeof WORDS)[number]>> {
  const combined = combinedWords(body, recordingsByIds(tx, recordingIds(body.track)))
  const missing = WORDS.filter((word) => combined[word] === null && body.words?.[word] === undefined)
  return Object.fromEntries(missing.flatMap((word) => (run[word] === null ? [] : [[word, run[word]]])))
}

function isShoeless(tx: Tx, body: RunDocument): boolean {
  const worn = wantedShoe(body)
  return body.words?.shoeId === undefined && (worn === null || !shoeExists(tx, worn))
}
