import { describe, expect, test } from 'bun:test'
import { trackEfforts } from '../../../src/engine/analyze.ts'
import { combine } from '../../../src/engine/combine.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../../../src/engine/run/zones.ts'
import { type FitnessRun, steadyRefusal } from '../../../src/engine/training/latent/fitness-rows.ts'
import { isMaxWorthProposing, isPaceWorthProposing, isStillRefused } from '../../../src/engine/training/proposals.ts'
import { runTraining } from '../../../src/engine/training/run/run-training.ts'
import { parseFile } from '../../../src/formats/registry.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { START_MS } from '../../fixtures/runs.ts'

/** What the training views keep of a run of 3 m/s whose height changes by a share of its way. */
function kept(slope: number, session: Parameters<typeof fitFile>[0]['session'] = {}) {
  const samples = Array.from({ length: 1801 }, (_, t) => ({
    ...{ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3, elevM: 2000 + slope * t * 3, speedMps: 3, hr: 140 },
  }))
  const bytes = fitFile({ startMs: START_MS, manufacturer: 1, product: 1967, session, samples })
  const { activities } = parseFile(bytes, { filename: 'a.fit', nowMs: START_MS, anySport: false })
  const track = cleanRecording(activities[0]!.recording!)!
  const elevation = { thresholdM: 2, minDistanceM: 10 }
  const options = { primary: 0, ours: { effort: false }, zones: DEFAULT_ZONES, elevation }
  const { readings } = combine([{ kind: 'file', said: {}, track }], [], options)
  const efforts = trackEfforts(track, readings!.distanceM)
  return runTraining(track, readings!, efforts)
}

describe('what is kept of a run', () => {
  test('on the flat the flat metres are those that were run', () => {
    const run = kept(0)
    expect(run).toMatchObject({ isAltitudeUsable: true, isIndoor: false, peaks: [[3, 140]], lockedS: 0 })
    expect(run.speed.counts.reduce((sum, seconds) => sum + seconds, 0)).toBe(1800)
    expect(new Map(run.effortGradedM!).get(5)).toBeCloseTo(5000, 2)
    expect(run.headings).toEqual([{ towardsDeg: 0, seconds: 1800, mps: 3 }])
  })
  test('downhill is worth fewer metres, uphill more, a treadmill those it counts', () => {
    const mile = (run: ReturnType<typeof kept>) => new Map(run.effortGradedM).get(3)!
    expect(mile(kept(-0.05))).toBeLessThan(1500)
    expect(mile(kept(0.05))).toBeGreaterThan(1800)
    expect(kept(0.05).gainPerKm!).toBeCloseTo(50, 0)
    expect(kept(0.05, { subSport: 1 })).toMatchObject({ isIndoor: true, isAltitudeUsable: false, effortGradedM: null })
  })
})

const RUN: FitnessRun = {
  ...{ day: 0, isRace: false, isExcluded: false, isIndoor: false, isAltitudeUsable: true, gainPerKm: 40 },
  ...{ movingS: 2000, countedS: 900, mps: 3, bpm: 140, coverage: 0.9, speedCv: 0.15, wbgtC: 30, best: null },
}

test.each<[change: Partial<FitnessRun>, reason: string | null]>([
  [{}, null],
  [{ bpm: null, coverage: 0 }, null],
  [{ isAltitudeUsable: false, gainPerKm: 9 }, null],
  [{ countedS: 899 }, 'tooShort'],
  [{ coverage: 0.89 }, 'heartRateGaps'],
  [{ speedCv: 0.16 }, 'notSteady'],
  [{ isExcluded: true }, 'excluded'],
  [{ isIndoor: true }, 'indoor'],
  [{ bpm: 113 }, 'uncertain'],
  [{ bpm: 181 }, 'uncertain'],
  [{ isAltitudeUsable: false }, 'gpsAltitude'],
  [{ mps: null }, 'noDistance'],
])('a run with %j is no row by its speed: %s', (change, reason) => {
  expect(steadyRefusal({ ...RUN, ...change }, 190) as string | null).toBe(reason)
})

test('what is worth proposing, and what is not proposed', () => {
  expect([186, 185, 180].map((bpm) => isMaxWorthProposing(185, bpm))).toEqual([true, false, false])
  expect([isPaceWorthProposing(300, 304), isPaceWorthProposing(300, 295)]).toEqual([false, true])
  expect([isStillRefused('lthr', 172, 173), isStillRefused('lthr', 172, 174)]).toEqual([true, false])
  expect([isStillRefused('thresholdPace', 300, 295), isStillRefused('thresholdPace', 300, 293)]).toEqual([true, false])
})
