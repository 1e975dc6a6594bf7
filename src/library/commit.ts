import { and, eq, inArray } from 'drizzle-orm'
import { insertRow, updateRows } from '../db/insert.ts'
import type { Tx } from '../db/open.ts'
import { media, recordings, samples } from '../db/schema.ts'
import { settings } from '../db/schema-account.ts'
import { documents, formers, namings, observations } from '../db/schema-documents.ts'
import { trainingSettings } from '../db/schema-training.ts'
import type { By, Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { invalid } from '../errors.ts'
import type { PackedSamples } from '../workers/pack.ts'
import {
  type Derived,
  removeRows,
  runRows,
  wearShoe,
  weatherHour,
  writeRows,
  writeStatedEfforts,
  writeWords,
} from './derive.ts'
import { type Bodies, bodyOf, type SettingsDocument, TABLES } from './documents/rows.ts'
import {
  type Asked,
  activeRepairs,
  affected,
  compact,
  documentRow,
  isJoined,
  type RunDocument,
  type RunTrack,
  recordingIds,
  runHead,
} from './documents/run.ts'
import { forgetKeys, rememberKeys } from './forgotten.ts'
import {
  beginReceipt,
  closeReceipts,
  DAY_MS,
  type NewItem,
  type NewReceipt,
  type WrittenReceipt,
} from './receipts/record.ts'
import { askWeather } from './weather.ts'

// The only writer of documents and facts, in the caller's transaction. Whoever changes a run plans its document, lets the
// numbers be derived, and commits both; what was before is kept as long as the change can be undone.

/** A recording with its samples, as it arrived. */
export type NewRecording = typeof recordings.$inferInsert & {
  /** With the engine that packed them; absent: this one. */
  readonly samples: (PackedSamples & { readonly engineVersion?: number }) | null
}

/** A change of one run. */
export interface RunChange {
  readonly kind: 'run'
  readonly id: string
  /** `seq` of the document that it was planned from; null: the run is new. */
  readonly from: number | null
  /** null: into the trash. */
  readonly to: RunDocument | null
  readonly asked?: Asked
  /** Needed unless only words and choices change. */
  readonly derived?: Derived
  /** Its revision afterwards; `kept`: a runner cannot see the change; absent: the next one. */
  readonly revision?: 'kept' | number
  /** When it is new: whether weather is asked for even though the file has some. */
  readonly asksWeather?: boolean
  /** Nothing of it changes but its revision: a photo came or went. */
  readonly isTouched?: boolean
  /** Only the shoe given at arrival changes, which many runs may do at once; the shoe alone is kept. */
  readonly isWorn?: boolean
}

/** The shoe that was given to a run at arrival, before and after a change of the kind `worn`. */
export interface Worn {
  readonly before: string | null
  readonly after: string | null
}

/** A change of another document. */
export type OtherChange = {
  readonly [K in keyof Bodies]: {
    readonly kind: K
    readonly id: string
    /** null: it is removed. Of the settings only the members that change. */
    readonly to: Bodies[K] | null
  }
}[keyof Bodies]

export type Change = RunChange | OtherChange

/** Changes that belong together, and how a receipt lists them. */
export interface ChangeGroup {
  readonly changes: readonly Change[]
  readonly item: NewItem
}

export interface Work {
  /** null: the change leaves no receipt, and nothing of before is kept. */
  readonly receipt: NewReceipt | null
  readonly groups: readonly ChangeGroup[]
}

/** Thrown when a document was changed since the change was planned; the transaction is to be rolled back. */
export class Outdated extends Error {}

type Needs = Pick<Deps, 'config' | 'now'>

/**
 * Writes changes with their receipt, in the caller's transaction; `tellReceipt` follows once that is committed.
 * @returns id of the receipt; null: there is none
 * @throws Outdated; AppError 400 when two runs would count the same stretch of a recording
 */
export function commit(tx: Tx, deps: Needs, by: By, { receipt, groups }: Work): string | null {
  if (receipt === null) {
    for (const group of groups) commitGroup(tx, deps, group, null)
    return null
  }
  const left = beginReceipt(tx, { ...deps, by }, receipt)
  for (const group of groups) commitItem(tx, deps, group, left)
  left.end(tx)
  return left.id
}

/** Writes the changes of one item, and the item. @param receipt null: as with `commit` */
export function commitItem(
  tx: Tx,
  deps: Needs,
  group: ChangeGroup,
  receipt: Pick<WrittenReceipt, 'id' | 'nextSeq' | 'write'> | null,
): void {
  if (receipt === null) return void commitGroup(tx, deps, group, null)
  const itemSeq = receipt.nextSeq()
  receipt.write(tx, commitGroup(tx, deps, group, { receiptId: receipt.id, itemSeq }), itemSeq)
}

/** Where what was before a change is kept for: an item of a receipt. */
export interface KeptFor {
  readonly receiptId: string
  readonly itemSeq: number
}

/**
 * Writes the changes of one item.
 * @param wanted null: nothing of before is kept
 * @returns the item with the revisions of its run
 */
export function commitGroup(tx: Tx, deps: Needs, { changes, item }: ChangeGroup, wanted: KeptFor | null): NewItem {
  const keptFor = deps.config.undoDays > 0 ? wanted : null
  let revisions: Pick<NewItem, 'beforeRevision' | 'afterRevision'> = {}
  for (const change of changes) {
    if (change.kind !== 'run') changeOther(tx, deps, change, keptFor)
    else {
      const made = changeRun(tx, deps, change, keptFor)
      if (change.id === item.workoutId && change.revision !== 'kept') revisions = made
    }
  }
  return { ...revisions, ...item }
}

/**
 * Removes the photos of a run in the trash that an archive which brings it back does not have; they are kept for the item
 * that deleted the run.
 */
export function putAsideMedia(tx: Tx, deps: Needs, runId: string, stays: readonly string[]): void {
  const deletion = tx.$client
    .query<KeptFor, [string]>(
      `SELECT receipt_id AS receiptId, item_seq AS itemSeq FROM former
       WHERE document_id = ? AND kind = 'run' ORDER BY seq DESC LIMIT 1`,
    )
    .get(runId)
  const shown = tx.select({ id: media.id }).from(media).where(eq(media.workoutId, runId)).all()
  const changes = shown
    .filter(({ id }) => !stays.includes(id))
    .map(({ id }) => ({ kind: 'media', id, to: null }) as const)
  commitGroup(tx, deps, { changes, item: { outcome: 'changed' } }, deletion)
}

/** Stores a recording, which a document of the same transaction names. */
export function insertRecording(tx: Tx, { samples: packed, ...row }: NewRecording): void {
  insertRow(tx, recordings, row)
  if (packed === null) return
  const { sampleCount, meta, timeHr, track, rest, engineVersion = ENGINE_VERSION } = packed
  const blobs = { timeHr: Buffer.from(timeHr), track: Buffer.from(track), rest: Buffer.from(rest) }
  insertRow(tx, samples, { recordingId: row.id, engineVersion, sampleCount, meta, ...blobs })
}

type Revisions = { readonly beforeRevision: number | null; readonly afterRevision: number | null }

function changeRun(tx: Tx, deps: Needs, change: RunChange, keptFor: KeptFor | null): Revisions {
  const { id, from, to: wanted } = change
  const stored = documentRow(tx, id)
  if ((stored?.seq ?? null) !== from) throw new Outdated()
  const head = runHead(tx, id)
  const to = wanted && compact(wanted)
  if (to === null && head === null) throw new Outdated()
  const askedBefore = stored === null ? null : (JSON.parse(stored.asked) as Asked)
  const asked = change.asked ?? askedBefore
  if (asked === null) throw new RangeError(`The run ${id} is new and lacks what it is asked with`)
  const isCreated = head === null && to !== null
  const before = stored?.revision ?? null
  const after = nextRevision(change, { isNew: stored === null, isCreated, before: before ?? 0 })
  // what comes out of the trash goes back into it
  const isKept = keptFor !== null && head !== null && stored !== null
  if (isKept && change.isTouched) {
    keepFormer(tx, deps, keptFor, { kind: 'touch', documentId: id, body: null, revision: stored.revision })
  } else if (isKept && change.isWorn) {
    const worn: Worn = { before: head?.body.shoeId ?? null, after: to?.shoeId ?? null }
    keepFormer(tx, deps, keptFor, { kind: 'worn', documentId: id, body: JSON.stringify(worn) })
  } else if (isKept) {
    const isAsked = !Bun.deepEquals(asked, askedBefore)
    keepFormer(tx, deps, keptFor, {
      kind: 'run',
      documentId: id,
      body: stored.body,
      asked: isAsked ? JSON.stringify([askedBefore, asked]) : null,
      revision: stored.revision,
      addedBytes: to === null ? samplesBytes(tx, recordingIds(head!.body.track)) : 0,
    })
  }
  if (to === null && !isKept) {
    forgetRun(tx, id)
    return { beforeRevision: before, afterRevision: null }
  }
  const gone = to === null ? goneOf(tx, deps, id, keptFor) : null
  if (to === null) rememberKeys(tx, id, deps.now())
  const row = {
    id,
    seq: (stored?.seq ?? -1) + 1,
    revision: after,
    body: to && JSON.stringify(to),
    asked: JSON.stringify(asked),
    gone,
  }
  if (stored === null) insertRow(tx, documents, row)
  else updateRows(tx, documents, { set: row, where: { id } })
  // a former document with the same track names the same ones
  if (head === null || to === null || !Bun.deepEquals(head.body.track, to.track)) nameRecordings(tx, id)
  if (to === null) removeRows(tx, id)
  else {
    if (head === null || !Bun.deepEquals(head.body.track, to.track)) refuseTwice(tx, id, to.track)
    if (isCreated && stored !== null) forgetKeys(tx, id)
    writeNumbers(tx, deps, change, { head: head?.body ?? null, to, askedBefore, asked })
  }
  return { beforeRevision: stored === null ? null : before, afterRevision: to === null ? null : after }
}

function nextRevision(
  { revision }: RunChange,
  { isNew, isCreated, before }: { readonly isNew: boolean; readonly isCreated: boolean; readonly before: number },
): number {
  if (typeof revision === 'number') return revision
  return isNew ? 0 : revision === 'kept' || isCreated ? before : before + 1
}

interface Writing {
  readonly head: RunDocument | null
  readonly to: RunDocument
  readonly askedBefore: Asked | null
  readonly asked: Asked
}

function writeNumbers(tx: Tx, deps: Needs, change: RunChange, { head, to, askedBefore, asked }: Writing): void {
  const { id, derived, asksWeather = false } = change
  const follows = affected(head, to)
  if (follows === 'words') writeWords(tx, { id, body: to })
  const stated = ({ carried }: RunDocument, times: Asked | null) => [
    carried?.efforts,
    carried?.effortIds,
    times?.effortTimes,
    times?.ours,
  ]
  const isRestated = head !== null && !Bun.deepEquals(stated(head, askedBefore), stated(to, asked))
  if (follows !== 'everything' && isRestated) writeStatedEfforts(tx, { id, body: to, asked })
  if (follows !== 'everything' && derived === undefined) return
  if (derived === undefined) throw new RangeError(`The run ${id} was changed without its numbers`)
  const rows = runRows(tx, { id, body: to, asked }, derived)
  writeRows(tx, { body: to }, rows)
  const isMoved = head === null || weatherHour(tx, head) !== weatherHour(tx, to)
  if (isMoved && derived.firstPosition !== null)
    askWeather(tx, deps, { id, isNew: head === null && asksWeather, weather: rows.row.weather ?? null })
}

/** What a former document is of; `touch` and `worn` are runs of which less is kept. */
export type FormerKind = Change['kind'] | 'touch' | 'worn'

interface Former {
  readonly kind: FormerKind
  readonly documentId: string
  readonly body: string | null
  readonly asked?: string | null
  readonly revision?: number | null
  readonly addedBytes?: number
}

/** Keeps a document as it was; of an item that is joined by a later change, only the first. */
function keepFormer(tx: Tx, { config, now }: Needs, { receiptId, itemSeq }: KeptFor, former: Former): void {
  const { kind, documentId, body, asked = null, revision = null, addedBytes = 0 } = former
  const isKept = tx.$client.query(
    'SELECT 1 FROM former WHERE receipt_id = ? AND item_seq = ? AND kind = ? AND document_id = ?',
  )
  if (isKept.get(receiptId, itemSeq, kind, documentId) !== null) return
  const until = now() + config.undoDays * DAY_MS
  const bytes = (body?.length ?? 0) + addedBytes
  insertRow(tx, formers, { kind, documentId, body, asked, revision, receiptId, itemSeq, until, bytes })
}

/** Bytes of samples that only the trash will need. */
function samplesBytes(tx: Tx, ids: readonly string[]): number {
  const bytes = tx.$client.query<{ n: number }, [string]>(
    'SELECT length(time_hr) + length(track) + length(rest) AS n FROM samples WHERE recording_id = ?',
  )
  return ids.reduce((sum, id) => sum + (bytes.get(id)?.n ?? 0), 0)
}

/** What the trash shows of a run, as it was before. */
export interface Gone {
  readonly name: string | null
  readonly startedAt: number
  readonly distanceM: number
  readonly durationS: number
  readonly deletedAt: number
  readonly receiptId: string
}

function goneOf(tx: Tx, { now }: Pick<Deps, 'now'>, id: string, keptFor: Pick<KeptFor, 'receiptId'> | null): string {
  const shown = tx.$client
    .query<Pick<Gone, 'name' | 'startedAt' | 'distanceM' | 'durationS'>, [string]>(
      'SELECT name, started_at AS startedAt, distance_m AS distanceM, duration_s AS durationS FROM workout WHERE id = ?',
    )
    .get(id)
  return JSON.stringify({ ...shown, deletedAt: now(), receiptId: keptFor?.receiptId })
}

/** Writes which recordings the document of a run names, and its former documents. */
export function nameRecordings(tx: Tx, runId: string): void {
  const body = documentRow(tx, runId)?.body
  const live = body == null ? [] : namedIn(body)
  const kept = tx.$client
    .query<{ body: string }, [string]>(
      "SELECT body FROM former WHERE document_id = ? AND kind = 'run' AND body IS NOT NULL",
    )
    .all(runId)
    .flatMap((former) => namedIn(former.body))
  const all = [...new Set([...live, ...kept])]
  tx.delete(namings).where(eq(namings.runId, runId)).run()
  for (const [place, recordingId] of all.entries()) {
    insertRow(tx, namings, { runId, recordingId, place, isLive: live.includes(recordingId) })
  }
}

function namedIn(body: string): string[] {
  return recordingIds((JSON.parse(body) as RunDocument).track)
}

/** Part of a clock that a split left, milliseconds, end exclusive. */
interface Window {
  /** Id of a join; empty: of the recording itself. */
  readonly clock: string
  readonly fromMs: number
  readonly toMs: number
}

interface Counted {
  readonly recordingId: string
  readonly windows: readonly Window[]
}

/** The stretches of recordings that a track counts; only splitting divides one among several runs. */
function countedOf(track: RunTrack): Counted[] {
  const clock = isJoined(track) ? track.id : ''
  const windows = activeRepairs(track).flatMap((one) =>
    one.kind === 'split' ? [{ clock, fromMs: one.fromMs, toMs: one.toMs }] : [],
  )
  if (!isJoined(track)) {
    const joined = activeRepairs(track).flatMap(({ counted = [] }) => counted)
    return track.recordings.map((recordingId) => {
      const own = joined.filter((one) => one.recordingId === recordingId)
      return { recordingId, windows: [...windows, ...own.map(({ fromMs, toMs }) => ({ clock: '', fromMs, toMs }))] }
    })
  }
  return track.join.flatMap(countedOf).map((one) => ({ ...one, windows: [...one.windows, ...windows] }))
}

function areApart(a: Counted, b: Counted): boolean {
  return a.windows.some((one) =>
    b.windows.some(({ clock, fromMs, toMs }) => clock === one.clock && (toMs <= one.fromMs || one.toMs <= fromMs)),
  )
}

const OTHER_RUNS = `
  SELECT DISTINCT other.run_id AS runId, other.recording_id AS recordingId FROM recording AS own
  JOIN recording AS same ON same.id = own.id
    OR (same.file_sha256 = own.file_sha256 AND same.file_session IS own.file_session)
  JOIN naming AS other ON other.recording_id = same.id AND other.live = 1
  WHERE own.id = ?1 AND other.run_id <> ?2`

/** @throws AppError 400 when another run counts some of the same recording */
function refuseTwice(tx: Tx, id: string, track: RunTrack): void {
  const others = tx.$client.query<{ runId: string; recordingId: string }, [string, string]>(OTHER_RUNS)
  for (const own of countedOf(track)) {
    for (const { runId, recordingId } of others.all(own.recordingId, id)) {
      const counted = countedOf(runHead(tx, runId)!.body.track).filter((one) => one.recordingId === recordingId)
      if (!counted.every((other) => areApart(own, other))) throw invalid(STORED_AGAIN)
    }
  }
}

export const STORED_AGAIN = 'The same run is stored again'

function changeOther(tx: Tx, deps: Needs, change: OtherChange, keptFor: KeptFor | null): void {
  const { kind, id, to } = change
  if (kind === 'settings') return void changeSettings(tx, deps, to, keptFor)
  const before = bodyOf(tx, kind, id)
  if (keptFor !== null) keepFormer(tx, deps, keptFor, { kind, documentId: id, body: before && JSON.stringify(before) })
  const table = TABLES[kind]
  if (to === null) tx.delete(table).where(eq(table.id, id)).run()
  else if (before === null) insertRow(tx, table, to)
  else tx.update(table).set(to).where(eq(table.id, id)).run()
  if (kind === 'shoe' && (to === null) !== (before === null)) wearShoe(tx, id, to !== null)
}

/** The settings have one row; none exists before the first member is stored. */
export const SETTINGS_ID = 1

/** @param to null: as if nothing had ever been stored */
function changeSettings(tx: Tx, deps: Needs, to: SettingsDocument | null, keptFor: KeptFor | null): void {
  const before = bodyOf(tx, 'settings', '')!
  const nowMs = deps.now()
  const { training, ...members } = to ?? { training: null }
  if (to === null) tx.delete(settings).where(eq(settings.id, SETTINGS_ID)).run()
  if (Object.keys(members).length > 0) {
    tx.insert(settings)
      .values({ id: SETTINGS_ID, archiveId: Bun.randomUUIDv7(), createdAt: nowMs, updatedAt: nowMs, ...members })
      .onConflictDoUpdate({ target: settings.id, set: { updatedAt: nowMs, ...members } })
      .run()
  }
  if (training === null) tx.delete(trainingSettings).run()
  else if (training !== undefined) {
    tx.insert(trainingSettings)
      .values({ id: SETTINGS_ID, data: training, updatedAt: nowMs })
      .onConflictDoUpdate({ target: trainingSettings.id, set: { data: training, updatedAt: nowMs } })
      .run()
  }
  if (keptFor === null) return
  const body = JSON.stringify({ before, after: bodyOf(tx, 'settings', '') })
  keepFormer(tx, deps, keptFor, { kind: 'settings', documentId: 'settings', body })
}

/** Replaces what the numbers of a run are computed with: a recalculation leaves document and revision as they are. */
export function writeAsked(tx: Tx, id: string, asked: Asked): void {
  updateRows(tx, documents, { set: { asked: JSON.stringify(asked) }, where: { id } })
}

/** Keeps weather that was looked up. */
export function writeObservation(
  tx: Tx,
  runId: string,
  { hour, weather }: { readonly hour: number; readonly weather: string },
): void {
  tx.insert(observations)
    .values({ runId, hour, weather })
    .onConflictDoUpdate({ target: [observations.runId, observations.hour], set: { weather } })
    .run()
}

/** Completes a recording with what was read of its original or its samples only later. */
export function completeRecording(
  tx: Tx,
  id: string,
  found: Partial<Pick<typeof recordings.$inferInsert, 'laps' | 'channels' | 'rawView' | 'hasRaw'>>,
): void {
  tx.update(recordings).set(found).where(eq(recordings.id, id)).run()
}

/** Packs the samples of a recording again: a newer engine measures their distance in another way. @param track null: it stays */
export function repackSamples(tx: Tx, recordingId: string, track: Uint8Array | null): void {
  const changed = track === null ? {} : { track: Buffer.from(track) }
  tx.update(samples)
    .set({ ...changed, engineVersion: ENGINE_VERSION })
    .where(eq(samples.recordingId, recordingId))
    .run()
}

/** A file below `files`. */
export interface NamedFile {
  readonly folder: 'raw' | 'media'
  readonly name: string
}

/**
 * Removes a run for good, with all that only it needs. One that an archive brought back after its deletion goes back into
 * the trash as it was deleted.
 * @returns files that nothing names any more
 */
export function discardRun(tx: Tx, id: string, nowMs: number): NamedFile[] {
  const named = tx.select().from(namings).where(eq(namings.runId, id)).all()
  const deletion = deletionOf(tx, id)
  if (deletion !== null) {
    const { receiptId, deletedAt } = deletion
    const gone = goneOf(tx, { now: () => deletedAt }, id, { receiptId })
    rememberKeys(tx, id, nowMs)
    removeRows(tx, id)
    tx.update(documents).set({ body: null, gone }).where(eq(documents.id, id)).run()
    nameRecordings(tx, id)
    return discardRecordings(
      tx,
      named.map(({ recordingId }) => recordingId),
    )
  }
  const shown = tx.delete(media).where(eq(media.workoutId, id)).returning({ id: media.id }).all()
  rememberKeys(tx, id, nowMs)
  forgetRun(tx, id)
  const about = tx.$client.query('SELECT receipt_id FROM receipt_item WHERE workout_id = ?').values(id) as [string][]
  closeReceipts(
    tx,
    about.map(([receiptId]) => receiptId),
    nowMs,
  )
  return [
    ...discardRecordings(
      tx,
      named.map(({ recordingId }) => recordingId),
    ),
    ...unkeptMedia(
      tx,
      shown.map((one) => one.id),
    ),
  ]
}

/** The deletion of a run that is there again without having been undone; null: there is none. */
function deletionOf(tx: Tx, id: string): { readonly receiptId: string; readonly deletedAt: number } | null {
  if (documentRow(tx, id)?.body == null) return null
  return tx.$client
    .query<{ receiptId: string; deletedAt: number }, [string]>(
      `SELECT receipt.id AS receiptId, made_at AS deletedAt FROM former
       JOIN receipt_item AS item ON item.receipt_id = former.receipt_id AND item.seq = former.item_seq
       JOIN receipt ON receipt.id = former.receipt_id
       WHERE document_id = ? AND former.kind = 'run' AND outcome = 'deleted' AND item.undone_by IS NULL
       ORDER BY former.seq DESC LIMIT 1`,
    )
    .get(id)
}

/** Removes a run but not its recordings, which another may count in the same transaction. */
function forgetRun(tx: Tx, id: string): void {
  removeRows(tx, id)
  tx.delete(formers)
    .where(and(eq(formers.documentId, id), inArray(formers.kind, OF_RUN)))
    .run()
  tx.delete(observations).where(eq(observations.runId, id)).run()
  tx.delete(namings).where(eq(namings.runId, id)).run()
  tx.delete(documents).where(eq(documents.id, id)).run()
}

/** Kinds of former documents whose id is that of a run. */
const OF_RUN: FormerKind[] = ['run', 'touch', 'worn']

/** Removes those of the recordings that no document names. @returns their files */
export function discardRecordings(tx: Tx, ids: readonly string[]): NamedFile[] {
  const isNamed = tx.$client.query('SELECT 1 FROM naming WHERE recording_id = ? LIMIT 1')
  const unnamed = ids.filter((id) => isNamed.get(id) === null)
  if (unnamed.length === 0) return []
  const gone = tx.delete(recordings).where(inArray(recordings.id, unnamed)).returning().all()
  const isStored = tx.$client.query('SELECT 1 FROM recording WHERE stored_as = ? LIMIT 1')
  return gone.flatMap(({ id, storedAs, hasRaw }) => [
    ...(storedAs !== null && isStored.get(storedAs) === null ? [{ folder: 'raw' as const, name: storedAs }] : []),
    ...(hasRaw ? [{ folder: 'raw' as const, name: `${id}.json.zst` }] : []),
  ])
}

/** Removes a photo or video for good; its file is left to the caller. */
export function discardMedia(tx: Tx, id: string): void {
  tx.delete(formers)
    .where(and(eq(formers.documentId, id), eq(formers.kind, 'media')))
    .run()
  tx.delete(media).where(eq(media.id, id)).run()
}

/** The files of those photos and videos that neither a row nor a former document has. */
export function unkeptMedia(tx: Tx, ids: readonly string[]): NamedFile[] {
  return ids.filter((id) => !isMediaKept(tx, id)).map((name) => ({ folder: 'media', name }))
}

export function isMediaKept(tx: Tx, id: string): boolean {
  const kept = `SELECT 1 FROM media WHERE id = ?1 UNION ALL SELECT 1 FROM former WHERE document_id = ?1 AND kind = 'media' AND body IS NOT NULL LIMIT 1`
  return tx.$client.query(kept).get(id) !== null
}

type FormerRow = typeof formers.$inferSelect

/** Removes former documents, and what only they needed. @returns files that nothing names any more */
export function discardFormers(tx: Tx, seqs: readonly number[], nowMs: number): NamedFile[] {
  const gone = tx
    .delete(formers)
    .where(inArray(formers.seq, [...seqs]))
    .returning()
    .all()
  const byDocument = new Map(gone.map((former) => [`${former.kind} ${former.documentId}`, former]))
  const files = [...byDocument.values()].flatMap((former) => discardLast(tx, former, nowMs))
  closeReceipts(
    tx,
    gone.map(({ receiptId }) => receiptId),
    nowMs,
  )
  return files
}

function discardLast(tx: Tx, { kind, documentId: id }: FormerRow, nowMs: number): NamedFile[] {
  if (kind === 'media') return unkeptMedia(tx, [id])
  const isLast =
    tx.$client.query('SELECT 1 FROM former WHERE document_id = ? AND kind = ? LIMIT 1').get(id, kind) === null
  if (kind === 'shoe' && isLast && bodyOf(tx, 'shoe', id) === null) takeOffShoe(tx, id)
  if (kind !== 'run') return []
  const stored = documentRow(tx, id)
  if (stored === null) return []
  if (stored.body === null && isLast) return discardRun(tx, id, nowMs)
  const named = tx.select().from(namings).where(eq(namings.runId, id)).all()
  nameRecordings(tx, id)
  return discardRecordings(
    tx,
    named.map(({ recordingId }) => recordingId),
  )
}

/** A shoe that cannot come back is no longer named by runs. */
function takeOffShoe(tx: Tx, shoeId: string): void {
  const worn = tx.$client.query<{ id: string }, [string]>('SELECT id FROM workout WHERE wanted_shoe_id = ?').all(shoeId)
  for (const { id } of worn) {
    const head = runHead(tx, id)
    if (head === null) continue
    const { shoeId: given, words = {}, ...rest } = head.body
    const { shoeId: said, ...others } = words
    const body = compact({
      ...rest,
      words: said === shoeId || said === undefined ? others : words,
      ...(given === undefined || given === shoeId ? {} : { shoeId: given }),
    })
    tx.update(documents)
      .set({ body: JSON.stringify(body) })
      .where(eq(documents.id, id))
      .run()
    writeWords(tx, { id, body })
  }
}
