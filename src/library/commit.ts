import { and, eq, inArray, sql } from 'drizzle-orm'
import type { By } from '../base/by.ts'
import type { Tx } from '../db/open.ts'
import { insertRow, preparedOnce, updateRows } from '../db/prepared.ts'
import { media, recordings, samples } from '../db/schema.ts'
import { settings } from '../db/schema-account.ts'
import { documents, earlierVersions, observations, runRecordings } from '../db/schema-documents.ts'
import { trainingSettings } from '../db/schema-training.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { RunType } from '../engine/limits.ts'
import { DAY_MS } from '../engine/units.ts'
import type { RemadeSamples } from '../workers/derive.ts'
import type { PackedSamples } from '../workers/pack.ts'
import type { Deps } from './deps.ts'
import { removeRows, writeRows, writeRunEfforts, writeWords } from './derive.ts'
import { essenceOf, type Kind } from './documents/essence.ts'
import { type Bodies, bodyOf, changedSettings, type SettingsDocument, TABLES } from './documents/rows.ts'
import {
  type Asked,
  affected,
  compact,
  documentRow,
  headOf,
  type RunDocument,
  type RunHead,
  recordingIds,
} from './documents/run.ts'
import { forgetKeys, rememberKeys } from './forgotten.ts'
import { beginReceipt, closeReceipts, type NewItem, type NewReceipt, type WrittenReceipt } from './receipts/record.ts'
import { type Derived, runRows, weatherHour } from './run-rows.ts'
import { refuseTwice } from './stretches.ts'
import { askWeather } from './weather.ts'

// The only writer of documents and facts, in the caller's transaction. Whoever changes a run plans its document, lets the
// numbers be derived, and commits both; what was before is kept as long as the change can be undone.

/** A recording with its samples, as it arrived. */
export type NewRecording = typeof recordings.$inferInsert & {
  readonly samples: PackedSamples | null
}

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
  /** Whether weather is looked up even though the file has some, or the run is known. */
  readonly asksWeather?: boolean
}

/** What stands beside the essence of a run, before and after a change of it; absent: it stayed. */
export interface Beside {
  readonly asked?: readonly [Asked, Asked]
  /** The shoe given at arrival. */
  readonly shoe?: readonly [string | null, string | null]
}

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
  readonly receipt: NewReceipt
  readonly groups: readonly ChangeGroup[]
}

/** Thrown when a document was changed since the change was planned; the transaction is to be rolled back. */
export class Outdated extends Error {}

type Needs = Pick<Deps, 'config' | 'now'>

/**
 * Writes changes with their receipt, all of them one unit, in the caller's transaction; `announceReceipt` follows once that is committed.
 * @returns id of the receipt
 * @throws Outdated; AppError 400 when two runs would count the same stretch of a recording
 */
export function commit(tx: Tx, deps: Needs, by: By, { receipt, groups }: Work): string {
  const left = beginReceipt(tx, { ...deps, by }, receipt)
  commitUnit(tx, deps, groups, left)
  left.end(tx)
  return left.id
}

type Left = Pick<WrittenReceipt, 'id' | 'nextSeq' | 'write'> | null

/** Writes the changes of one item, and the item. @param receipt null: there is none, and nothing of before is kept */
export function commitItem(tx: Tx, deps: Needs, group: ChangeGroup, receipt: Left): void {
  commitUnit(tx, deps, [group], receipt)
}

/** Writes the changes of several items that are undone together or not at all, and the items. @param receipt as of `commitItem` */
export function commitUnit(tx: Tx, deps: Needs, groups: readonly ChangeGroup[], receipt: Left): void {
  let unit: number | null = null
  for (const group of groups) {
    const itemSeq = receipt?.nextSeq() ?? 0
    unit ??= itemSeq
    commitGroup(tx, deps, group, receipt && { receiptId: receipt.id, itemSeq })
    receipt?.write(tx, { ...group.item, unit }, itemSeq)
  }
}

/** Where what was before a change is kept for: an item of a receipt. */
export interface KeptFor {
  readonly receiptId: string
  readonly itemSeq: number
}

/** Writes the changes of one item. @param wanted null: nothing of before is kept */
export function commitGroup(
  tx: Tx,
  deps: Needs,
  { changes }: Pick<ChangeGroup, 'changes'>,
  wanted: KeptFor | null,
): void {
  const keptFor = deps.config.undoDays > 0 ? wanted : null
  for (const change of changes) {
    if (change.kind === 'run') changeRun(tx, deps, change, keptFor)
    else changeOther(tx, deps, change, keptFor)
  }
}

