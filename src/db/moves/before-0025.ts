import type { Database } from 'bun:sqlite'
import { NUMBER_NAMES, type Numbers, type Said } from '../../engine/numbers.ts'
import { changesSamples, offsetOf, type Repair } from '../../engine/repair/repairs.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import { settleSteps } from '../../engine/settle.ts'
import { finished } from '../../engine/steps.ts'
import { HOUR_MS } from '../../engine/units.ts'

// A run as rows of schema 24 and before, and the document that is made of it. Types of documents are written out as they
// were then, since later versions change them.

export type Value = string | number | Uint8Array | null
/** A row by the names of the program, `startedAt`. */
export type Row = Readonly<Record<string, Value>>

export interface OldRun {
  /** Of the table of workouts. */
  readonly row: Row
  /** By arrival, with `sampleCount`; null: it has no samples. */
  readonly recordings: readonly Row[]
  readonly repairs: readonly Row[]
  readonly splits: readonly Row[]
  readonly efforts: readonly Row[]
  /** Efforts that only an archive has. */
  readonly archived: readonly Row[]
  /** Decisions on efforts. */
  readonly words: readonly Row[]
  readonly choice: Row | null
}

/** What was made of a run. */
export interface Moved {
  /** Its document. */
  readonly body: Readonly<Record<string, unknown>>
  readonly asked: Readonly<Record<string, unknown>>
  readonly observations: readonly { readonly hour: number; readonly weather: string }[]
  /** The splits that a recording of it states. */
  readonly stated: { readonly recordingId: string; readonly splits: readonly unknown[] } | null
}

/** A stretch of a recording, milliseconds since it began. */
export interface Stretch {
  readonly recordingId: string
  readonly fromMs: number
  readonly toMs: number
}

const SETTLED = {
  zones: DEFAULT_ZONES,
  elevation: { thresholdM: 0, minDistanceM: 0 },
  primary: 0,
  ours: { effort: true },
}

const names = new Map<string, string>()

/** Rows of a query by the names of the program. */
export function rowsOf(client: Database, sql: string, ...given: (string | number)[]): Row[] {
  const query = client.query(sql)
  const rows = query.values(...given) as Value[][]
  return rows.length === 0 ? [] : rows.map((values) => rowOf(query.columnNames, values))
}

export function rowOf(columns: readonly string[], values: readonly Value[]): Row {
  const row: Record<string, Value> = {}
  for (let k = 0; k < columns.length; k += 1) row[nameOf(columns[k]!)] = values[k] ?? null
  return row
}

/** `started_at`: `startedAt` */
export function nameOf(column: string): string {
  const known = names.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
  names.set(column, name)
  return name
}

const RECORDINGS = `SELECT r.*, s.sample_count FROM old_recording AS r LEFT JOIN samples AS s ON s.recording_id = r.id`

/** With the shoe that it is to have, there or deleted. */
const RUN = `SELECT old.*, new.shoe_id AS named_shoe_id FROM old_workout AS old JOIN workout AS new ON new.id = old.id WHERE old.id = ?`

/** A run that is not in the trash; null: there is none. */
export function storedRun(client: Database, id: string): OldRun | null {
  const [row] = rowsOf(client, RUN, id)
  if (row === undefined) return null
  return {
    row: { ...row, shoeId: row.namedShoeId ?? null },
    recordings: rowsOf(client, `${RECORDINGS} WHERE r.workout_id = ? ORDER BY r.seq`, id),
    repairs: rowsOf(client, 'SELECT * FROM repair WHERE workout_id = ? ORDER BY seq', id),
    splits: rowsOf(client, 'SELECT * FROM workout_split WHERE workout_id = ? ORDER BY idx', id),
    efforts: rowsOf(client, 'SELECT * FROM workout_best_effort WHERE workout_id = ?', id),
    archived: rowsOf(client, 'SELECT * FROM archived_best_effort WHERE workout_id = ?', id),
    words: rowsOf(client, 'SELECT * FROM effort_word WHERE workout_id = ?', id),
    choice: rowsOf(client, 'SELECT * FROM training_choice WHERE workout_id = ?', id)[0] ?? null,
  }
}

/** A recording that may belong to another run by now; null: there is none. */
export function storedRecording(client: Database, id: string): Row | null {
  return rowsOf(client, `${RECORDINGS} WHERE r.id = ?`, id)[0] ?? null
}

interface Place {
  readonly timeZone: string | null
  readonly utcOffsetMinutes: number | null
}

/** What a repair replaced until it was reverted. */
interface Before extends Place {
  readonly splits: readonly Row[]
  readonly efforts: readonly Row[]
  readonly weather?: string | null
  readonly numbers?: Numbers
}

interface OldRepair {
  readonly row: Row
  readonly plain: Repair
  readonly zonesBefore: unknown
  readonly before: Before
}

function repairsOf({ repairs }: OldRun): OldRepair[] {
  return repairs.map((row) => {
    const { zonesBefore, before, ...change } = JSON.parse(String(row.data))
    return { row, plain: { kind: row.kind, ...change } as Repair, zonesBefore, before }
  })
}

