import type { workouts } from '../../db/schema.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { quantise } from '../../engine/codec.ts'
import { gathered } from '../../engine/gather.ts'
import { columnsWith, LIMITS, scalesOf, timeScale } from '../../engine/grid.ts'
import { type DeviceTotals, NO_TOTALS, NUMBER_NAMES, NUMBERS, type Said } from '../../engine/numbers.ts'
import type { Track } from '../../engine/track.ts'
import { isObject } from '../../json-object.ts'
import { isWithin, oneOf } from './row-fields.ts'
import type { SampleTable } from './samples.ts'

/** What samples are besides their values. */
export type SamplesMeta = Pick<
  Track,
  | 'startMs'
  | 'off'
  | 'distanceSource'
  | 'elevationSource'
  | 'indoor'
  | 'positionUnit'
  | 'climbLimit'
  | 'hasEstimatedTimes'
>

/** As archives have it. */
export function metaObject(meta: SamplesMeta) {
  const { startMs, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes, off } = meta
  return {
    ...{ startMs, distanceSource, elevationSource, indoor, positionUnit },
    ...(climbLimit === undefined ? {} : { climbLimit }),
    ...(hasEstimatedTimes === undefined ? {} : { hasEstimatedTimes }),
    off: off.map(({ startS, endS }) => [startS, endS]),
  }
}

/** @returns null for what is none */
export function readMeta(value: unknown): SamplesMeta | null {
  if (!isObject(value)) return null
  const { startMs, off, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes } = value
  if (!isWithin(startMs, -8.64e15, 8.64e15) || !Number.isInteger(startMs)) return null
  const limit = readClimbLimit(climbLimit)
  return {
    startMs,
    off: readOff(off),
    distanceSource: oneOf(distanceSource, ['device', 'gps', 'none']) ?? 'device',
    elevationSource: oneOf(elevationSource, ['baro', 'gps', 'unknown']) ?? 'unknown',
    indoor: indoor === true,
    positionUnit: oneOf(positionUnit, ['semicircle', 'e7']) ?? 'e7',
    ...(limit === null ? {} : { climbLimit: limit }),
    ...(hasEstimatedTimes === true ? { hasEstimatedTimes } : {}),
  }
}

/** What is stored beside packed samples, which is written as archives have it. */
export function storedMeta(meta: string): SamplesMeta | null {
  return readMeta(JSON.parse(meta))
}

export function readClimbLimit(value: unknown): { gainM: number; lossM: number } | null {
  if (!isObject(value)) return null
  const { gainM, lossM } = value
  return isWithin(gainM, 0, Number.MAX_VALUE) && isWithin(lossM, 0, Number.MAX_VALUE) ? { gainM, lossM } : null
}

/** Spans that are in order and apart, as the engine has them; from the first that is not, none. */
function readOff(value: unknown): { startS: number; endS: number }[] {
  const spans: { startS: number; endS: number }[] = []
  for (const span of Array.isArray(value) ? value : []) {
    const [startS, endS] = Array.isArray(span) ? span : []
    if (!isWithin(startS, spans.at(-1)?.endS ?? 0, 1e9) || !isWithin(endS, startS, 1e9)) break
    spans.push({ startS, endS })
  }
  return spans
}

/**
 * The track that a Harrier exported: its values are on their grids already, and what it is besides stands in its meta.
 * @returns null without rows
 */
export function exportedTrack(table: SampleTable, meta: SamplesMeta): Track | null {
  const rows = risingRows(table.elapsedMs)
  if (rows.length === 0) return null
  const scales = scalesOf(meta.positionUnit)
  const lastS = table.elapsedMs[rows.at(-1)!]! / 1000
  const tS = quantise(
    gathered(table.elapsedMs, rows).map((ms) => ms / 1000),
    timeScale(lastS),
  )
  const columns = columnsWith((name) => {
    const [least, most] = LIMITS[name]
    const values = quantise(gathered(table[name], rows), scales[name])
    return values.map((value) => (value >= least && value <= most ? value : Number.NaN))
  })
  for (let i = 0; i < rows.length; i += 1) {
    if (!Number.isNaN(columns.latDeg[i]! + columns.lonDeg[i]!)) continue
    columns.latDeg[i] = Number.NaN
    columns.lonDeg[i] = Number.NaN
  }
  dropFalls(columns.distanceM)
  return { ...columns, ...meta, n: rows.length, tS }
}

