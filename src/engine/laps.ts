/** Why a device ended a lap. Stored by their places: never renumbered, only added to. */
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

/** What a lap was meant to be. Stored by their places: never renumbered, only added to. */
export const LAP_INTENSITIES = ['active', 'rest', 'warmup', 'cooldown', 'recovery', 'interval', 'other'] as const
export type LapIntensity = (typeof LAP_INTENSITIES)[number]

/** What a device says of a lap in numbers. */
const TOLD = {
  timerS: 3,
  distanceM: 2,
  avgHeartRateBpm: 0,
  maxHeartRateBpm: 0,
  avgCadenceRpm: 3,
  avgPowerW: 0,
  elevGainM: 1,
  elevLossM: 1,
} as const
export type ToldOfLap = keyof typeof TOLD
export const TOLD_OF_LAPS = Object.keys(TOLD) as readonly ToldOfLap[]

/** One lap as a device tells it; null: it does not say. */
export interface DeviceLap extends Readonly<Record<ToldOfLap, number | null>> {
  /** Unix milliseconds on the clock of the recording. */
  readonly startMs: number
  readonly endMs: number
  readonly trigger: LapTrigger | null
  readonly intensity: LapIntensity | null
}

/** Laps of one recording: a day on a track has 250 of 400 m. */
export const MOST_LAPS = 10_000
/** Devices write starts in whole seconds and lengths in milliseconds: what lies closer together touches. */
const TOUCHING_MS = 1500
/** Larger numbers are none. */
const MOST = 2 ** 31

/** A lap of which nothing is said but its times. */
export function bareLap(startMs: number, endMs: number): DeviceLap {
  const untold = Object.fromEntries(TOLD_OF_LAPS.map((name) => [name, null])) as Record<ToldOfLap, null>
  return { startMs, endMs, ...untold, trigger: null, intensity: null }
}

/**
 * Laps in the order of their start, apart from each other, at most `MOST_LAPS`. One that has no length, or lies within
 * those before it, is dropped; one that begins before the end of the one before begins there instead.
 */
export function orderedLaps(laps: readonly DeviceLap[]): DeviceLap[] {
  const timed = laps
    .filter(({ startMs, endMs }) => Number.isFinite(startMs) && Number.isFinite(endMs) && endMs > startMs)
    .map((lap) => ({ ...lap, ...toldOf(lap), startMs: Math.round(lap.startMs), endMs: Math.round(lap.endMs) }))
    .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  const ordered: DeviceLap[] = []
  for (const lap of timed) {
    const end = ordered.at(-1)?.endMs ?? Number.NEGATIVE_INFINITY
    const startMs = lap.startMs <= end + TOUCHING_MS ? end : lap.startMs
    // one that touches is moved as a whole: its length is the better told of the two
    const endMs = Math.abs(startMs - lap.startMs) <= TOUCHING_MS ? lap.endMs + startMs - lap.startMs : lap.endMs
    if (endMs <= startMs) continue
    ordered.push({ ...lap, startMs, endMs })
    if (ordered.length === MOST_LAPS) break
  }
  return ordered
}

/** What is said, as it is stored; numbers that are none are not said. */
function toldOf(lap: DeviceLap): Record<ToldOfLap, number | null> {
  const told = TOLD_OF_LAPS.map((name) => {
    const value = lap[name]
    const isNumber = value !== null && value >= 0 && value < MOST
    return [name, isNumber ? Number(value.toFixed(TOLD[name])) : null] as const
  })
  return Object.fromEntries(told) as Record<ToldOfLap, number | null>
}

/**
 * One lap as the database keeps it: start in Unix milliseconds, length in milliseconds, places of trigger and intensity
 * (-1: not said), then the numbers of `TOLD_OF_LAPS` up to the last that is said.
 */
export type StoredLap = readonly (number | null)[]

export function storedLaps(laps: readonly DeviceLap[]): StoredLap[] {
  return laps.map((lap) => {
    const told = TOLD_OF_LAPS.map((name) => lap[name])
    const said = told.slice(0, told.findLastIndex((value) => value !== null) + 1)
    const words = [LAP_TRIGGERS.indexOf(lap.trigger!), LAP_INTENSITIES.indexOf(lap.intensity!)]
    return [lap.startMs, lap.endMs - lap.startMs, ...words, ...said]
  })
}

export function lapsOfStored(stored: readonly StoredLap[]): DeviceLap[] {
  return stored.map(([startMs, lengthMs, trigger, intensity, ...told]) => ({
    ...bareLap(startMs ?? 0, (startMs ?? 0) + (lengthMs ?? 0)),
    ...Object.fromEntries(TOLD_OF_LAPS.map((name, place) => [name, told[place] ?? null])),
    trigger: LAP_TRIGGERS[trigger ?? -1] ?? null,
    intensity: LAP_INTENSITIES[intensity ?? -1] ?? null,
  }))
}