/** Writes a change without a receipt, of which nothing of before is kept. */
export function commitPlain(tx: Tx, deps: Needs, change: OtherChange): void {
  commitGroup(tx, deps, { changes: [change] }, null)
}

/**
 * Removes the photos of a run in the trash that an archive which brings it back does not have; they are kept for the item
 * that deleted the run.
 */
export function putAsideMedia(tx: Tx, deps: Needs, runId: string, stays: readonly string[]): void {
  const deletion = tx.$client
    .query<KeptFor, [string]>(
      `SELECT receipt_id AS receiptId, item_seq AS itemSeq FROM earlier_version
       WHERE document_id = ? AND kind = 'run' AND body IS NOT NULL ORDER BY seq DESC LIMIT 1`,
    )
    .get(runId)
  const shown = tx.select({ id: media.id }).from(media).where(eq(media.workoutId, runId)).all()
  const changes = shown
    .filter(({ id }) => !stays.includes(id))
    .map(({ id }) => ({ kind: 'media', id, to: null }) as const)
  commitGroup(tx, deps, { changes }, deletion)
}

/** Stores a recording, which a document of the same transaction names. */
export function insertRecording(tx: Tx, { samples: packed, ...row }: NewRecording): void {
  insertRow(tx, recordings, row)
  if (packed === null) return
  const { sampleCount, meta, timeHr, track, rest, engineVersion = ENGINE_VERSION } = packed
  const blobs = { timeHr: Buffer.from(timeHr), track: Buffer.from(track), rest: Buffer.from(rest) }
  insertRow(tx, samples, { recordingId: row.id, engineVersion, sampleCount, meta, ...blobs })
}

function changeRun(tx: Tx, deps: Needs, change: RunChange, keptFor: KeptFor | null): void {
  const { id, from, to: wanted } = change
  const stored = documentRow(tx, id)
  if ((stored?.seq ?? null) !== from) throw new Outdated()
  const head = headOf(stored)
  const to = wanted && compact(wanted)
  if (to === null && head === null) throw new Outdated()
  const askedBefore = stored === null ? null : (JSON.parse(stored.asked) as Asked)
  const asked = change.asked ?? askedBefore
  if (asked === null) throw new RangeError(`The run ${id} is new and lacks what it is asked with`)
  const essence = essenceOf('run', to)
  if (keptFor !== null) {
    const beside = head && to && besideOf(head, { body: to, asked })
    const { body = null, essence: was = null } = stored ?? {}
    keepEarlier(tx, deps, keptFor, { kind: 'run', documentId: id, body, was, essence, beside })
  }
  if (to === null && keptFor === null) {
    forgetRun(tx, id)
    return
  }
  const gone = to === null ? goneOf(tx, id, { deletedAt: deps.now(), receiptId: keptFor?.receiptId }) : null
  if (to === null) rememberKeys(tx, id, deps.now())
  const row = {
    id,
    seq: (stored?.seq ?? -1) + 1,
    essence,
    body: to && JSON.stringify(to),
    asked: JSON.stringify(asked),
    gone,
  }
  if (stored === null) insertRow(tx, documents, row)
  else updateRows(tx, documents, { set: row, where: { id } })
  // an earlier document with the same track names the same ones
  const isSameTrack = Bun.deepEquals(head?.body.track, to?.track)
  if (!isSameTrack) nameRecordings(tx, id)
  if (to === null) removeRows(tx, id)
  else {
    if (!isSameTrack) refuseTwice(tx, id, to.track)
    if (head === null && stored !== null) forgetKeys(tx, id)
    writeNumbers(tx, deps, change, { head: head?.body ?? null, to, askedBefore, asked })
  }
}

/** The essence after a change that left it as it was. */
export const SAME = ''

