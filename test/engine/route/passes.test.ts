import { describe, expect, test } from 'bun:test'
import { passFinder } from '../../../src/engine/route/passes.ts'
import { type Stretch, stretchOf } from '../../../src/engine/route/stretch.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { oraclePasses } from '../../fixtures/pass-oracle.ts'
import { densified, onGlobe } from '../../fixtures/routes.ts'
import { madeRoutes } from '../../library/route-library.ts'

type Points = readonly (readonly number[])[]

type Way = Readonly<Record<'tS' | 'latDeg' | 'lonDeg' | 'distanceM', Float64Array>>

/** Along corners in metres at 3 m/s, one position a second. */
function run(corners: Points, place: readonly [number, number] = [52, 13.4]): Way {
  return timed(densified(corners), place)
}

function timed(points: readonly (readonly [number, number])[], [latDeg, lonDeg]: readonly [number, number]): Way {
  const tS = Float64Array.from(points, (_, k) => k)
  let metres = 0
  const distanceM = Float64Array.from(points, ([x, y], k) => {
    const [beforeX, beforeY] = points[Math.max(0, k - 1)]!
    metres += Math.hypot(x - beforeX, y - beforeY)
    return metres
  })
  return { tS, distanceM, ...onGlobe(points, latDeg, lonDeg) }
}

function stretchIn(way: Way, fromM: number, toM: number): Stretch {
  return stretchOf(way, fromM, toM)!.stretch
}

const found = (stretch: Stretch, way: Way) => passFinder(stretch)(way.tS, way)
const STREET = pairs('-300,0 900,0')

describe('the section of a run', () => {
  test('has its length, its ends in time, and points at equal steps', () => {
    const own = stretchOf(run(STREET), 300, 800)!
    expect(own.span).toEqual({ startS: 100, endS: expect.closeTo(266.667, 2) })
    expect(own.stretch.lengthM).toBeCloseTo(500, 0)
    expect(own.stretch.n).toBe(51)
    const steps = Array.from(own.stretch.xM.slice(1), (x, k) => x - own.stretch.xM[k]!)
    for (const step of steps) expect(step).toBeCloseTo(own.stretch.lengthM / 50, 6)
  })
})

describe('passes through a street of 500 m', () => {
  const street = stretchIn(run(STREET), 300, 800)

  test('there and back, timed at the perpendiculars of its ends', () => {
    const both = run([...STREET, [900, 15], [-300, 15]])
    const [there, back, ...rest] = found(street, both)
    expect(rest).toEqual([])
    expect(there).toMatchObject({ direction: 'same', startS: expect.closeTo(100, 1), endS: expect.closeTo(266.667, 1) })
    expect(back!.direction).toBe('reverse')
    expect(back!.endS - back!.startS).toBeCloseTo(500 / 3, 0)
  })

  test.each<[string, Points, number]>([
    ['a parallel street 30 m away', pairs('-300,30 900,30'), 0],
    ['24 m beside it', pairs('-300,24 900,24'), 1],
    ['a crossing', pairs('250,-300 250,300'), 0],
    ['begun in its middle', pairs('250,0 900,0'), 0],
    ['ended in its middle', pairs('-300,0 250,0'), 0],
    ['begun 8 m past its start', pairs('8,5 900,5'), 1],
    ['begun 20 m past its start', pairs('20,0 900,0'), 0],
    ['ended 8 m before its end', pairs('-300,0 492,0'), 1],
    ['turned round in its middle', pairs('-300,0 250,0 -300,0'), 0],
    ['a detour of 40 m round a building site', pairs('-300,0 200,0 200,60 240,60 240,0 900,0'), 1],
    ['a detour that leaves out a third', pairs('-300,0 200,0 200,60 370,60 370,0 900,0'), 0],
    ['two ends joined by another way', pairs('-300,0 10,0 10,200 490,200 490,0 900,0'), 0],
    ['a kilometre to the shop from its middle', pairs('-300,0 250,0 250,500 250,0 900,0'), 0],
    ['twice in one run', pairs('-300,0 900,0 900,300 -300,300 -300,0 900,0'), 2],
  ])('%s: %j is passed %d times', (_, corners, count) => {
    expect(found(street, run(corners))).toHaveLength(count)
  })

  test('waiting at the start is not part of it, waiting on the way is', () => {
    const points = densified(STREET)
    const waitAt = (row: number) => [...points.slice(0, row), ...Array(60).fill(points[row]!), ...points.slice(row)]
    const [atStart] = found(street, timed(waitAt(97), [52, 13.4]))
    const [onTheWay] = found(street, timed(waitAt(180), [52, 13.4]))
    expect(atStart!.endS - atStart!.startS).toBeCloseTo(166.7, 0)
    expect(onTheWay!.endS - onTheWay!.startS).toBeCloseTo(226.7, 0)
  })
})

test('every lap of a track is a pass, of a section a little longer than a lap as well', () => {
  const corner = (k: number) => [63.66 * Math.cos((k * Math.PI) / 12), 63.66 * Math.sin((k * Math.PI) / 12)]
  const way = run(Array.from({ length: 241 }, (_, k) => corner(k % 24)))
  const lapM = way.distanceM.at(-1)! / 10
  expect(found(stretchIn(way, 0, lapM), way).map(({ direction }) => direction)).toEqual(Array(10).fill('same'))
  expect(found(stretchIn(way, lapM, 2.05 * lapM), way).length).toBeGreaterThanOrEqual(9)
  expect(found(stretchIn(way, 0, 2 * lapM), way)).toHaveLength(5)
})

test('passes are those of a brute force over all tracks of a made library, noise of 4 m', () => {
  const ways = madeRoutes(220, 5).map(({ latDeg, lonDeg }): Way => {
    const tS = Float64Array.from(latDeg, (_, k) => k * 3)
    return { tS, latDeg, lonDeg, distanceM: tS.map((seconds) => seconds * 3) }
  })
  const random = seededRandom(9)
  const stretches = Array.from({ length: 14 }, (_, k) => {
    const way = ways[Math.floor(random() * ways.length)]!
    const totalM = way.distanceM.at(-1)!
    const lengthM = Math.min(totalM, [100, 200, 400, 1000, 3000][k % 5]!)
    const fromM = k < 3 ? 0 : random() * (totalM - lengthM)
    return stretchIn(way, fromM, fromM + lengthM)
  })
  let passes = 0
  for (const stretch of stretches) {
    const find = passFinder(stretch)
    for (const way of ways) {
      const ours = find(way.tS, way)
      const close = ({ direction, startS, endS }: (typeof ours)[number]) => ({
        ...{ direction, startS: expect.closeTo(startS, 9), endS: expect.closeTo(endS, 9) },
      })
      expect(ours.map(({ direction, startS, endS }) => ({ direction, startS, endS }))).toEqual(
        oraclePasses(stretch, way.tS, way).map(close),
      )
      passes += ours.length
    }
  }
  expect(passes).toBeGreaterThan(150)
}, 120_000)
