import { cellColumn, cellRow } from '../route/sketch.ts'
import { apartM, eastDeg } from './squares.ts'

/** A start belongs to a place within this distance. */
export const PLACE_M = 250

/** A place on the map, degrees. */
export interface Spot {
  readonly lat: number
  readonly lon: number
}

/** Where runs start, and which start belongs where. */
export interface StartGroups {
  /** By start: index in `places`. */
  readonly placeOf: Int32Array
  /** The named ones first, then those found, most starts first. */
  readonly places: readonly (Spot & { readonly runs: number })[]
}

/**
 * Groups the starts of runs (docs/algorithms.md 23): within 250 m of a named place to the nearest one, the others about the
 * cells of 150 m with most of them.
 */
export function startGroups(starts: readonly Spot[], named: readonly Spot[] = []): StartGroups {
  const placeOf = new Int32Array(starts.length).fill(-1)
  const places: (Spot & { runs: number })[] = named.map(({ lat, lon }) => ({ lat, lon, runs: 0 }))
  const take = (start: number, place: number) => {
    placeOf[start] = place
    places[place]!.runs += 1
  }
  if (named.length > 0) {
    for (const [k, start] of starts.entries()) {
      const nearest = nearestOf(start, named)
      if (nearest !== -1) take(k, nearest)
    }
  }
  const free = freeStarts(starts, placeOf)
  for (const { held } of free.cells) {
    const left = held.filter((k) => placeOf[k] === -1)
    if (left.length === 0) continue
    const centre = meanOf(left.map((k) => starts[k]!))
    const place = places.push({ ...centre, runs: 0 }) - 1
    for (const k of free.around(centre)) if (distanceM(starts[k]!, centre) <= PLACE_M) take(k, place)
    // a cell is smaller than the circle, but not its diagonal near a pole
    for (const k of left) if (placeOf[k] === -1) take(k, place)
  }
  return { placeOf, places }
}

/** @returns -1 when none is near enough */
function nearestOf(start: Spot, named: readonly Spot[]): number {
  let [nearest, least] = [-1, PLACE_M]
  for (const [k, place] of named.entries()) {
    const metres = distanceM(start, place)
    if (metres > least || (metres === least && nearest !== -1)) continue
    nearest = k
    least = metres
  }
  return nearest
}

export function distanceM(a: Spot, b: Spot): number {
  return apartM(a.lat, a.lon, b.lat, b.lon)
}

/** Rows of cells that a circle reaches into. */
const ROWS = 2

function freeStarts(starts: readonly Spot[], placeOf: Int32Array) {
  const cells = new Map<string, { readonly row: number; readonly column: number; readonly held: number[] }>()
  const rows = new Map<number, number[]>()
  for (const [k, { lat, lon }] of starts.entries()) {
    if (placeOf[k] !== -1) continue
    const row = cellRow(lat)
    const column = cellColumn(row, lon)
    const key = `${row} ${column}`
    const cell = cells.get(key) ?? { row, column, held: [] }
    cell.held.push(k)
    cells.set(key, cell)
    const ofRow = rows.get(row) ?? []
    ofRow.push(k)
    rows.set(row, ofRow)
  }
  return {
    cells: [...cells.values()].sort((a, b) => b.held.length - a.held.length || a.row - b.row || a.column - b.column),
    /** Starts that belong to no place yet, in the rows about a place. */
    around: (centre: Spot): number[] => {
      const found: number[] = []
      const middle = cellRow(centre.lat)
      for (let row = middle - ROWS; row <= middle + ROWS; row += 1) {
        const left = (rows.get(row) ?? []).filter((k) => placeOf[k] === -1)
        rows.set(row, left)
        for (const k of left) found.push(k)
      }
      return found
    },
  }
}

/** Across the antimeridian, too. */
function meanOf(spots: readonly Spot[]): Spot {
  const [first] = spots
  const { lon: from } = first!
  let [north, east] = [0, 0]
  for (const { lat, lon } of spots) {
    north += lat
    east += eastDeg(lon - from)
  }
  return { lat: north / spots.length, lon: eastDeg(from + east / spots.length) }
}