/** null: it stayed. */
function besideOf(before: Pick<RunHead, 'body' | 'asked'>, after: Pick<RunHead, 'body' | 'asked'>): Beside | null {
  const [was, is] = [before.body.shoeId ?? null, after.body.shoeId ?? null]
  const isSameAsked = Bun.deepEquals(before.asked, after.asked)
  if (was === is && isSameAsked) return null
  return {
    ...(isSameAsked ? {} : { asked: [before.asked, after.asked] }),
    ...(was === is ? {} : { shoe: [was, is] }),
  }
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
  if (follows !== 'everything' && isRestated) writeRunEfforts(tx, { id, body: to, asked })
  if (follows !== 'everything' && derived === undefined) return
  if (derived === undefined) throw new RangeError(`The run ${id} was changed without its numbers`)
  const rows = runRows(tx, { id, body: to, asked }, derived)
  writeRows(tx, { body: to }, rows)
  repackSamples(tx, derived.remade)
  const isMoved = head === null || weatherHour(tx, head) !== weatherHour(tx, to)
  if ((isMoved || asksWeather) && derived.firstPosition !== null)
    askWeather(tx, deps, { id, isNew: asksWeather, weather: rows.row.weather ?? null })
}

interface Earlier {
  readonly kind: Kind
  readonly documentId: string
  readonly body: string | null
  /** Of the body, where it is known. */
  readonly was?: string | null
  /** After the change. */
  readonly essence: string | null
  readonly beside?: Beside | null
}

/** Keeps a document as it was; of an item that is joined by a later edit, as it was before the first. */
function keepEarlier(tx: Tx, { config, now }: Needs, { receiptId, itemSeq }: KeptFor, earlier: Earlier): void {
  const { kind, documentId, body, was = null, essence, beside = null } = earlier
  const first = tx.$client
    .query<{ seq: number; body: string | null }, [string, number, string, string]>(
      'SELECT seq, body FROM earlier_version WHERE receipt_id = ? AND item_seq = ? AND kind = ? AND document_id = ?',
    )
    .get(receiptId, itemSeq, kind, documentId)
  const before = first === null ? was : essenceOf(kind, first.body && JSON.parse(first.body))
  const after = essence !== null && essence === before ? SAME : essence
  const until = now() + config.undoDays * DAY_MS
  if (first !== null) updateRows(tx, earlierVersions, { set: { after }, where: { seq: first.seq } })
  else {
    const values = { kind, documentId, body, after, beside: beside && JSON.stringify(beside) }
    insertRow(tx, earlierVersions, { ...values, receiptId, itemSeq, until })
  }
}

/** What the trash shows of a run, as it was before. */
export interface Gone {
  readonly name: string | null
  readonly startedAt: number
  /** Of runs that were deleted by an older version it is not known. */
  readonly utcOffsetMinutes?: number | null
  readonly distanceM: number
  readonly durationS: number
  /** Likewise. */
  readonly movingTimeS?: number
  readonly runType?: RunType | null
  readonly deletedAt: number
  readonly receiptId: string
}

function goneOf(
  tx: Tx,
  id: string,
  how: { readonly deletedAt: number; readonly receiptId: string | undefined },
): string {
  const shown = tx.$client
    .query<Omit<Gone, 'deletedAt' | 'receiptId'>, [string]>(
      `SELECT name, started_at AS startedAt, utc_offset_minutes AS utcOffsetMinutes, distance_m AS distanceM,
         duration_s AS durationS, min(duration_s, coalesce(moving_time_s, timer_time_s, duration_s)) AS movingTimeS, run_type AS runType
       FROM workout WHERE id = ?`,
    )
    .get(id)
  return JSON.stringify({ ...shown, ...how })
}

/** Writes which recordings the document of a run names, and its earlier documents. */
export function nameRecordings(tx: Tx, runId: string): void {
  const body = documentRow(tx, runId)?.body
  const live = body == null ? [] : namedIn(body)
  const kept = tx.$client
    .query<{ body: string }, [string]>(
      "SELECT body FROM earlier_version WHERE document_id = ? AND kind = 'run' AND body IS NOT NULL",
    )
    .all(runId)
    .flatMap((earlier) => namedIn(earlier.body))
  const all = [...new Set([...live, ...kept])]
  tx.delete(runRecordings).where(eq(runRecordings.runId, runId)).run()
  for (const [place, recordingId] of all.entries()) {
    insertRow(tx, runRecordings, { runId, recordingId, place, isLive: live.includes(recordingId) })
  }
}

function namedIn(body: string): string[] {
  return recordingIds((JSON.parse(body) as RunDocument).track)
}

function changeOther(tx: Tx, deps: Needs, change: OtherChange, keptFor: KeptFor | null): void {
  const { kind, id, to } = change
  if (kind === 'settings') return void changeSettings(tx, deps, to, keptFor)
  const before = bodyOf(tx, kind, id)
  const kept = { kind, documentId: id, body: before && JSON.stringify(before), essence: essenceOf(kind, to) }
  if (keptFor !== null) keepEarlier(tx, deps, keptFor, kept)
  const table = TABLES[kind]
  if (to === null) tx.delete(table).where(eq(table.id, id)).run()
  else {
    const row = alone(tx, kind, to)
    if (before === null) insertRow(tx, table, row)
    else tx.update(table).set(row).where(eq(table.id, id)).run()
  }
}

