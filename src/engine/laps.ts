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

/** One lap as the device states it; null: not stated. */
export interface DeviceLap extends Readonly<Record<ToldOfLap, number | null>> {
  /** Unix milliseconds on the clock of the recording. */
  readonly startMs: number
  readonly endMs: number
  readonly trigger: LapTrigger | null
  readonly intensity: LapIntensity | null
}

/** Most laps of one recording: a day on a track has 250 laps of 400 m. */
export const MOST_LAPS = 10_000
/**
 * Gaps and overlaps up to this count as touching, since devices write starts in whole seconds and lengths in
 * milliseconds.
 */
const TOUCHING_MS = 1500
/** Numbers from here on are not measurements and are dropped. */
const MOST = 2 ** 31

/** A lap of which only the times are known. */
export function bareLap(startMs: number, endMs: number): DeviceLap {
  const untold = Object.fromEntries(TOLD_OF_LAPS.map((name) => [name, null])) as Record<ToldOfLap, null>
  return { startMs, endMs, ...untold, trigger: null, intensity: null }
}

/**
 * Laps in the order of their start, without overlap, at most `MOST_LAPS`. A lap without length, or wholly within those
 * before it, is dropped; one that begins before the end of the last one is cut to begin there.
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
    // a lap that touches the last one is moved as a whole, since its length is more exact than its start
    const endMs = Math.abs(startMs - lap.startMs) <= TOUCHING_MS ? lap.endMs + startMs - lap.startMs : lap.endMs
    if (endMs <= startMs) continue
    ordered.push({ ...lap, startMs, endMs })
    if (ordered.length === MOST_LAPS) break
  }
  return ordered
}

/** The numbers that the device states, as stored; others are left out. */
function toldOf(lap: DeviceLap): Record<ToldOfLap, number | null> {
  const told = TOLD_OF_LAPS.map((name) => {
    const value = lap[name]
    const isNumber = value !== null && value >= 0 && value < MOST
    return [name, isNumber ? Number(value.toFixed(TOLD[name])) : null] as const
  })
  return Object.fromEntries(told) as Record<ToldOfLap, number | null>
}

/**
 * A lap as the database stores it: start in Unix milliseconds, length in milliseconds, index of trigger and intensity
 * (-1: not stated), then the numbers of `TOLD_OF_LAPS` up to the last that is stated.
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
