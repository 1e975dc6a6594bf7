import { describe, expect, test } from 'bun:test'
import { type Ghost, ghostRace } from '../../../src/engine/route/ghost.ts'
import type { Track } from '../../../src/engine/track.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { densified, onGlobe, withNoise } from '../../fixtures/routes.ts'

type Points = readonly (readonly number[])[]

interface Made {
  readonly corners: Points
  /** Metres per second at the metres along. */
  readonly speedMps?: (alongM: number) => number
  /** Metres along and seconds. */
  readonly stop?: readonly [number, number]
  readonly elevM?: (alongM: number) => number
  readonly noise?: number
}

const ELEVATION = { thresholdM: 2, minDistanceM: 10 }
const LOOP = pairs('0,0 1500,0 1500,900 0,900 0,0')
const THERE_AND_BACK = pairs('0,0 1500,0 0,0')

/** A position a second. */
function made({ corners, speedMps = () => 3, stop, elevM, noise }: Made): Track {
  const line = densified(corners, 1)
  const at = (metres: number) => line[Math.min(line.length - 1, Math.round(metres))]!
  const alongM: number[] = []
  const endM = line.length - 1
  for (let metres = 0, waited = 0; metres < endM; ) {
    alongM.push(metres)
    if (stop !== undefined && metres >= stop[0] && waited < stop[1]) waited += 1
    else metres += speedMps(metres)
  }
  alongM.push(endM)
  const exact = alongM.map(at)
  const points = noise === undefined ? exact : withNoise(exact, 3, noise)
  const n = points.length
  const none = () => new Float64Array(n).fill(Number.NaN)
  return {
    ...{ n, startMs: 0, tS: Float64Array.from(points, (_, k) => k), ...onGlobe(points, 52, 13.4), off: [] },
    ...{ distanceM: Float64Array.from(alongM), heartRateBpm: none(), cadenceRpm: none(), powerW: none() },
    ...{ temperatureC: none(), speedMps: none(), distanceSource: 'device', elevationSource: 'baro', indoor: false },
    ...{ positionUnit: 'e7', elevM: elevM ? Float64Array.from(alongM, elevM) : none() },
  }
}

function race(run: Made, other: Made): Ghost {
  const found = ghostRace(made(run), made(other), ELEVATION)
  expect(found).not.toBeNull()
  return found!
}

/** Every place of every race. */
function expectSums({ gapS, stopsS, climbS, paceS, elapsedS, ghostElapsedS, distanceM }: Ghost): void {
  for (const [k, gap] of gapS.entries()) {
    expect(Math.abs(gap - (stopsS[k]! + (climbS?.[k] ?? 0) + paceS[k]!))).toBeLessThan(0.05)
    const clocks = elapsedS[k]! - elapsedS[0]! - (ghostElapsedS[k]! - ghostElapsedS[0]!)
    expect(Math.abs(gap - clocks)).toBeLessThan(0.35)
    if (k > 0) expect(distanceM[k]!).toBeGreaterThanOrEqual(distanceM[k - 1]!)
  }
}

describe('the gap to an earlier self', () => {
  test('on a hill the slope explains a part of the gap, by its own factor up and down', () => {
    const hill = (alongM: number) => 100 + (alongM < 1500 ? alongM : 3000 - alongM) * 0.06
    const weak = (alongM: number) => (alongM < 1500 ? 2.5 : 3)
    const way = { corners: THERE_AND_BACK, elevM: hill }
    const found = race({ ...way, speedMps: weak }, way)
    expectSums(found)
    // 600 s against 500 up 6 %: by its factor of 1.236, a part of 0.19
    const top = found.distanceM.findIndex((metres) => metres > 1450)
    expect(Math.abs(found.gapS[top]! - (1450 / 2.5 - 1450 / 3))).toBeLessThan(4)
    expect(found.climbS![top]! / found.gapS[top]!).toBeGreaterThan(0.16)
    expect(found.climbS![top]! / found.gapS[top]!).toBeLessThan(0.21)
    // on the way back nothing is lost any more
    expect(Math.abs(found.gapS.at(-1)! - found.gapS[top]!)).toBeLessThan(5)
  })

  test('adds up at every place with noise, on laps, with detours and other starts', () => {
    const random = seededRandom(7)
    const lap = LOOP.slice(1).map(([x, y]) => [x! / 3, y! / 3])
    const laps = [[0, 0], ...lap, ...lap, ...lap, ...lap]
    for (const [run, other] of [
      [LOOP, LOOP],
      [laps, laps],
      [THERE_AND_BACK, THERE_AND_BACK],
      [LOOP, [[-200, 0], ...LOOP]],
      [LOOP, [...LOOP.slice(0, 2), [1500, 400], [1700, 400], [1700, 600], [1500, 600], ...LOOP.slice(2)]],
    ] as const) {
      const found = race(
        { corners: run, speedMps: (m) => 2.8 + 0.3 * Math.sin(m / 200), stop: [700, 25], noise: 1 + random() },
        { corners: other, speedMps: (m) => 3 + 0.2 * Math.cos(m / 300), stop: [300, 12], noise: 5 + random() },
      )
      expectSums(found)
      expect(found.sharedShare).toBeGreaterThan(0.85)
    }
  })
})

test('no race: the other way round, elsewhere, or with too little in common', () => {
  const run = made({ corners: LOOP })
  const elsewhere = LOOP.map(([x, y]) => [x! + 3000, y!])
  for (const corners of [LOOP.toReversed(), elsewhere, LOOP.slice(0, 2)])
    expect(ghostRace(run, made({ corners }), ELEVATION)).toBeNull()
  const nowhere = { ...run, latDeg: run.latDeg.map(() => Number.NaN) }
  expect([ghostRace(nowhere, run, ELEVATION), ghostRace(run, nowhere, ELEVATION)]).toEqual([null, null])
})
