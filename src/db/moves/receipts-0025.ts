import type { Database } from 'bun:sqlite'
import { DAY_MS } from '../../engine/units.ts'
import { type OldRun, type Row, rowsOf, storedRecording, type Value } from './before-0025.ts'
import { type Capsule, insert, unpacked } from './capsules-0025.ts'
import type { Writer } from './writer-0025.ts'

// What undoing needs: packed copies of runs (capsules) and the values that receipts kept become former documents. Of each
// run the items of its receipts are gone through from the last back to the first, since values that were kept alone only
// make a document together with what the run was right after.

/** Days that a run stays in the trash whose receipt is no longer kept. */
const KEPT_DAYS = 30

/** Values of before that an item of a receipt kept. */
interface OldValues {
  readonly what:
    | 'words'
    | 'media'
    | 'effort'
    | 'shoe added'
    | 'shoe put'
    | 'shoe gone'
    | 'settings'
    | 'goal'
    | 'goal gone'
  readonly [member: string]: unknown
}

interface Former {
  readonly kind: 'run' | 'media' | 'shoe' | 'goal' | 'settings' | 'touch' | 'worn'
  readonly id: string
  /** null: there was none. */
  readonly body: object | null
  readonly asked?: object | null
  readonly revision?: Value
  /** Of samples that only the trash needs. */
  readonly bytes?: number
}

const ITEMS = `SELECT i.*, r.undo_until, r.made_at FROM receipt_item AS i LEFT JOIN receipt AS r ON r.id = i.receipt_id`
const GONE = `SELECT workout_id FROM receipt_item WHERE workout_id IS NOT NULL AND (capsule_id IS NOT NULL OR old_values IS NOT NULL)
  UNION SELECT workout_id FROM capsule EXCEPT SELECT id FROM old_workout`

/** Keeps what undoing changes needs that are about no run or one that is not stored, and fills the trash. */
export function moveOthers(client: Database, writer: Writer): void {
  for (const [id] of client.query(GONE).values() as [string][]) moveHistory(client, writer, id, null)
  const items = `${ITEMS} WHERE i.workout_id IS NULL AND old_values IS NOT NULL ORDER BY i.receipt_id, i.seq`
  for (const item of rowsOf(client, items)) {
    for (const former of othersOf(client, valuesOf(item)!)) keep(client, item, former)
  }
}

/** Keeps for each item of a receipt about a run what undoing it needs. @param run as it is stored; null: it is not */
export function moveHistory(client: Database, writer: Writer, id: string, run: OldRun | null): void {
  new History(client, writer, id, run).move()
}

/** The former documents of one run. */
class History {
  readonly #client: Database
  readonly #writer: Writer
  readonly #id: string
  readonly #isLive: boolean
  /** As it was last found, going back; null: not yet. */
  #run: OldRun | null
  /** As it was with each revision, the earliest time that it had it. */
  readonly #runs = new Map<number, OldRun>()
  readonly #recordings = new Map<string, Row>()
  /** What items keep, last ones first. */
  readonly #kept: { readonly item: Row; readonly formers: Former[] }[] = []

  constructor(client: Database, writer: Writer, id: string, run: OldRun | null) {
    this.#client = client
    this.#writer = writer
    this.#id = id
    this.#run = run
    this.#isLive = run !== null
    if (run !== null) this.#was(run)
  }

