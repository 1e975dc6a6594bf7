import type { TrendRun } from '../../../../src/engine/training/truth/trend-rows.ts'

/** A run that takes part. */
export const STEADY: TrendRun = {
  ...{ day: 0, hour: 18, isRace: false, isExcluded: false, isSuspect: false, isIndoor: false },
  ...{ isAltitudeUsable: true, gainPerKm: 5, movingS: 2700, countedS: 2400, mps: 3, bpm: 145, coverage: 1 },
  ...{ speedCv: 0.05, wbgtC: 12, temperatureC: 9, windCostPct: 0, tired: 0, place: [48.1, 11.5], device: 'Watch' },
}