/** Whoever moves home changes both places, and a run is the result of one race: what comes back later is that no more. */
function alone<T extends object>(tx: Tx, kind: Kind, to: T): T {
  const { id, isHome, workoutId } = to as Partial<Bodies['place'] & Bodies['race']> & { readonly id: string }
  const isOther = (where: string, value: string | number) =>
    tx.$client.query(`SELECT 1 FROM ${kind} WHERE ${where} = ? AND id <> ?`).get(value, id) !== null
  if (kind === 'place' && isHome && isOther('is_home', 1)) return { ...to, isHome: false }
  if (kind === 'race' && workoutId != null && isOther('workout_id', workoutId))
    return { ...to, workoutId: null, isLinked: false }
  return to
}

/** The settings have one row; none exists before the first member is stored. */
const SETTINGS_ID = 1

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
  const after = bodyOf(tx, 'settings', '')!
  const isSame = Object.keys(before).length > 0 && changedSettings(before, after).length === 0
  if (keptFor === null || isSame) return
  const body = JSON.stringify({ before, after })
  keepEarlier(tx, deps, keptFor, {
    kind: 'settings',
    documentId: 'settings',
    body,
    essence: essenceOf('settings', after),
  })
}

/**
 * Replaces what the numbers of a run are computed with: a recalculation leaves the document as it is, but a
 * change that was planned before it is planned again.
 */
export function writeAsked(tx: Tx, id: string, asked: Asked): void {
  askedOf(tx).run({ id, asked: JSON.stringify(asked) })
}

const askedOf = preparedOnce((tx) =>
  tx
    .update(documents)
    .set({ seq: sql`${documents.seq} + 1`, asked: sql`${sql.placeholder('asked')}` })
    .where(eq(documents.id, sql.placeholder('id')))
    .prepare(),
)

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

/** Stores the distance and altitude of samples that this engine measures in another way than the one that packed them. */
export function repackSamples(tx: Tx, remade: readonly RemadeSamples[] = []): void {
  for (const { recordingId, track } of remade) {
    const changed = track === null ? {} : { track: Buffer.from(track) }
    updateRows(tx, samples, { set: { ...changed, engineVersion: ENGINE_VERSION }, where: { recordingId } })
  }
}

export interface NamedFile {
  readonly folder: 'raw' | 'media'
  readonly name: string
}

/**
 * Removes a run for good, with all that only it needs. One that an archive brought back after its deletion goes back into
 * the trash as it was deleted.
 * @returns files that it named
 */
export function discardRun(tx: Tx, id: string, nowMs: number): NamedFile[] {
  const named = namedBy(tx, id)
  const deletion = deletionOf(tx, id)
  rememberKeys(tx, id, nowMs)
  if (deletion !== null) {
    const { seq, ...how } = deletion
    const gone = goneOf(tx, id, how)
    removeRows(tx, id)
    updateRows(tx, documents, { set: { seq: seq + 1, essence: null, body: null, gone }, where: { id } })
    nameRecordings(tx, id)
    return discardRecordings(tx, named)
  }
  const shown = tx.delete(media).where(eq(media.workoutId, id)).returning({ id: media.id }).all()
  // photos that were deleted, or came here from a run that was joined, have no run to go back from
  const earlier = tx.$client.query(
    `DELETE FROM earlier_version WHERE kind = 'media' AND EXISTS (SELECT 1 FROM receipt_item AS item
       WHERE item.receipt_id = earlier_version.receipt_id AND item.seq = earlier_version.item_seq AND item.workout_id = ?1)
     RETURNING document_id`,
  )
  const deleted = (earlier.values(id) as [string][]).flat()
  forgetRun(tx, id)
  const about = tx.$client.query('SELECT receipt_id FROM receipt_item WHERE workout_id = ?').values(id) as [string][]
  closeReceipts(tx, about.flat(), nowMs)
  return [...discardRecordings(tx, named), ...filesOfMedia([...shown.map((one) => one.id), ...deleted])]
}