  move(): void {
    const rows = rowsOf(
      this.#client,
      `${ITEMS} WHERE i.workout_id = ? ORDER BY r.made_at DESC, i.receipt_id DESC, i.seq DESC`,
      this.#id,
    )
    const ids = new Set(rows.map(({ capsuleId }) => capsuleId))
    const about =
      'SELECT id AS capsule_id, workout_id, receipt_id, made_at, is_deleted FROM capsule WHERE workout_id = ?'
    // an item is only kept for a year
    const lone = rowsOf(this.#client, about, this.#id).filter(({ capsuleId }) => !ids.has(capsuleId ?? null))
    const made = lone.map((row) => ({
      ...row,
      seq: -1,
      outcome: row.isDeleted ? 'deleted' : 'changed',
      oldValues: null,
    }))
    for (const item of [...rows, ...made].toSorted((a: Row, b: Row) => Number(b.madeAt) - Number(a.madeAt))) {
      this.#kept.push({ item, formers: [] })
      this.#back(item)
    }
    // the former documents of a run are numbered as they were replaced
    for (const { item, formers } of this.#kept.toReversed())
      for (const former of formers) keep(this.#client, item, former)
  }

  /** Of the item that is gone back over. */
  #keep(former: Former): void {
    this.#kept.at(-1)!.formers.push(former)
  }

  /** Goes back to before an item. */
  #back(item: Row): void {
    const capsule = item.capsuleId == null ? null : unpacked(this.#client, String(item.capsuleId))
    if (capsule?.scope === 'media') {
      const [media] = capsule.tables.media ?? []
      if (media !== undefined) this.#keepMedia(item, [{ id: String(media.id), body: media }])
      return
    }
    const values = valuesOf(item)
    if (capsule === null && values !== null) {
      this.#backValues(item, values)
      return
    }
    // what was kept of an undone item went with the undoing, after which the run was again as before the item
    const undone = item.undoneBy == null ? null : (this.#runs.get(Number(item.beforeRevision ?? -1)) ?? null)
    const before = capsule === null ? undone : this.#packed(capsule)
    if (before === null) return
    const bytes = capsule === null ? 0 : this.#insertFacts(before, capsule)
    if (item.outcome === 'deleted' && !this.#isLive && this.#run === null) this.#trash(item, before)
    this.#keepRun(item, before, bytes)
    if (capsule?.scope === 'whole' && item.outcome !== 'deleted') this.#keepMovedMedia(item, capsule.tables.media ?? [])
  }

  #backValues(item: Row, values: OldValues): void {
    const { what } = values
    const after = this.#runs.get(Number(item.afterRevision ?? -1)) ?? this.#run
    if (what === 'media') this.#keepMedia(item, [{ id: String(values.mediaId), body: null }])
    else if (what === 'shoe put') {
      const worn = values.isTaken ? { before: values.shoeId, after: null } : { before: null, after: values.shoeId }
      this.#keep({ kind: 'worn', id: this.#id, body: worn })
    } else if (after !== null && what === 'effort') this.#backEffort(item, after, values)
    else if (after !== null) this.#backWords(item, after, values)
  }

  /** The item says no revision: it is undone as long as the run stays as it is. */
  #backEffort(item: Row, after: OldRun, values: OldValues): void {
    const revision = after.row.revision ?? 0
    const set = 'UPDATE receipt_item SET before_revision = ?1, after_revision = ?1 WHERE receipt_id = ?2 AND seq = ?3'
    this.#client.query(set).run(revision, item.receiptId ?? null, item.seq ?? null)
    this.#keepRun(item, withEffort(after, values), 0)
  }

  #backWords(item: Row, after: OldRun, values: OldValues): void {
    const { captions = {} } = values as { captions?: Readonly<Record<string, string | null>> }
    const media = Object.entries(captions).flatMap(([id, caption]) => {
      const [row] = rowsOf(this.#client, 'SELECT * FROM media WHERE id = ?', id)
      return row === undefined ? [] : [{ id, body: { ...row, caption } }]
    })
    const before = withWords(after, values, item.beforeRevision ?? null)
    const isRun = Object.keys(values).some(
      (part) => ['values', 'choice', 'efforts'].includes(part) && !isEmpty(values[part]),
    )
    if (isRun) this.#keepRun(item, before, 0)
    else this.#was(before)
    this.#keepMedia(item, media, !isRun)
  }

  #keepMedia(
    item: Row,
    media: readonly { readonly id: string; readonly body: object | null }[],
    isTouched = true,
  ): void {
    if (media.length === 0) return
    if (isTouched) this.#keep({ kind: 'touch', id: this.#id, body: null, revision: item.beforeRevision ?? null })
    for (const { id, body } of media) this.#keep({ kind: 'media', id, body })
  }

  /** Photos that a join or split gave to another run. */
  #keepMovedMedia(item: Row, media: readonly Row[]): void {
    const owner = this.#client.query('SELECT workout_id FROM media WHERE id = ?')
    const other = media.filter(({ id }) => {
      const [[runId = null] = []] = owner.values(id ?? null) as (string | null)[][]
      return runId !== null && runId !== this.#id
    })
    const rows = other.map((row) => ({ id: String(row.id), body: row }))
    this.#keepMedia(item, rows, false)
  }