/**
 * The document of a run. Nothing is derived: what its recordings do not give is carried.
 * @param counted stretches of recordings, of a joined run
 */
export function moved(run: OldRun, counted: readonly Stretch[]): Moved {
  const { row, recordings } = run
  const repairs = repairsOf(run)
  const active = repairs.filter((repair) => repair.row.undoneAt === null)
  const resampled = active.find(({ plain }) => changesSamples(plain)) ?? null
  const isShoeSaid = setWords(row).includes('shoeId')
  const ours = JSON.parse(String(row.ours ?? '[]')) as string[]
  const carried = withoutEmpty({
    words: otherWords(row, recordings),
    numbers: otherNumbers(run, active),
    place: otherPlace(run, active),
    efforts: otherEfforts(run, resampled),
    effortIds: effortIds(run, resampled),
  })
  const primary = primaryOf(recordings, resampled !== null)
  return {
    body: {
      track: {
        recordings: recordings.map(({ id }) => id),
        ...(primary === null ? {} : { primary }),
        repairs: movedRepairs(run, repairs, counted),
      },
      ...withoutEmpty({ words: saidWords(row), choices: choicesOf(run), carried }),
      ...(isShoeSaid || row.shoeId === null ? {} : { shoeId: row.shoeId }),
      routeId: row.routeId ?? Bun.randomUUIDv7(),
      createdAt: row.createdAt,
    },
    asked: {
      zones: parsed(row.effortZones),
      splitUnitM: row.splitUnitM,
      elevation: parsed(row.elevationSettings),
      ...(ours.length === 0 ? {} : { ours }),
      ...withoutEmpty({ effortTimes: effortTimes(run) }),
    },
    observations: observationsOf(run, active),
    stated: statedSplits(run, { resampled, isOurs: ours.includes('splits') }),
  }
}

function setWords(row: Row): string[] {
  return JSON.parse(String(row.runnerSet ?? '[]')) as string[]
}

function saidWords(row: Row): Record<string, unknown> {
  return Object.fromEntries(setWords(row).map((word) => [word, row[word] ?? null]))
}

const WORDS = ['name', 'notes', 'runType', 'rpe', 'source', 'device']

/** Words that the runner did not set and that no recording gives. */
function otherWords(row: Row, recordings: readonly Row[]): Record<string, unknown> {
  const recorded = recordings.map(({ words }) => JSON.parse(String(words)) as Record<string, unknown>)
  const set = setWords(row)
  const other = WORDS.filter((word) => {
    if (set.includes(word)) return false
    const given = recorded.find((words) => (words[word] ?? null) !== null)?.[word] ?? null
    return given !== (row[word] ?? null)
  })
  return Object.fromEntries(other.map((word) => [word, row[word] ?? null]))
}

/** Numbers of a run without samples that its recordings do not give, as they were before the runner's own. */
function otherNumbers({ row, recordings }: OldRun, active: readonly OldRepair[]): Said {
  if (recordings.length === 0 || recordings.some(({ sampleCount }) => sampleCount !== null)) return {}
  const entered = active.find(({ plain, before }) => plain.kind === 'numbers' && before.numbers !== undefined)
  const stored = { ...row, hrZoneSeconds: parsed(row.hrZoneSeconds) }
  const known: Readonly<Record<string, unknown>> = entered?.before.numbers ?? stored
  const recorded = recordings.map(({ kind, totals }) => ({
    kind: kind as 'file',
    said: JSON.parse(String(totals)) as Said,
    track: null,
  }))
  const given = finished(settleSteps(recorded, [], SETTLED)).numbers
  const all = [...NUMBER_NAMES, 'hrZoneSeconds'] as const
  const other = all.filter((name) => (known[name] ?? null) !== null && given[name] === null)
  return Object.fromEntries(other.map((name) => [name, known[name]]))
}

/** Zone and offset, as they were before the first repair. */
function otherPlace({ row, recordings }: OldRun, active: readonly OldRepair[]): Partial<Place> {
  const { timeZone, utcOffsetMinutes } = active[0]?.before ?? (row as unknown as Place)
  const recorded = recordings.find((one) => one.utcOffsetMinutes !== null)?.utcOffsetMinutes ?? null
  const isStated = timeZone === null && utcOffsetMinutes === recorded && row.routePreview === null
  return isStated ? {} : { timeZone, utcOffsetMinutes }
}

/** Efforts that only archives state. */
function otherEfforts({ archived }: OldRun, resampled: OldRepair | null): Record<string, unknown>[] {
  const stated = resampled?.before.efforts.filter(({ isArchived }) => isArchived) ?? archived
  return stated.map(({ id, distanceIndex, timeMs, calculatedAt }) => ({ id, distanceIndex, timeMs, calculatedAt }))
}

/** Ids of computed efforts, by distance index; one that a repair replaced has an id of version 8 when it was made here. */
function effortIds({ efforts }: OldRun, resampled: OldRepair | null): Record<string, unknown> {
  const replaced = resampled?.before.efforts.filter(({ id, isArchived }) => !isArchived && String(id)[14] !== '8') ?? []
  const given = [...replaced, ...efforts].filter(({ id }) => id !== null)
  return Object.fromEntries(given.map(({ distanceIndex, id }) => [String(distanceIndex), id]))
}

