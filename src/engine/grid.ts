import type { Column, SampleColumns, Track } from './track.ts'
import { DAY_S } from './units.ts'

/** Stored integers per unit: a track's values are exactly k / scale, k an int32. */
export const GRID = {
  /** Milliseconds; whole seconds for very long tracks, see `timeScale`. */
  time: 1000,
  semicircle: 2 ** 31 / 180,
  e7: 1e7,
  deviceDistance: 100,
  textDistance: 1000,
  /** Exact for FIT's fifths of a metre and for centimetres in text files. */
  elevation: 100,
  heartRate: 1,
  /** Half of 1/128: exact for FIT's fractional cadence, and for cadences of text files that are halved. */
  cadence: 256,
  power: 1,
  temperature: 10,
  speed: 1000,
} as const

/** Stored integers per second: 1000, but 1 for a track of more than 24 days, whose milliseconds exceed 32 bits. */
export function timeScale(lastS: number): number {
  return lastS * GRID.time > MAX_INT32 ? 1 : GRID.time
}

/** Stored integers per unit of every column, given the resolution of the positions. */
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

/** 180 degrees east has no semicircle value of its own and is stored as 180 degrees west. */
export function eastOfLimit(lonDeg: number): number {
  return lonDeg <= 180 && Math.round(lonDeg * GRID.semicircle) > MAX_INT32 ? -180 : lonDeg
}

export const MAX_INT32 = 2 ** 31 - 1
/** Values outside are not measurements and become gaps. The distance is limited to an int32 of millimetres. */
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

/** A record with one value for every column of samples. */
export function columnsWith<T>(made: (name: Column) => T): Record<Column, T> {
  return Object.fromEntries(COLUMNS.map((name) => [name, made(name)])) as Record<Column, T>
}

/** Picks the sample columns out of an object that has other members too. */
export function columnsOf(samples: SampleColumns): Record<Column, Float64Array> {
  return columnsWith((name) => samples[name])
}

/** Columns without any value. */
export function emptyColumns(n: number): Record<Column, Float64Array> {
  return columnsWith(() => new Float64Array(n).fill(Number.NaN))
}

/** A longer recording is not a run but a clock that jumped (docs/api.md 7.2). */
export const LONGEST_RUN_S = 366 * DAY_S

/** Whether both coordinates are finite and in range. */
export function isPosition(latDeg: number, lonDeg: number): boolean {
  return Math.abs(latDeg) <= LIMITS.latDeg[1] && Math.abs(lonDeg) <= LIMITS.lonDeg[1]
}

/** Devices write 0 and 255 for a missing heart rate. */
export function isHeartRate(bpm: number): boolean {
  return bpm > 0 && bpm < 255
}
