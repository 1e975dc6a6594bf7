import { METRES_PER_DEGREE, RAD_PER_DEG } from '../route/geo.ts'

// Squares are Web Mercator tiles of zoom 14; an edge belongs to the square east or south of it (docs/algorithms.md 22).

export const SQUARE_ZOOM = 14
/** Squares a side of the world. */
export const SIDE = 2 ** SQUARE_ZOOM
/** Units a side of a square, in which lines are stored. */
export const UNITS = 1024
/** Circumference of the sphere of Web Mercator, metres. */
const AROUND_M = 40_075_016.686
/** Beyond this latitude there are no squares. */
export const LAST_LATITUDE = 85.0511287798

/** One square. */
export interface Square {
  readonly x: number
  readonly y: number
}

/** Column of a longitude, with its fraction; outside of 0..SIDE beyond the antimeridian. */
export function columnOf(lonDeg: number): number {
  return (lonDeg / 360 + 0.5) * SIDE
}

/** Row of a latitude, with its fraction. */
export function rowOf(latDeg: number): number {
  return (0.5 - Math.asinh(Math.tan(latDeg * RAD_PER_DEG)) / (2 * Math.PI)) * SIDE
}

export function longitudeOf(column: number): number {
  return (column / SIDE - 0.5) * 360
}

export function latitudeOf(row: number): number {
  return Math.atan(Math.sinh((0.5 - row / SIDE) * 2 * Math.PI)) / RAD_PER_DEG
}

/** The column within 0..SIDE - 1. */
export function wrapped(column: number): number {
  return ((column % SIDE) + SIDE) % SIDE
}

/** Key of a square, below 2^28. */
export function squareKey({ x, y }: Square): number {
  return x * SIDE + y
}

export function squareOfKey(key: number): Square {
  return { x: Math.floor(key / SIDE), y: key % SIDE }
}

/** Most runs whose ground has a number. */
export const MOST_RUNS = 2 ** 24 - 1

/** Key of a row: squares in order, and in each the runs; 52 bits, exact in a double. @param run its number */
export function squareRowId(square: Square, run: number): number {
  return squareKey(square) * (MOST_RUNS + 1) + run
}

/** Metres of a square's side at its middle latitude. */
export function sideM(y: number): number {
  return (AROUND_M * Math.cos(latitudeOf(y + 0.5) * RAD_PER_DEG)) / SIDE
}

/** Metres between positions that are near each other, on a sphere. @param latA degrees, as all four */
export function apartM(latA: number, lonA: number, latB: number, lonB: number): number {
  const east = eastDeg(lonB - lonA) * Math.cos(((latA + latB) / 2) * RAD_PER_DEG)
  const north = latB - latA
  return METRES_PER_DEGREE * Math.sqrt(east * east + north * north)
}

/** A difference of longitudes, the short way round. */
export function eastDeg(difference: number): number {
  return difference - 360 * Math.round(difference / 360)
}