/** Rows whose time is later than that of the row before, from the start on; columns are compared by whole milliseconds. */
function risingRows(elapsedMs: Float64Array): number[] {
  const unitMs = 1000 / timeScale((elapsedMs.at(-1) ?? 0) / 1000)
  const rows: number[] = []
  let previous = -1
  for (let row = 0; row < elapsedMs.length; row += 1) {
    const units = Math.round(elapsedMs[row]! / unitMs)
    if (units <= previous) continue
    rows.push(row)
    previous = units
  }
  return rows
}

function dropFalls(distanceM: Float64Array): void {
  let most = 0
  for (let i = 0; i < distanceM.length; i += 1) {
    const metres = distanceM[i]!
    if (metres < most) distanceM[i] = Number.NaN
    else if (metres > most) most = metres
  }
}

// The member `recording` of a workout row: all that an archive said of recordings before they had a file of their own,
// and what readers of that time compute with. The split unit, the time zone and the engine stand nowhere else.

/** What there is to tell of the recordings of a workout as if they were one. */
export interface ToldTogether {
  readonly fileSession: number | null
  /** In the order of their arrival. */
  readonly said: readonly Said[]
  /** Set while a repair is active: then no recording tells. */
  readonly repaired: { readonly caloriesKcal: number | null } | null
  /** Of the settled track. */
  readonly samples: SamplesMeta | null
}

export type RecordingMember = ReturnType<typeof recordingMember>

export function recordingMember(
  { splitUnitM, timeZone, engineVersion }: typeof workouts.$inferSelect,
  { fileSession, said, repaired, samples }: ToldTogether,
) {
  const deviceTotals = repaired === null ? totalsOf(said) : { ...NO_TOTALS, caloriesKcal: repaired.caloriesKcal }
  const meta = samples === null ? null : metaObject(samples)
  return { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples: meta }
}

/** What `recording` of a workout row held. */
export interface ReadMember {
  readonly splitUnitM: number | null
  readonly timeZone: string | null
  readonly fileSession: number | null
  readonly deviceTotals: DeviceTotals
  /** Of the engine that computed the row; an older one's is derived anew at the next start. */
  readonly engineVersion: number
  readonly samples: SamplesMeta | null
}

/** @returns null when the member is missing or of no use: the row is not Harrier's */
export function readMember(value: unknown): ReadMember | null {
  if (!isObject(value)) return null
  const { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples } = value
  return {
    splitUnitM: isWithin(splitUnitM, 100, 100_000) ? splitUnitM : null,
    timeZone: isTimeZone(timeZone) ? timeZone : null,
    fileSession: readSession(fileSession),
    deviceTotals: readTotals(deviceTotals),
    // an archive of before it was written is one of the first engine
    engineVersion: isWithin(engineVersion, 0, ENGINE_VERSION) ? Math.floor(engineVersion) : 1,
    samples: readMeta(samples),
  }
}

export function readSession(value: unknown): number | null {
  return isWithin(value, 0, 1_000_000) && Number.isInteger(value) ? value : null
}

export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The first that is told of each, under the names that totals have. */
function totalsOf(said: readonly Said[]): DeviceTotals {
  const totals: { -readonly [K in keyof DeviceTotals]: number | null } = { ...NO_TOTALS }
  for (const name of NUMBER_NAMES) {
    const { total } = NUMBERS[name]
    if (total !== null)
      totals[total] = said.map((telling) => telling[name] ?? null).find((value) => value !== null) ?? null
  }
  return totals
}

function readTotals(value: unknown): DeviceTotals {
  if (!isObject(value)) return NO_TOTALS
  const totals: Record<string, number | null> = { ...NO_TOTALS }
  for (const key of Object.keys(NO_TOTALS)) {
    const total = value[key]
    totals[key] = isWithin(total, -1e9, 1e9) ? total : null
  }
  return totals as unknown as DeviceTotals
}