  #was(run: OldRun): void {
    this.#run = run
    this.#runs.set(Number(run.row.revision ?? 0), run)
    for (const recording of run.recordings) this.#recordings.set(String(recording.id), recording)
  }

  /** The run as a capsule has it; null: one of its recordings is lost. */
  #packed({ scope, tables, positions }: Capsule): OldRun | null {
    const [row] = tables.workout ?? []
    if (row === undefined) return null
    const counts = new Map((tables.samples ?? []).map((one) => [one.recordingId, one.sampleCount]))
    const recordings =
      scope === 'whole'
        ? (tables.recording ?? []).map((one) => ({ ...one, sampleCount: counts.get(one.id ?? null) ?? null }))
        : positions.flatMap(([id, position]) => {
            const known = this.#recordings.get(id) ?? storedRecording(this.#client, id)
            return known === null ? [] : [{ ...known, position }]
          })
    if (recordings.length === 0 || (scope === 'numbers' && recordings.length < positions.length)) return null
    return {
      row,
      recordings:
        scope === 'whole' ? recordings.toSorted((a: Row, b: Row) => Number(a.seq) - Number(b.seq)) : recordings,
      repairs: (tables.repair ?? []).toSorted((a, b) => Number(a.seq) - Number(b.seq)),
      splits: (tables.workout_split ?? []).toSorted((a, b) => Number(a.idx) - Number(b.idx)),
      efforts: tables.workout_best_effort ?? [],
      archived: tables.archived_best_effort ?? [],
      words: tables.effort_word ?? this.#run?.words ?? [],
      choice: scope === 'whole' ? (tables.training_choice?.[0] ?? null) : (this.#run?.choice ?? null),
    }
  }

  /** Stores the recordings and photos of a capsule that are stored nowhere else. @returns bytes of their samples */
  #insertFacts({ row }: OldRun, { tables }: Capsule): number {
    const isStored = this.#client.query('SELECT 1 FROM recording WHERE id = ?')
    const added = (tables.recording ?? []).filter(({ id }) => isStored.get(id ?? null) === null)
    for (const recording of added) insert(this.#client, 'recording', { ...recording, hasRawHr: row.hasRawHr ?? 0 })
    if (row.hasRawHr === 0) {
      const unsay = this.#client.query('UPDATE recording SET has_raw_hr = 0 WHERE id = ?')
      for (const { id } of tables.recording ?? []) unsay.run(id ?? null)
    }
    const ids = new Set(added.map(({ id }) => id))
    let bytes = 0
    for (const samples of (tables.samples ?? []).filter(({ recordingId }) => ids.has(recordingId))) {
      insert(this.#client, 'samples', { ...samples, engineVersion: row.engineVersion ?? 0 })
      bytes += [samples.timeHr, samples.track, samples.rest].reduce(
        (sum: number, one) => sum + (one as Uint8Array).length,
        0,
      )
    }
    return bytes
  }

  #trash(item: Row, before: OldRun): void {
    const { name, startedAt, distanceM, durationS } = before.row
    const gone = { name, startedAt, distanceM, durationS, deletedAt: item.madeAt, receiptId: item.receiptId }
    this.#writer.document(this.#id, this.#writer.moved(before), before.row.revision, gone)
    const capsule = unpacked(this.#client, String(item.capsuleId))
    const isStored = this.#client.query('SELECT 1 FROM media WHERE id = ?')
    for (const media of capsule?.tables.media ?? []) {
      if (isStored.get(media.id ?? null) === null) insert(this.#client, 'media', media)
    }
  }

  #keepRun(item: Row, before: OldRun, bytes: number): void {
    const after = item.outcome === 'deleted' ? null : (this.#runs.get(Number(item.afterRevision ?? -1)) ?? this.#run)
    const made = this.#writer.moved(before)
    const askedAfter = after && this.#writer.moved(after).asked
    const asked = askedAfter === null || Bun.deepEquals(askedAfter, made.asked) ? null : [made.asked, askedAfter]
    this.#writer.facts(this.#id, made)
    this.#writer.name(this.#id, before.recordings, false)
    this.#keep({
      kind: 'run',
      id: this.#id,
      body: made.body,
      asked,
      revision: before.row.revision ?? 0,
      bytes,
    })
    this.#was(before)
  }
}