/** The deletion of a run that is there again without having been undone; null: there is none. */
function deletionOf(tx: Tx, id: string) {
  return tx.$client
    .query<{ receiptId: string; deletedAt: number; seq: number }, [string]>(
      `SELECT receipt.id AS receiptId, made_at AS deletedAt, document.seq AS seq FROM earlier_version
       JOIN document ON document.id = earlier_version.document_id AND document.body IS NOT NULL
       JOIN receipt_item AS item ON item.receipt_id = earlier_version.receipt_id AND item.seq = earlier_version.item_seq
       JOIN receipt ON receipt.id = earlier_version.receipt_id
       WHERE earlier_version.document_id = ? AND earlier_version.kind = 'run' AND outcome = 'deleted' AND item.undone_by IS NULL
       ORDER BY earlier_version.seq DESC LIMIT 1`,
    )
    .get(id)
}

/** Removes a run but not its recordings, which another may count in the same transaction. */
function forgetRun(tx: Tx, id: string): void {
  removeRows(tx, id)
  tx.delete(earlierVersions)
    .where(and(eq(earlierVersions.documentId, id), eq(earlierVersions.kind, 'run')))
    .run()
  tx.delete(observations).where(eq(observations.runId, id)).run()
  tx.delete(runRecordings).where(eq(runRecordings.runId, id)).run()
  tx.delete(documents).where(eq(documents.id, id)).run()
}

/** Removes those of the recordings that no document names. @returns files that they named */
function discardRecordings(tx: Tx, ids: readonly string[]): NamedFile[] {
  const isNamed = tx.$client.query('SELECT 1 FROM run_recording WHERE recording_id = ? LIMIT 1')
  const unnamed = ids.filter((id) => isNamed.get(id) === null)
  if (unnamed.length === 0) return []
  const gone = tx.delete(recordings).where(inArray(recordings.id, unnamed)).returning().all()
  return gone.flatMap(({ id, storedAs }) => filesOfRecording(id, storedAs ?? id))
}

/** The files that a recording may have: its original, and raw data. */
export function filesOfRecording(id: string, storedAs = id): NamedFile[] {
  return [storedAs, `${id}.json.zst`].map((name) => ({ folder: 'raw', name }))
}

/** Removes a photo or video permanently; its file is left to the caller. */
export function discardMedia(tx: Tx, id: string): void {
  tx.delete(earlierVersions)
    .where(and(eq(earlierVersions.documentId, id), eq(earlierVersions.kind, 'media')))
    .run()
  tx.delete(media).where(eq(media.id, id)).run()
}

export function filesOfMedia(ids: readonly string[]): NamedFile[] {
  return ids.map((name) => ({ folder: 'media', name }))
}

type EarlierRow = typeof earlierVersions.$inferSelect

/** Removes earlier documents, and what only they needed. @returns files that they named */
export function discardEarlier(tx: Tx, seqs: readonly number[], nowMs: number): NamedFile[] {
  const gone = tx
    .delete(earlierVersions)
    .where(inArray(earlierVersions.seq, [...seqs]))
    .returning()
    .all()
  // of a run that was new nothing was kept
  const bodies = gone.filter(({ kind, body }) => kind !== 'run' || body !== null)
  const byDocument = new Map(bodies.map((earlier) => [`${earlier.kind} ${earlier.documentId}`, earlier]))
  const files = [...byDocument.values()].flatMap((earlier) => discardLast(tx, earlier, nowMs))
  closeReceipts(
    tx,
    gone.map(({ receiptId }) => receiptId),
    nowMs,
  )
  return files
}

function discardLast(tx: Tx, { kind, documentId: id }: EarlierRow, nowMs: number): NamedFile[] {
  if (kind === 'media') return filesOfMedia([id])
  if (kind !== 'run') return []
  const kept = "SELECT 1 FROM earlier_version WHERE document_id = ? AND kind = 'run' AND body IS NOT NULL LIMIT 1"
  const isLast = tx.$client.query(kept).get(id) === null
  const stored = documentRow(tx, id)
  if (stored === null) return []
  if (stored.body === null && isLast) return discardRun(tx, id, nowMs)
  const named = namedBy(tx, id)
  nameRecordings(tx, id)
  return discardRecordings(tx, named)
}

/** The recordings that the document of a run names, or an earlier one. */
function namedBy(tx: Tx, runId: string): string[] {
  const rows = tx.select({ id: runRecordings.recordingId }).from(runRecordings).where(eq(runRecordings.runId, runId))
  return rows.all().map(({ id }) => id)
}
