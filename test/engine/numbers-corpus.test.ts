import { expect, test } from 'bun:test'
import {
  analysisOf,
  type Compared,
  climbsOutAndIn,
  corpusActivities,
  distances,
  furthestM,
  jitterM,
  madeClimbs,
  median,
  movingTimes,
  offPercent,
  slowWalk,
  watchClimbs,
  withoutQuarter,
} from '../../bench/numbers.ts'
import { corpusTest } from '../corpus.ts'

/** A comparison that was skipped must fail. */
function worstPercent(found: readonly Compared[], atLeast: number): number {
  expect(found.length).toBeGreaterThanOrEqual(atLeast)
  return Math.max(...found.map((compared) => Math.abs(offPercent(compared))))
}

corpusTest('the distance of every GPX is the WGS84 sum of its points within 0.4 %', async () => {
  expect(worstPercent(await distances(), 14)).toBeLessThanOrEqual(0.4)
})

test('a slow walk that is recorded every nine seconds keeps its whole way', () => {
  expect(Math.abs(offPercent(slowWalk()))).toBeLessThan(0.01)
})

test('ten minutes of standing add at most 66 m in the mean of 200 seeds', () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => jitterM(seed + 1))
  expect(seeds.reduce((sum, metres) => sum + metres, 0) / seeds.length).toBeLessThanOrEqual(66)
})

corpusTest('small hills count nearly whole, and what is flat stays flat', () => {
  const climbs = Object.fromEntries(madeClimbs().map(({ name, ours }) => [name, ours]))
  expect(climbs.bumps_6m).toBeGreaterThanOrEqual(57)
  expect(climbs.bumps_6m).toBeLessThanOrEqual(60)
  expect([climbs.noisy_flat, climbs.circle]).toEqual([0, 0])
  expect(Math.abs(climbs.sine_hills! - 320)).toBeLessThanOrEqual(3.2)
})

corpusTest('climb is as near to that of the watches as it was before small hills counted', async () => {
  const climbs = await watchClimbs()
  expect(climbs).toHaveLength(19)
  // 172.4 m with engine 2.
  expect(climbs.reduce((sum, { ours, truth }) => sum + Math.abs(ours - truth), 0)).toBeLessThanOrEqual(172.4)
})

for (const [format, wholeM] of [
  ['fit', 5],
  ['tcx', 10],
] as const) {
  corpusTest(`climb is kept in ${format.toUpperCase()}, out and in again, also after a cut`, async () => {
    const [whole, cut] = [await climbsOutAndIn(format), await climbsOutAndIn(format, withoutQuarter)]
    expect([whole.length, cut.length]).toEqual([34, 34])
    expect(furthestM(whole)).toBeLessThanOrEqual(wholeM)
    expect(furthestM(cut)).toBeLessThanOrEqual(1)
  })
}

corpusTest("moving time is sports-lib's within 2 %, half of it within 0.7 %", async () => {
  const off = (await movingTimes()).map((compared) => Math.abs(offPercent(compared)))
  expect(off).toHaveLength(8)
  expect(Math.max(...off)).toBeLessThanOrEqual(2)
  expect(median(off)).toBeLessThanOrEqual(0.7)
})

corpusTest('a watch that pauses itself was running all the time that its timer ran', async () => {
  for (const name of ['Fenix-2-pauses', 'FR735XT-with-performance-condition', 'Standard-fr310xt']) {
    const { movingTimeS, timerTimeS } = analysisOf((await corpusActivities(`fit/${name}.fit`))[0]!)!
    expect(Math.abs(movingTimeS! - timerTimeS!)).toBeLessThanOrEqual(2)
  }
})
