import { nameKey, searchText } from '../base/texts.ts'
import type { Tx } from '../db/open.ts'
import type { archivedBestEfforts, workoutBestEfforts, workoutSplits, workouts } from '../db/schema.ts'
import type { Analysis, BestEffort, Split } from '../engine/analysis.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { eachNumber, type Numbers, type Said } from '../engine/numbers.ts'
import { changesEffort, changesSamples, offsetOf, type Repair, restated } from '../engine/repair/repairs.ts'
import { HOUR_MS } from '../engine/units.ts'
import type { DerivedParts, RemadeSamples } from '../workers/derive.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import {
  type Asked,
  activeRepairs,
  engineRepairs,
  isJoined,
  isLaterPart,
  plainRepair,
  type RunDocument,
  type RunTrack,
  recordingIds,
  wantedShoe,
} from './documents/run.ts'
import { recordingsByIds, type StoredRecording } from './recordings.ts'
import { placeTime, utcOffsetMinutes } from './time-zone.ts'
import { observedWeather, servedWeather, weatherColumns } from './weather.ts'

// What the rows of a run hold: it follows from its document, the recordings that this names, and what deriving gave.
// library/derive.ts writes them.

/** What deriving a run gives, by whomever: the parsing of an import, the Worker, or an archive. */
export interface Derived extends Pick<DerivedParts, 'routeIndex' | 'ground' | 'firstPosition' | 'hasHeartRate'> {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** Absent: it is computed later, with everything else. */
  readonly training?: DerivedParts['training']
  /** Milliseconds by which repairs moved the start, of a joined run since the first of its runs began. */
  readonly startShiftMs: number
  readonly remade?: readonly RemadeSamples[]
}

export type WorkoutRow = typeof workouts.$inferInsert
export type SplitRow = typeof workoutSplits.$inferInsert

export interface RunRows {
  readonly row: WorkoutRow
  readonly splits: readonly SplitRow[]
  readonly bestEfforts: readonly (typeof workoutBestEfforts.$inferInsert)[]
  readonly archivedEfforts: readonly (typeof archivedBestEfforts.$inferInsert)[]
  readonly routeIndex: RouteIndex | null
  readonly training?: DerivedParts['training']
  readonly ground: DerivedParts['ground']
}

export interface Run {
  readonly id: string
  readonly body: RunDocument
  readonly asked: Asked
}

export function runRows(tx: Tx, run: Run, derived: Derived): RunRows {
  const { id, body } = run
  const { analysis, firstPosition, routeIndex, training, ground } = derived
  const recorded = recordingsByIds(tx, recordingIds(body.track))
  const repairs = engineRepairs(body.track)
  const [first] = recorded
  if (first === undefined) throw new Error(`The run ${id} names no recording`)
  const startedAt = (isJoined(body.track) ? body.track.startedAt : first.startedAt) + derived.startShiftMs
  const splits = splitRows(run, { recorded, repairs, computed: analysis.splits })
  const weather = observedWeather(tx, id, weatherHour(tx, body)) ?? recordedWeather(recorded)
  const efforts = effortRows(run, analysis.bestEfforts)
  return {
    ...efforts,
    splits,
    routeIndex,
    ground,
    ...(training === undefined ? {} : { training }),
    row: {
      ...wordColumns(body, recorded),
      id,
      startedAt,
      createdAt: body.createdAt,
      ...numberColumns(completed(analysis, body, repairs)),
      ...placeColumns({ body, recorded, repairs, firstPosition, startedAt }),
      splitsCount: splits.length,
      routePreview: analysis.preview?.map((point) => [...point]) ?? null,
      hasTimeSeriesHr: derived.hasHeartRate,
      hasRawHr: recorded.some(({ hasRawHr }) => hasRawHr),
      weather,
      ...weatherColumns(servedWeather(weather)),
      engineVersion: training === undefined ? 0 : ENGINE_VERSION,
    },
  }
}

/** The first weather that a recording of a run states; null: none does. */
export function recordedWeather(recorded: readonly Pick<StoredRecording, 'weather'>[]): string | null {
  return recorded.find(({ weather }) => weather !== null)?.weather ?? null
}

