import type { Samples } from '../../../src/web/run/run-view.ts'

/** Samples of a run of which only these columns are known. */
export function samplesOf(columns: Partial<Samples>): Samples {
  const count = columns.elapsedS?.length ?? 0
  return {
    ...{ totalCount: count, count, elapsedS: null, distanceM: null, lat: null, lon: null, elevationM: null },
    ...{ heartRateBpm: null, cadenceRpm: null, powerWatts: null, speedMps: null, paceS: null, gapPaceS: null },
    ...{ gradePercent: null, temperatureC: null, pauses: [], bestEfforts: [] },
    ...columns,
  }
}
