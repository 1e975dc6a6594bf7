// Files whose positions say which file they are and how far along: so a caller can see which stretch of which file counts
// in a run, whatever was done to it.
import { expect } from 'bun:test'
import type { TestApp, TestFile } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { tcxFile } from '../../fixtures/tcx.ts'
import { done, live } from '../ledger.ts'

const METRE = 1 / 111_170
/** Between the meridians on which two files run, and between the starts of two. */
const [DEGREES_APART, MS_APART] = [0.01, 900_000]

/** A file as it was made. */
export interface Made extends TestFile {
  readonly place: number
  readonly startMs: number
  readonly seconds: number
  readonly wholeM: number
}

/** The file of a number: 2 to 6 min of steady running along a meridian of its own, from a watch or a phone. */
export function madeFile(place: number): Made {
  const random = seededRandom(place + 1)
  const [seconds, speedMps] = [120 + Math.floor(random() * 240), 2.5 + random()]
  const startMs = START_MS - (200 - place) * MS_APART
  const samples = Array.from({ length: seconds + 1 }, (_, t) => ({
    ...{ t, lat: 47 + t * speedMps * METRE, lon: 8 + place * DEGREES_APART, hr: 120 + ((t + place) % 40), cadence: 85 },
    ...{ distanceM: t * speedMps, elevM: 400 + 8 * Math.sin(t / 40), ele: 400, timeMs: startMs + t * 1000 },
  }))
  const stated = { place, startMs, seconds, wholeM: seconds * speedMps }
  if (place % 3 === 0)
    return { ...stated, name: `${place}.gpx`, bytes: gpxFile({ points: samples, name: `Run ${place}` }) }
  if (place % 3 === 1) {
    const lap = { startMs, totalTimeS: seconds, distanceM: stated.wholeM, tracks: [samples] }
    return { ...stated, name: `${place}.tcx`, bytes: tcxFile([{ laps: [lap] }]) }
  }
  return { ...stated, name: `${place}.fit`, bytes: fitFile({ startMs, samples, session: { calories: 90 } }) }
}

/** A run on a treadmill, long before all others: it has no positions, so no stretch of it is seen. */
export function indoorFile(number: number): TestFile {
  const samples = Array.from({ length: 301 }, (_, t) => ({ t, distanceM: t * 3, hr: 130 + (t % 30), cadence: 85 }))
  const startMs = START_MS - (1000 + number) * MS_APART
  return { name: `indoor ${number}.fit`, bytes: fitFile({ startMs, samples, session: { subSport: 1, calories: 60 } }) }
}

/** Metres of a file from its beginning. */
export interface Stretch {
  readonly place: number
  readonly fromM: number
  readonly toM: number
}

/** The farthest that two points of a track lie apart, metres: a second of running. */
const STRIDE_M = 4
/** Positions are rounded to about a centimetre. */
const ROUNDED_M = 0.1

/** What of which file is on a route, in the order in which it was run. */
export function stretchesOf(coordinates: readonly (readonly [number, number])[]): Stretch[] {
  const found: { place: number; fromM: number; toM: number }[] = []
  for (const [lon, lat] of coordinates) {
    // no made file leads anywhere else, and no real one there
    if (lon < 7.99 || lon > 10 || lat < 46.9999 || lat > 47.02) continue
    const [place, metres] = [Math.round((lon - 8) / DEGREES_APART), (lat - 47) / METRE]
    // a cut that ends between two joined runs leaves a point of the straight line between them
    if (Math.abs((lon - 8) / DEGREES_APART - place) > 0.01) continue
    const last = found.at(-1)
    if (last?.place === place && Math.abs(metres - last.toM) <= STRIDE_M) last.toM = metres
    else found.push({ place, fromM: metres, toM: metres })
  }
  return found
}

/** Stretches of all live runs by the id of the run. */
export async function liveStretches(app: TestApp): Promise<Map<string, readonly Stretch[]>> {
  const stretches = new Map<string, readonly Stretch[]>()
  for (const { id } of await live(app)) {
    const { route } = await done(app, `GET /workouts/${id}?includeRaw=false`)
    stretches.set(id, route === null ? [] : stretchesOf(route.coordinates))
  }
  return stretches
}

const inOrder = (stretches: Iterable<Stretch>, place: number) =>
  [...stretches].filter((one) => one.place === place).toSorted((a, b) => a.fromM - b.fromM)

/** No two runs count the same metres of a file. */
export function expectOnce(stretches: ReadonlyMap<string, readonly Stretch[]>): void {
  const all = [...stretches.values()].flat()
  for (const place of new Set(all.map((one) => one.place))) {
    const placed = inOrder(all, place)
    for (const [k, { fromM }] of placed.entries()) {
      const twiceM = (placed[k - 1]?.toM ?? 0) - fromM
      expect({ place, twiceM: twiceM > ROUNDED_M ? twiceM : 0 }).toEqual({ place, twiceM: 0 })
    }
  }
}

/** Metres of `stretch` that are in none of the others. */
export function uncoveredM({ place, fromM, toM }: Stretch, others: Iterable<Stretch>): number {
  let [atM, missingM] = [fromM, 0]
  for (const one of inOrder(others, place)) {
    if (one.toM <= atM || one.fromM >= toM) continue
    missingM += Math.max(0, one.fromM - atM)
    atM = Math.max(atM, one.toM)
  }
  return missingM + Math.max(0, toM - atM)
}