function effortTimes({ row, efforts }: OldRun): Record<string, unknown> {
  const later = efforts.filter(({ calculatedAt }) => calculatedAt !== row.createdAt)
  return Object.fromEntries(later.map(({ distanceIndex, calculatedAt }) => [String(distanceIndex), calculatedAt]))
}

function choicesOf({ row, words, choice }: OldRun): Record<string, unknown> {
  const efforts = Object.fromEntries(words.map((word) => [String(word.distanceIndex), word.isRecord === 1]))
  const load = choice && {
    loadSource: choice.loadSource,
    loadManual: choice.loadManual,
    excludeFromEstimates: choice.excludeFromEstimates === 1,
  }
  return withoutEmpty({ efforts, ...(load ? { load } : {}), ...(row.leftOut === 1 ? { leftOut: true } : {}) })
}

/** The recording whose samples count, where it is not found by its channels and samples alone. */
function primaryOf(recordings: readonly Row[], isResampled: boolean): Value {
  const first = recordings.find(({ position }) => position === 0)
  if (first === undefined || first.sampleCount === null) return null
  const channels = (row: Row) => (parsed(row.channels) as unknown[] | null)?.length ?? 0
  const best = recordings
    .filter(({ sampleCount }) => sampleCount !== null)
    .toSorted((a, b) => channels(b) - channels(a) || Number(b.sampleCount) - Number(a.sampleCount))[0]
  return isResampled || best !== first ? (first.id ?? null) : null
}

function movedRepairs(
  { row: { name }, recordings }: OldRun,
  repairs: readonly OldRepair[],
  counted: readonly Stretch[],
): Record<string, unknown>[] {
  const part = recordings.find(({ partFromMs }) => partFromMs !== null)
  const partMs = part === undefined ? null : Number(part.partFromMs) - Number(part.startedAt)
  const splits = repairs.filter(({ plain }) => plain.kind === 'split')
  const own = splits.find(({ plain }) => plain.kind === 'split' && plain.fromMs === partMs) ?? splits.at(-1)
  return repairs.map((repair) => {
    const { row, plain, zonesBefore } = repair
    const { id, madeAt, undoneAt, recordingId } = row
    return {
      id,
      madeAt,
      ...plain,
      zonesBefore,
      ...(undoneAt === null ? {} : { undoneAt }),
      ...(recordingId === null ? {} : { recordingId }),
      // parts were only numbered in their names
      ...(partMs !== null && repair === own ? { number: Number(/\((\d+)\)$/.exec(String(name))?.[1] ?? 2) } : {}),
      ...(plain.kind === 'join' && counted.length > 0 ? { counted } : {}),
    }
  })
}

function observationsOf({ row, recordings }: OldRun, active: readonly OldRepair[]): Moved['observations'] {
  const [first] = recordings
  if (first === undefined) return []
  const recorded = recordings.find(({ weather }) => weather !== null && !isLookedUp(weather))?.weather ?? null
  const hour = (repairs: readonly OldRepair[]) =>
    Math.floor((Number(first.startedAt) + offsetOf(repairs.map(({ plain }) => plain))) / HOUR_MS)
  const moving = active.findIndex(({ before }) => before.weather !== undefined)
  const found = [
    { hour: hour(active), weather: row.weather ?? null },
    { hour: hour(active.slice(0, Math.max(0, moving))), weather: active[moving]?.before.weather ?? null },
  ]
  return found.flatMap(({ weather, ...at }) =>
    weather === null || weather === recorded ? [] : [{ ...at, weather: String(weather) }],
  )
}

/** Weather that an archive states of a recording may have been looked up by whoever wrote it. */
export function isLookedUp(weather: Value | undefined): boolean {
  return typeof weather === 'string' && /"source":\s*"open_meteo"/.test(weather)
}

/** The splits that an archive states, or the ids of those that are computed. */
function statedSplits(
  { recordings, splits }: OldRun,
  { resampled, isOurs }: { readonly resampled: OldRepair | null; readonly isOurs: boolean },
): Moved['stated'] {
  const archive = recordings.find(({ kind }) => kind === 'archive')
  const recordingId = String((archive ?? recordings[0])?.id)
  const rows = resampled?.before.splits ?? splits
  const isWhole = archive !== undefined && (resampled !== null || !isOurs)
  if (isWhole && rows.length > 0) return { recordingId, splits: rows.map(({ workoutId: _, ...split }) => split) }
  const ids = rows.map(({ id }) => id ?? null)
  return ids.every((id) => id === null) ? null : { recordingId, splits: ids }
}

function parsed(json: Value | undefined): unknown {
  return json == null ? null : JSON.parse(String(json))
}

function withoutEmpty(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled = Object.entries(members).filter(([, value]) => {
    return typeof value !== 'object' || value === null || Object.keys(value).length > 0
  })
  return Object.fromEntries(filled)
}