function keep(client: Database, item: Row, { kind, id, body, asked = null, revision = null, bytes = 0 }: Former): void {
  const until = item.undoUntil ?? Number(item.madeAt) + KEPT_DAYS * DAY_MS
  const text = body && JSON.stringify(body)
  client
    .query(
      `INSERT INTO former (kind, document_id, body, asked, revision, receipt_id, item_seq, until, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...[kind, id, text, asked && JSON.stringify(asked), revision, item.receiptId ?? null, item.seq ?? null, until],
      (text?.length ?? 0) + bytes,
    )
}

function valuesOf({ oldValues }: Row): OldValues | null {
  return oldValues == null ? null : (JSON.parse(String(oldValues)) as OldValues)
}

function isEmpty(value: unknown): boolean {
  return value == null || Object.keys(value).length === 0
}

/** A run before an edit. */
function withWords(run: OldRun, { values, choice, efforts }: OldValues, revision: Value): OldRun {
  const { leftOut, runnerSet, ...words } = (values ?? {}) as Record<string, Value | boolean | string[]>
  const row = {
    ...run.row,
    ...words,
    ...(leftOut === undefined ? {} : { leftOut: leftOut ? 1 : 0 }),
    ...(runnerSet === undefined ? {} : { runnerSet: JSON.stringify(runnerSet) }),
    ...(revision === null ? {} : { revision }),
  } as Row
  const decided = Object.entries((efforts ?? {}) as Record<string, boolean | null>)
  const others = run.words.filter(({ distanceIndex }) => decided.every(([index]) => index !== String(distanceIndex)))
  const back = decided.flatMap(([index, is]) =>
    is === null ? [] : [{ distanceIndex: Number(index), isRecord: is ? 1 : 0 }],
  )
  const load = choice as Record<string, Value | boolean> | undefined
  const chosen = load && ({ ...load, excludeFromEstimates: load.excludeFromEstimates ? 1 : 0 } as Row)
  return { ...run, row, words: [...others, ...back], choice: chosen ?? run.choice }
}

/** A run before an archive stated one of its efforts. */
function withEffort(run: OldRun, { distanceIndex, own, archived }: OldValues): OldRun {
  const isOther = (effort: Row) => effort.distanceIndex !== distanceIndex
  return {
    ...run,
    efforts: run.efforts.map((effort) => (isOther(effort) ? effort : { ...effort, ...(own as Row | null) })),
    archived: [
      ...run.archived.filter(isOther),
      ...(archived === null ? [] : [{ ...(archived as Row), distanceIndex: distanceIndex as number }]),
    ],
  }
}

/** What an item kept that is about no run. */
function othersOf(client: Database, values: OldValues): Former[] {
  const { shoe, goal } = values as Readonly<Record<string, { readonly id: string }>>
  switch (values.what) {
    case 'shoe added':
      return [{ kind: 'shoe', id: String(values.shoeId), body: null }]
    case 'shoe gone': {
      const isFree = client.query('SELECT 1 FROM settings WHERE default_shoe_id IS NULL').get() !== null
      const body = { before: { defaultShoeId: shoe!.id }, after: { defaultShoeId: null } }
      const wasDefault = values.wasDefault && isFree ? [{ kind: 'settings', id: 'settings', body } as const] : []
      return [{ kind: 'shoe', id: shoe!.id, body: shoe! }, ...wasDefault]
    }
    case 'goal':
      return [{ kind: 'goal', id: String(values.goalId), body: null }]
    case 'goal gone':
      return [{ kind: 'goal', id: goal!.id, body: { ...goal, createdAt: values.createdAtMs } }]
    case 'settings': {
      const { before, after, training } = values as unknown as Record<string, Record<string, unknown> | undefined>
      const withTraining = (which: 'before' | 'after') => (training === undefined ? {} : { training: training[which] })
      const body = { before: { ...before, ...withTraining('before') }, after: { ...after, ...withTraining('after') } }
      return [{ kind: 'settings', id: 'settings', body }]
    }
    default:
      return []
  }
}