/** The hour whose weather is that of a run: of its start as it was stated, moved by the runner, whatever was cropped. */
export function weatherHour(tx: Tx, { track }: Pick<RunDocument, 'track'>): number {
  const start = (of: RunDocument['track']): number =>
    (isJoined(of) ? start(of.join[0]!) : (recordingsByIds(tx, of.recordings.slice(0, 1))[0]?.startedAt ?? 0)) +
    offsetOf(engineRepairs(of))
  return Math.floor(start(track) / HOUR_MS)
}

/** Words that a recording may state. */
export const WORDS = ['name', 'notes', 'runType', 'rpe', 'source', 'device'] as const
type Word = (typeof WORDS)[number]

/** The words of a run: what the runner said, else what was carried, else the first that a recording states. */
export function combinedWords(body: RunDocument, recorded: readonly Pick<StoredRecording, 'words'>[]) {
  const { words = {}, carried } = body
  const combined = (word: Word) => {
    const said = (words as Partial<Record<Word, unknown>>)[word]
    const kept = carried?.words?.[word]
    return said !== undefined
      ? said
      : kept !== undefined
        ? kept
        : (recorded.find((one) => one.words[word] !== null)?.words[word] ?? null)
  }
  return Object.fromEntries(WORDS.map((word) => [word, combined(word)])) as Pick<StoredRecording['words'], Word>
}

export function wordColumns(body: RunDocument, recorded: readonly StoredRecording[]) {
  const words = combinedWords(body, recorded)
  return {
    ...words,
    searchText: searchText(words.name, words.device, words.source),
    nameKey: nameKey(words.name),
    shoeId: wantedShoe(body),
    leftOut: body.choices?.leftOut ?? false,
  }
}

interface Placed {
  readonly body: RunDocument
  readonly recorded: readonly StoredRecording[]
  readonly repairs: readonly Repair[]
  readonly firstPosition: Derived['firstPosition']
  readonly startedAt: number
}

/** The local time: as the runner set it, as it was carried, of the place, or as a recording states it. */
function placeColumns({
  body,
  recorded,
  repairs,
  firstPosition,
  startedAt,
}: Placed): Pick<WorkoutRow, 'timeZone' | 'utcOffsetMinutes'> {
  const isMoved = repairs.some((repair) => changesSamples(repair) || offsetOf([repair]) !== 0)
  const carried = body.carried?.place
  const said = repairs.findLast((repair) => repair.kind === 'shift' && repair.timeZone !== null)
  const kept = carried ?? {
    timeZone: recorded.find(({ timeZone }) => timeZone !== null)?.timeZone ?? null,
    utcOffsetMinutes: recorded.find((one) => one.utcOffsetMinutes !== null)?.utcOffsetMinutes ?? null,
  }
  if (said === undefined && carried !== undefined && !isMoved) return carried
  const place = placeTime(firstPosition, kept.utcOffsetMinutes, startedAt)
  const zone = said?.kind === 'shift' ? said.timeZone : (place.zone ?? kept.timeZone)
  if (zone !== null) return { timeZone: zone, utcOffsetMinutes: utcOffsetMinutes(zone, startedAt) }
  return { timeZone: null, utcOffsetMinutes: place.utcOffsetMinutes }
}

/** Numbers that nothing gives come from what was carried, as far as the runner's own numbers leave it true. */
function completed(analysis: Numbers, { carried }: RunDocument, repairs: readonly Repair[]): Numbers {
  if (carried?.numbers === undefined) return analysis
  const known: Said = repairs.reduce<Said>(withRestated, carried.numbers)
  const value = <T>(now: T, before: T | null | undefined) => now ?? before ?? now
  return {
    ...(eachNumber((name) => value<number | null>(analysis[name], known[name])) as typeof analysis),
    hrZoneSeconds: value(analysis.hrZoneSeconds, known.hrZoneSeconds),
  }
}

