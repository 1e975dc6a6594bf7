import { isObject } from '../../base/json-object.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import type { JoinGap } from '../../engine/repair/join.ts'
import type { MemberForms } from '../../engine/repair/kind.ts'
import type { MergeRepair } from '../../engine/repair/merge.ts'
import { membersOf, REPAIR_KINDS, type Repair } from '../../engine/repair/repairs.ts'
import { isJoined, type RunRepair, type RunTrack } from '../../library/documents/run.ts'
import { readByDistance, readMs, readSaid } from './carried.ts'
import { numberOf, objectsOf, oneOf, type Row, readEach, timeOf, uuidOf, wholeOf } from './fields.ts'
import { readClimbLimit } from './sample-rows.ts'
import { readBounds, readTimeZone, readValues } from './workout-rows.ts'

/** Longest shift of a run in time; a longer one is not a valid repair. */
const MOST_MOVED_MS = 2 ** 45

/** What all rows of the repairs of one run have in common. */
interface AboutRun {
  readonly workoutId: string
  /** The id that a recording has among the rows of the run. */
  readonly idOf: (recordingId: string) => string
}

/**
 * The rows of `repairs.json` of one run, in the order in which the repairs were made, undone or not. A joined run has a
 * row for the join first, with the tracks that it is made of; these have repairs of their own in the same form.
 */
export function repairObjects(track: RunTrack, about: AboutRun): Row[] {
  const joins = isJoined(track) ? [joinObject(track, about)] : []
  return [...joins, ...track.repairs.map((repair) => repairObject(repair, about))].map((row, seq) => ({ ...row, seq }))
}

function repairObject(repair: RunRepair, { workoutId, idOf }: AboutRun): Row {
  const { id, kind, recordingId, zonesBefore, effortTimesBefore, madeAt, undoneAt, number, apart } = repair
  return {
    id,
    workoutId,
    recordingId: recordingId === undefined ? null : idOf(recordingId),
    seq: 0,
    kind,
    data: {
      ...readMembers(kind, withRecordings({ ...repair }, idOf)),
      zonesBefore,
      effortTimesBefore,
      ...(apart && { apart: readApart({ ...apart }, (id) => idOf(String(id)), uuidOf) }),
    },
    madeAt: isoTime(madeAt),
    undoneAt: undoneAt === undefined ? null : isoTime(undoneAt),
    ...(number === undefined ? {} : { number }),
  }
}

function joinObject(
  { id, madeAt, join, gap, climb, caloriesKcal, startedAt, durationS }: Extract<RunTrack, { readonly join: unknown }>,
  about: AboutRun,
): Row {
  const tracks = join.map((track) => ({
    ...(isJoined(track) ? {} : { recordings: track.recordings.map(about.idOf) }),
    ...(isJoined(track) || track.primary === undefined ? {} : { primary: about.idOf(track.primary) }),
    repairs: repairObjects(track, about),
  }))
  const data = { caloriesKcal, zonesBefore: null, gap, climb, startedAt, durationS, tracks }
  const { workoutId } = about
  return { id, workoutId, recordingId: null, seq: 0, kind: 'join', data, madeAt: isoTime(madeAt), undoneAt: null }
}

const REPAIR = {
  id: uuidOf,
  recordingId: uuidOf,
  seq: (value: unknown) => wholeOf(value, 0),
  kind: (value: unknown) => oneOf(value, Object.keys(REPAIR_KINDS) as Repair['kind'][]),
  data: (value: unknown) => (isObject(value) ? value : null),
  madeAt: timeOf,
  undoneAt: timeOf,
  number: (value: unknown) => wholeOf(value, 2, 1_000_000),
}
/** The members of a repair that a restore reads. */
export const REPAIR_FIELDS = ['workoutId', ...Object.keys(REPAIR)]

/** A repair as read from an archive. */
export interface ReadRepair {
  readonly repair: RunRepair
  readonly data: Row
}

/** In their order. @param whenLost called for a row without id, place or time, or of an unknown kind */
export function readRepairs(rows: Iterable<Row>, whenLost: () => void): ReadRepair[] {
  const read: (ReadRepair & { readonly seq: number })[] = []
  for (const row of rows) {
    const repair = readRepair(row)
    if (repair === null) whenLost()
    else read.push(repair)
  }
  return read.toSorted((a, b) => a.seq - b.seq)
}

function readRepair(row: Row): (ReadRepair & { readonly seq: number }) | null {
  const { id, seq, kind, data, madeAt, recordingId, undoneAt, number } = readEach(row, REPAIR)
  if (id === null || seq === null || kind === null || data === null || madeAt === null) return null
  const change = readMembers(kind, data)
  if (change === null || (undoneAt === null && row.undoneAt !== null && row.undoneAt !== undefined)) return null
  const repair = {
    id,
    madeAt,
    kind,
    ...change,
    ...(data.zonesBefore === undefined ? {} : { zonesBefore: readBounds(data.zonesBefore) }),
    ...(isObject(data.effortTimesBefore) ? { effortTimesBefore: readByDistance(data.effortTimesBefore, readMs) } : {}),
    ...(undoneAt === null ? {} : { undoneAt }),
    ...(recordingId === null ? {} : { recordingId }),
    ...(number === null ? {} : { number }),
  } as RunRepair
  return { seq, repair, data }
}

/**
 * The track that the repairs of a run apply to, as given or joined of several, with these repairs.
 * @param idOf the id under which a recording of the archive is stored; null: it is not
 * @throws RangeError for a joined run whose tracks cannot be read
 */
