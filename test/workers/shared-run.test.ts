import { expect, test } from 'bun:test'
import { emptyColumns } from '../../src/engine/grid.ts'
import { END_SECRETS, type Trimming } from '../../src/engine/route/trim.ts'
import type { Track } from '../../src/engine/track.ts'
import { sharedPart } from '../../src/workers/shared-run.ts'
import { seededRandom } from '../fixtures/knots.ts'

const START_MS = Date.UTC(2025, 5, 1, 6)
const NORTH_M = 111_195
const [LAT, LON] = [48, 11]
const EAST_M = NORTH_M * Math.cos((LAT * Math.PI) / 180)

/** A second of a run: metres about a place, beats per minute, metres of altitude. */
interface Second {
  readonly x: number
  readonly y: number
  readonly hr: number
  readonly elev: number
}

const spot = (x: number, y: number) => ({ lat: LAT + y / NORTH_M, lon: LON + x / EAST_M })

/** @param early seconds by which it begins before the others */
function trackOf(seconds: readonly Second[], early = 0): Track {
  const n = seconds.length
  const columns = emptyColumns(n)
  let centimetres = 0
  for (const [k, { x, y, hr, elev }] of seconds.entries()) {
    const before = seconds[k - 1]
    if (before !== undefined) centimetres += Math.round(100 * Math.hypot(x - before.x, y - before.y))
    columns.distanceM[k] = centimetres / 100
    columns.heartRateBpm[k] = hr
    columns.elevM[k] = elev
    const { lat, lon } = spot(x, y)
    columns.latDeg[k] = Math.round(lat * 1e7) / 1e7
    columns.lonDeg[k] = Math.round(lon * 1e7) / 1e7
  }
  return {
    ...{ ...columns, n, startMs: START_MS - 1000 * early, tS: Float64Array.from(seconds, (_, k) => k), off: [] },
    ...{ distanceSource: 'device', elevationSource: 'baro', indoor: false, positionUnit: 'e7' },
  }
}

interface Circle {
  readonly x: number
  readonly y: number
  readonly r: number
}

const isIn = ({ x, y, r }: Circle, one: Second) => Math.hypot(one.x - x, one.y - y) < r
/** Two measures of the earth differ by less. */
const SAFE = 0.98

/**
 * The same run with another hidden part: other ways, hearts and heights within each circle, a start and an end elsewhere in
 * theirs, and a longer way from and to those. What is near a circle's edge stays, since the cut follows from it.
 */
function hiddenOtherwise(run: readonly Second[], circles: readonly Circle[], random: () => number) {
  const anywhere = ({ x, y, r }: Circle): Second => {
    const [angle, away] = [random() * 2 * Math.PI, 0.9 * r * Math.sqrt(random())]
    return {
      ...{ x: x + away * Math.cos(angle), y: y + away * Math.sin(angle) },
      ...{ hr: 60 + Math.floor(random() * 140), elev: Math.floor(random() * 900) },
    }
  }
  const circleOf = (one: Second | undefined) => one && circles.find(({ x, y, r }) => isIn({ x, y, r: r * SAFE }, one))
  const moved = run.map((one, k) => {
    const circle = circleOf(one)
    const isDeep =
      circle !== undefined && [-2, -1, 1, 2].every((by) => !run[k + by] || circleOf(run[k + by]) === circle)
    return isDeep ? anywhere(circle) : one
  })
  const more = (one: Second) => {
    const circle = circleOf(one)
    return circle === undefined ? [] : Array.from({ length: Math.floor(random() * 400) }, () => anywhere(circle))
  }
  const before = more(run[0]!)
  return { seconds: [...before, ...moved, ...more(run.at(-1)!)], early: before.length }
}

function randomRun(random: () => number): Second[] {
  let [x, y, heading, elev] = [0, 0, random() * 7, 500]
  return Array.from({ length: 900 + Math.floor(random() * 900) }, () => {
    heading += (random() - 0.5) * 0.4
    x += 3 * Math.cos(heading)
    y += 3 * Math.sin(heading)
    elev += random() - 0.5
    return { x, y, hr: 130 + Math.floor(random() * 30), elev: Math.round(elev * 10) / 10 }
  })
}

const RUNS = 200
const OPTIONS = { elevation: { thresholdM: 2, minDistanceM: 10 }, splitLengthM: 1000 }

test('two runs that differ only in what is hidden look the same to others, to the last digit', () => {
  const random = seededRandom(48)
  let [different, crossed, left] = [0, 0, 0]
  for (let k = 0; k < RUNS; k += 1) {
    const run = randomRun(random)
    const around = [run[0]!, run.at(-1)!, run[Math.floor(random() * run.length)]!]
    const circles = around.slice(0, 1 + Math.floor(random() * 3)).map(({ x, y }) => {
      const r = 100 + random() * 400
      // displaced, as those of places are
      return { x: x + r * 0.3 * random(), y: y + r * 0.3 * random(), r }
    })
    const trim: Trimming = {
      circles: circles.map(({ x, y, r }) => ({ ...spot(x, y), radiusM: r, beyondM: r / 2 })),
      endsM: random() < 0.3 ? 150 : 0,
      endSecrets: Array.from({ length: END_SECRETS }, random),
      cutSecrets: Array.from({ length: 8 }, random),
    }
    // circles that meet hide each other's edges
    const isApart = circles.every((one, i) =>
      circles.every((other, j) => i === j || Math.hypot(one.x - other.x, one.y - other.y) > one.r + other.r + 20),
    )
    if (!isApart || (trim.endsM > 0 && circles.length < 2)) continue
    const other = hiddenOtherwise(run, circles, random)
    const tracks = [trackOf(run), trackOf(other.seconds, other.early)]
    // of the whole run, which its climb may not exceed
    const [shown, again] = tracks.map((track, which) =>
      sharedPart({ ...track, climbLimit: { gainM: 5 + which, lossM: 5 + which } }, { ...OPTIONS, trim }),
    )
    expect(shown!.isTrimmed).toBe(true)
    if (other.early > 0) different += 1
    if (circles.length === 3) crossed += 1
    if (shown!.path !== null) left += 1
    expect(again).toEqual(shown!)
  }
  expect(Math.min(different, crossed, left)).toBeGreaterThan(RUNS / 20)
}, 60_000)