/** Numbers after the runner set some; those that depend on these become unknown. */
function withRestated(known: Said, repair: Repair): Said {
  const { said = {} } = restated(repair)
  const isOther = said.distanceM !== undefined || said.durationS !== undefined
  return {
    ...known,
    ...(isOther ? { gapPaceS: null, avgSpeedMps: null, avgPaceS: null } : {}),
    ...(changesEffort(repair) ? { relativeEffort: null, hrZoneSeconds: null } : {}),
    ...said,
  }
}

interface Combined {
  readonly recorded: readonly StoredRecording[]
  readonly repairs: readonly Repair[]
}

/** Stated splits count for the whole run, until a recalculation or a repair of the samples. */
export function splitRows(
  { id, asked, body }: Run,
  { recorded, repairs, computed }: Combined & { readonly computed: readonly Split[] },
): SplitRow[] {
  const isWhole = !repairs.some(changesSamples)
  const stated = recorded.find(({ splits }) => splits !== null)?.splits ?? []
  const whole = stated.filter((split) => typeof split === 'object' && split !== null)
  const isArchive = recorded.some(({ kind }) => kind === 'archive')
  const isStated =
    isArchive && isWhole && !asked.ours?.includes('splits') && (whole.length > 0 || recorded.length === 1)
  if (isStated) return whole.map((split) => ({ ...split, workoutId: id }))
  const ids = isLaterPart(body) ? [] : stated.map((split) => (typeof split === 'object' ? (split?.id ?? null) : split))
  return computed.map((split) => ({ ...split, workoutId: id, id: ids[split.idx] ?? null }))
}

/** The computed efforts with the ids and times of equal stated ones, and the stated ones beside them. */
export function effortRows(
  { id, body, asked }: Run,
  efforts: readonly BestEffort[],
): Pick<RunRows, 'bestEfforts' | 'archivedEfforts'> {
  const ids = body.carried?.effortIds
  const repairedAt = Math.max(...resamplings(body.track))
  const stated = (body.carried?.efforts ?? []).filter(
    ({ statedAt = Number.NEGATIVE_INFINITY }) => statedAt >= repairedAt,
  )
  const equal = (effort: Pick<BestEffort, 'distanceIndex' | 'timeMs'>) =>
    stated.findLast(({ distanceIndex, timeMs }) => distanceIndex === effort.distanceIndex && timeMs === effort.timeMs)
  const isEqual = (one: (typeof stated)[number]) =>
    efforts.some((effort) => equal(effort)?.timeMs === one.timeMs && effort.distanceIndex === one.distanceIndex)
  const beside = new Map(stated.filter((one) => !isEqual(one)).map((one) => [one.distanceIndex, one]))
  return {
    bestEfforts: efforts.map((effort) => ({
      ...effort,
      workoutId: id,
      id: equal(effort)?.id ?? ids?.[effort.distanceIndex] ?? null,
      calculatedAt: equal(effort)?.calculatedAt ?? asked.effortTimes?.[effort.distanceIndex] ?? body.createdAt,
    })),
    archivedEfforts: asked.ours?.includes('bestEfforts')
      ? []
      : [...beside.values()].map(({ statedAt: _, ...one }) => ({ ...one, workoutId: id })),
  }
}

/** When the active repairs that change the samples were made, Unix milliseconds. */
function resamplings(track: RunTrack): number[] {
  const made = activeRepairs(track).filter((repair) => changesSamples(plainRepair(repair)))
  return [...(isJoined(track) ? [track] : []), ...made].map(({ madeAt }) => madeAt)
}

export function numberColumns(numbers: Numbers) {
  const { hrZoneSeconds } = numbers
  return {
    ...(eachNumber((name) => numbers[name]) as Pick<Numbers, Exclude<keyof Numbers, 'hrZoneSeconds'>>),
    hrZoneSeconds: hrZoneSeconds === null ? null : [...hrZoneSeconds],
  }
}

export function storedNumbers(stored: typeof workouts.$inferSelect): Numbers {
  const numbers = eachNumber((name) => stored[name] as number)
  return { ...numbers, hrZoneSeconds: stored.hrZoneSeconds as Numbers['hrZoneSeconds'] }
}
