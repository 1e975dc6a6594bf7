import type { Column, SampleColumns, Track } from './track.ts'

/** Stored integers per unit: a track's values are exactly k / scale, k an int32. */
export const GRID = {
  /** Milliseconds; see `timeScale`. */
  time: 1000,
  semicircle: 2 ** 31 / 180,
  e7: 1e7,
  deviceDistance: 100,
  textDistance: 1000,
  /** Holds FIT's fifths of a metre and the centimetres of text. */
  elevation: 100,
  heartRate: 1,
  /** Half a 1/128: FIT's fractional cadence, and text cadences that are halved. */
  cadence: 256,
  power: 1,
  temperature: 10,
  speed: 1000,
} as const

/** Stored integers per second: milliseconds, but whole seconds for a track of more than 24 days. */
export function timeScale(lastS: number): number {
  return lastS * GRID.time > MAX_INT32 ? 1 : GRID.time
}

/** Stored integers per unit of every column, for positions of this resolution. */
export function scalesOf(positionUnit: Track['positionUnit']): Readonly<Record<Column, number>> {
  const isFit = positionUnit === 'semicircle'
  return {
    distanceM: isFit ? GRID.deviceDistance : GRID.textDistance,
    latDeg: GRID[positionUnit],
    lonDeg: GRID[positionUnit],
    elevM: GRID.elevation,
    heartRateBpm: GRID.heartRate,
    cadenceRpm: GRID.cadence,
    powerW: GRID.power,
    temperatureC: GRID.temperature,
    speedMps: GRID.speed,
  }
}

/** 180 degrees east has no semicircle of its own: it is 180 degrees west. */
export function eastOfLimit(lonDeg: number): number {
  return lonDeg <= 180 && Math.round(lonDeg * GRID.semicircle) > MAX_INT32 ? -180 : lonDeg
}

export const MAX_INT32 = 2 ** 31 - 1
/** Values outside are no measurement. The distance is what an int32 of millimetres holds. */
export const LIMITS: Readonly<Record<Column, readonly [number, number]>> = {
  distanceM: [0, 2_000_000],
  latDeg: [-90, 90],
  lonDeg: [-180, 180],
  elevM: [-1000, 15_000],
  heartRateBpm: [1, 254],
  cadenceRpm: [0, 255],
  powerW: [0, 65_534],
  temperatureC: [-100, 100],
  speedMps: [0, 1000],
}

export const COLUMNS = Object.keys(LIMITS) as readonly Column[]

/** Something for every column of samples, made by its name. */
export function columnsWith<T>(made: (name: Column) => T): Record<Column, T> {
  return Object.fromEntries(COLUMNS.map((name) => [name, made(name)])) as Record<Column, T>
}

/** The columns alone of what has others beside them. */
export function columnsOf(samples: SampleColumns): Record<Column, Float64Array> {
  return columnsWith((name) => samples[name])
}

/** Columns of gaps. */
export function emptyColumns(n: number): Record<Column, Float64Array> {
  return columnsWith(() => new Float64Array(n).fill(Number.NaN))
}

/** What would last longer is no run but a clock that jumped (docs/api.md 7.2). */
export const LONGEST_RUN_S = 366 * 86_400

/** A place on the globe: both coordinates, in range. */
export function isPosition(latDeg: number, lonDeg: number): boolean {
  return Math.abs(latDeg) <= LIMITS.latDeg[1] && Math.abs(lonDeg) <= LIMITS.lonDeg[1]
}

/** Devices write 0 and 255 for none. */
export function isHeartRate(bpm: number): boolean {
  return bpm > 0 && bpm < 255
}