export function readTrack(
  read: readonly ReadRepair[],
  recorded: { readonly recordings: readonly string[]; readonly primary?: string },
  idOf: (id: unknown) => string | null,
): RunTrack {
  const repairs = read.map(({ repair, data: { apart } }): RunRepair => {
    const { recordingId, ...rest } = repair
    const stored = idOf(recordingId)
    const were = isObject(apart) ? { apart: readApart(apart, idOf, (id) => idOf(id) ?? uuidOf(id)) } : {}
    return { ...(withRecordings({ ...rest }, idOf) as RunRepair), ...(stored && { recordingId: stored }), ...were }
  })
  const [first] = read
  if (first?.repair.kind !== 'join' || !Array.isArray(first.data.tracks)) return { ...recorded, repairs }
  const { id, madeAt, caloriesKcal } = first.repair
  const { gap, climb, startedAt, durationS, tracks } = readEach(first.data, JOIN)
  if (gap === null || startedAt === null || durationS === null) throw new RangeError('A join that cannot be read')
  const join = tracks.map((track): RunTrack => {
    const recordings = (Array.isArray(track.recordings) ? track.recordings : []).map(idOf)
    const primary = idOf(track.primary)
    const named = recordings.filter((one) => one !== null)
    const rows = readRepairs(objectsOf(track.repairs), () => {
      throw new RangeError('A repair of a joined run that cannot be read')
    })
    const part = readTrack(rows, { recordings: named, ...(primary === null ? {} : { primary }) }, idOf)
    if (!isJoined(part) && (named.length === 0 || named.length < recordings.length)) {
      throw new RangeError('A joined run without its recordings')
    }
    return part
  })
  if (join.length === 0) throw new RangeError('A joined run without tracks')
  return { join, id, madeAt, gap, climb, caloriesKcal, startedAt, durationS, repairs: repairs.slice(1) }
}

const JOIN = {
  gap: (value: unknown) => oneOf<JoinGap>(value, ['pause', 'straight', 'none']),
  climb: readClimbLimit,
  startedAt: readMs,
  durationS: (value: unknown) => numberOf(value, 0),
  tracks: objectsOf,
}

type IdOf = (id: unknown) => string | null

/** Runs that cannot be read are left out. @param shoeOf the shoe here of one of the archive */
function readApart({ runs, given }: Row, idOf: IdOf, shoeOf: IdOf): NonNullable<RunRepair['apart']> {
  const said = (value: unknown) => readSaid(isObject(value) ? value : {}, shoeOf)
  const read = (run: Row) => {
    const [id, recordingId] = [uuidOf(run.id), idOf(run.recordingId)]
    const photos = Array.isArray(run.photos) ? run.photos.flatMap((photo) => uuidOf(photo) ?? []) : []
    return id === null || recordingId === null ? [] : [{ id, recordingId, said: said(run.said), photos }]
  }
  return { runs: objectsOf(runs).flatMap(read), given: said(given) }
}

/** The members of a kind of repair; null when one that it needs is missing. */
function readMembers(kind: Repair['kind'], value: Row): Row | null {
  const change: Record<string, unknown> = {}
  for (const [name, form] of membersOf(kind)) {
    const read = typeof form === 'string' ? MEMBERS[form](value[name]) : (oneOf(value[name], form) ?? undefined)
    if (read === undefined) return null
    change[name] = read
  }
  return change
}

/** How a member of each form is read; undefined: without it there is no repair. */
const MEMBERS: { readonly [F in keyof MemberForms]: (value: unknown) => MemberForms[F] | undefined } = {
  recordedMs: (value) => numberOf(value, 0) ?? undefined,
  movedMs: (value) => wholeOf(value, -MOST_MOVED_MS, MOST_MOVED_MS) ?? undefined,
  metres: (value) => numberOf(value, 0, 1e9) ?? undefined,
  factor: (value) => numberOf(value, 0, 1e6),
  kcal: (value) => numberOf(value),
  climb: readClimbLimit,
  flag: (value) => value === true,
  timeZone: readTimeZone,
  numbers: (value) => (isObject(value) ? readValues(value) : undefined),
  shifts: (value) => readById(value, (seconds) => numberOf(seconds)),
  fields: (value) => readById(value, uuidOf),
  recording: uuidOf,
}

function readById<T>(value: unknown, read: (value: unknown) => T | null): Readonly<Record<string, T>> | undefined {
  if (!isObject(value)) return undefined
  const all = Object.entries(value).map(([name, one]) => [name, read(one)] as const)
  return all.some(([, one]) => one === null) ? undefined : (Object.fromEntries(all) as Record<string, T>)
}

/** The members of a merge with other ids of its recordings; other repairs as they are. */
function withRecordings<T extends Row>(repair: T, idOf: (id: string) => string | null): T {
  if (repair.kind !== 'merge') return repair
  const renamed = (id: string) => idOf(id) ?? id
  const { shiftsS, fields, tail } = repair as T & Pick<MergeRepair, 'shiftsS' | 'fields' | 'tail'>
  return {
    ...repair,
    shiftsS: Object.fromEntries(Object.entries(shiftsS).map(([id, shiftS]) => [renamed(id), shiftS])),
    fields: Object.fromEntries(Object.entries(fields).map(([channel, id]) => [channel, renamed(id)])),
    tail: tail && renamed(tail),
  }
}
