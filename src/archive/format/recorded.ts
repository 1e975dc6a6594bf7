import type { workouts } from '../../db/schema.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { type DeviceTotals, NO_TOTALS } from '../../engine/totals.ts'
import type { Track } from '../../engine/track.ts'
import { isObject } from '../../json-object.ts'
/** What the samples of a workout are besides their values; null for a workout without samples. */
export type Recorded = Pick<
  Track,
  | 'startMs'
  | 'off'
  | 'distanceSource'
  | 'elevationSource'
  | 'indoor'
  | 'positionUnit'
  | 'climbLimit'
  | 'hasEstimatedTimes'
> | null

type WorkoutRow = Pick<
  typeof workouts.$inferSelect,
  'splitUnitM' | 'timeZone' | 'fileSession' | 'deviceTotals' | 'engineVersion'
>

/** What `recording` of a workout row held. */
export interface ReadRecording {
  readonly splitUnitM: number | null
  readonly timeZone: string | null
  readonly fileSession: number | null
  readonly deviceTotals: DeviceTotals
  /** Of the engine that computed the row; an older one's is derived anew at the next start. */
  readonly engineVersion: number
  readonly samples: Recorded
}

/**
 * The member `recording` of a workout row: what a crop, other splits or a newer engine need to compute with the restored
 * samples as with the original ones, above all the pauses. Readers that do not know it lose nothing they had before.
 */
export function recordedObject(row: WorkoutRow, recorded: Recorded) {
  const { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion } = row
  const samples =
    recorded === null ? null : { ...recorded, off: recorded.off.map(({ startS, endS }) => [startS, endS]) }
  return { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples }
}

/** @returns null when the member is missing or of no use: the row is not Harrier's */
export function readRecording(value: unknown): ReadRecording | null {
  if (!isObject(value)) return null
  const { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples } = value
  return {
    splitUnitM: isWithin(splitUnitM, 100, 100_000) ? splitUnitM : null,
    timeZone: isTimeZone(timeZone) ? timeZone : null,
    fileSession: isWithin(fileSession, 0, 1_000_000) && Number.isInteger(fileSession) ? fileSession : null,
    deviceTotals: readTotals(deviceTotals),
    // an archive of before it was written is one of the first engine
    engineVersion: isWithin(engineVersion, 0, ENGINE_VERSION) ? Math.floor(engineVersion) : 1,
    samples: readSamples(samples),
  }
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

function readSamples(value: unknown): Recorded {
  if (!isObject(value)) return null
  const { startMs, off, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes } = value
  if (!isWithin(startMs, -8.64e15, 8.64e15) || !Number.isInteger(startMs)) return null
  return {
    startMs,
    off: readOff(off),
    distanceSource: oneOf(distanceSource, ['device', 'gps', 'none'], 'device'),
    elevationSource: oneOf(elevationSource, ['baro', 'gps', 'unknown'], 'unknown'),
    indoor: indoor === true,
    positionUnit: oneOf(positionUnit, ['semicircle', 'e7'], 'e7'),
    ...(isClimbLimit(climbLimit) ? { climbLimit: { gainM: climbLimit.gainM, lossM: climbLimit.lossM } } : {}),
    ...(hasEstimatedTimes === true ? { hasEstimatedTimes } : {}),
  }
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

function isClimbLimit(value: unknown): value is { gainM: number; lossM: number } {
  if (!isObject(value)) return false
  return isWithin(value.gainM, 0, Number.MAX_VALUE) && isWithin(value.lossM, 0, Number.MAX_VALUE)
}

function oneOf<T extends string>(value: unknown, words: readonly T[], otherwise: T): T {
  return words.find((word) => word === value) ?? otherwise
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The stored meta of samples in the engine's words. */
export function recordedOf(meta: string): Recorded {
  const { off, ...rest } = JSON.parse(meta) as { off: [number, number][] } & Omit<NonNullable<Recorded>, 'off'>
  return { ...rest, off: off.map(([startS, endS]) => ({ startS, endS })) }
}
