import { describe, expect, test } from 'bun:test'
import { type ComparedRun, sameRun } from '../../../src/engine/merge/same-run.ts'
import { nearMiss, watchAndPhone } from '../../fixtures/watch-pairs.ts'

/** How many of 200 made pairs are certain, possible, neither. */
function verdicts(pair: (seed: number) => readonly [ComparedRun, ComparedRun]) {
  const counts = { certain: 0, possible: 0, neither: 0 }
  for (let seed = 1; seed <= 200; seed += 1) counts[sameRun(...pair(seed))?.certainty ?? 'neither'] += 1
  return counts
}

describe('two recordings of one run', () => {
  test('a watch and a phone are certain in at least 195 of 200 runs, the others possible', () => {
    const { certain, neither } = verdicts(watchAndPhone)
    expect(certain).toBeGreaterThanOrEqual(195)
    expect(neither).toBe(0)
  }, 60_000)

  test('of 200 runs that only look alike none is certain and at most 4 are possible', () => {
    const { certain, possible } = verdicts(nearMiss)
    expect(certain).toBe(0)
    expect(possible).toBeLessThanOrEqual(4)
  }, 60_000)

  test('a clock that is an hour off makes it possible, never certain', () => {
    const [watch] = watchAndPhone(3)
    for (const hours of [-14, -1, 0.25, 1, 5.5]) {
      const startMs = watch.startMs + hours * 3_600_000 + 4000
      const off = { ...watch, startMs, track: { ...watch.track!, startMs } }
      expect(sameRun(watch, off), `${hours} h`).toMatchObject({ certainty: 'possible', shiftS: -hours * 3600 - 4 })
    }
    const startMs = watch.startMs + 3_600_000 + 30_000
    expect(sameRun(watch, { ...watch, startMs, track: { ...watch.track!, startMs } })).toBeNull()
  })

  test('totals alone are certain within 15 min and 10 % of the distance, when no other run is near', () => {
    const [watch] = watchAndPhone(5)
    const row = {
      ...{ startMs: watch.startMs + 600_000, durationS: watch.durationS, distanceM: watch.distanceM * 0.95 },
      track: null,
    }
    expect(sameRun(watch, row)).toMatchObject({ certainty: 'certain', shiftS: 0 })
    expect(sameRun(watch, row, false)).toBeNull()
    expect(sameRun(watch, { ...row, startMs: watch.startMs + 901_000 })).toBeNull()
    expect(sameRun(watch, { ...row, distanceM: watch.distanceM * 0.85 })).toBeNull()
  })

  test('without positions on one side the starts decide', () => {
    const [watch] = watchAndPhone(5)
    const strap = (lateS: number) => {
      const startMs = watch.startMs + lateS * 1000
      const nowhere = watch.track!.latDeg.map(() => Number.NaN)
      return { ...watch, startMs, track: { ...watch.track!, startMs, latDeg: nowhere, lonDeg: nowhere } }
    }
    expect(sameRun(watch, strap(110))).toMatchObject({ certainty: 'certain' })
    expect(sameRun(watch, strap(130))).toMatchObject({ certainty: 'possible' })
  })
})
