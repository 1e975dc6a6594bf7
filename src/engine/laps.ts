/** Why a device ended a lap. Stored by index: entries are never reordered, only added. */
export const LAP_TRIGGERS = [
  'manual',
  'time',
  'distance',
  'position',
  'heartRate',
  'sessionEnd',
  'fitnessEquipment',
] as const
export type LapTrigger = (typeof LAP_TRIGGERS)[number]

/** Kind of a lap. Stored by index: entries are never reordered, only added. */
export const LAP_INTENSITIES = ['active', 'rest', 'warmup', 'cooldown', 'recovery', 'interval', 'other'] as const
export type LapIntensity = (typeof LAP_INTENSITIES)[number]

/** Numbers that a device may state of a lap. */
const STATED = {
  timerS: 3,
  distanceM: 2,
  avgHeartRateBpm: 0,
  maxHeartRateBpm: 0,
  avgCadenceRpm: 3,
  avgPowerW: 0,
  elevGainM: 1,
  elevLossM: 1,
} as const
type StatedOfLap = keyof typeof STATED
const STATED_OF_LAPS = Object.keys(STATED) as readonly StatedOfLap[]

/** One lap as the device states it; null: not stated. */
export interface DeviceLap extends Readonly<Record<StatedOfLap, number | null>> {
  /** Unix milliseconds on the clock of the recording. */
  readonly startMs: number
  readonly endMs: number
  readonly trigger: LapTrigger | null
  readonly intensity: LapIntensity | null
}

/** Most laps of one recording: a day on a track has 250 laps of 400 m. */
export const MOST_LAPS = 10_000
/** Nested and overlapping laps are the second series. */
const MOST_SERIES = 2
/** Gaps and overlaps up to this touch: devices write starts in whole seconds and lengths in milliseconds. */
const TOUCHING_MS = 1500
/** Numbers from here on are not measurements and are dropped. */
const MOST = 2 ** 31

/** A lap of which only the times are known. */
export function bareLap(startMs: number, endMs: number): DeviceLap {
  const unstated = Object.fromEntries(STATED_OF_LAPS.map((name) => [name, null])) as Record<StatedOfLap, null>
  return { startMs, endMs, ...unstated, trigger: null, intensity: null }
}

/** By start, as recorded, at most `MOST_LAPS`; without those of no length, of equal times, or of a third series. */
export function orderedLaps(laps: readonly DeviceLap[]): DeviceLap[] {
  const timed = laps
    .filter(({ startMs, endMs }) => Number.isFinite(startMs) && Number.isFinite(endMs))
    .map((lap) => ({ ...lap, ...statedOf(lap), startMs: Math.round(lap.startMs), endMs: Math.round(lap.endMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs)
  const apart = new Map(timed.toReversed().map((lap) => [`${lap.startMs} ${lap.endMs}`, lap]))
  return byTime(lapSeries([...apart.values()]).flat()).slice(0, MOST_LAPS)
}

/** At most two series, in each of which laps follow one another: the second has those that overlap the first. */
export function lapSeries(laps: readonly DeviceLap[]): DeviceLap[][] {
  const series: DeviceLap[][] = []
  for (const lap of byTime(laps)) {
    const free = series.find((one) => lap.startMs >= one.at(-1)!.endMs - TOUCHING_MS)
    if (free !== undefined) free.push(lap)
    else if (series.length < MOST_SERIES) series.push([lap])
  }
  return series
}

function byTime(laps: readonly DeviceLap[]): DeviceLap[] {
  return laps.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
}

/** Moves laps that nearly touch, so that their numbers add up: as a whole, since lengths are more exact than starts. */
export function touchingLaps(series: readonly DeviceLap[]): DeviceLap[] {
  let end = Number.NEGATIVE_INFINITY
  return series.map((lap) => {
    const startMs = lap.startMs <= end + TOUCHING_MS ? end : lap.startMs
    const movedMs = startMs - lap.startMs
    end = Math.max(startMs, Math.abs(movedMs) <= TOUCHING_MS ? lap.endMs + movedMs : lap.endMs)
    return { ...lap, startMs, endMs: end }
  })
}

/** The numbers that the device states, as stored; others are left out. */
function statedOf(lap: DeviceLap): Record<StatedOfLap, number | null> {
  const stated = STATED_OF_LAPS.map((name) => {
    const value = lap[name]
    const isNumber = value !== null && value >= 0 && value < MOST
    return [name, isNumber ? Number(value.toFixed(STATED[name])) : null] as const
  })
  return Object.fromEntries(stated) as Record<StatedOfLap, number | null>
}

/**
 * A lap as the database stores it: start in Unix milliseconds, length in milliseconds, index of trigger and intensity
 * (-1: not stated), then the numbers of `STATED_OF_LAPS` up to the last that is stated.
 */
export type StoredLap = readonly (number | null)[]

export function storedLaps(laps: readonly DeviceLap[]): StoredLap[] {
  return laps.map((lap) => {
    const stated = STATED_OF_LAPS.map((name) => lap[name])
    const said = stated.slice(0, stated.findLastIndex((value) => value !== null) + 1)
    const words = [LAP_TRIGGERS.indexOf(lap.trigger!), LAP_INTENSITIES.indexOf(lap.intensity!)]
    return [lap.startMs, lap.endMs - lap.startMs, ...words, ...said]
  })
}

export function lapsOfStored(stored: readonly StoredLap[]): DeviceLap[] {
  return stored.map(([startMs, lengthMs, trigger, intensity, ...stated]) => ({
    ...bareLap(startMs ?? 0, (startMs ?? 0) + (lengthMs ?? 0)),
    ...Object.fromEntries(STATED_OF_LAPS.map((name, place) => [name, stated[place] ?? null])),
    trigger: LAP_TRIGGERS[trigger ?? -1] ?? null,
    intensity: LAP_INTENSITIES[intensity ?? -1] ?? null,
  }))
}
