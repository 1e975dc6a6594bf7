import { Type } from '@sinclair/typebox'
import { LAP_INTENSITIES, LAP_TRIGGERS } from '../engine/laps.ts'
import { choice, integer, nullable } from '../http/schemas.ts'

const seconds = (description: string) => Type.Number({ description })
const metres = nullable(Type.Number({ description: 'metres' }))
const bpm = nullable(integer({ description: 'beats per minute' }))

/** The numbers of a stretch of a run, as those of a split. */
export const STRETCH = {
  startElapsedS: seconds('since the start of the run'),
  endElapsedS: seconds('since the start of the run'),
  distanceM: nullable(Type.Number({ description: 'metres of the samples' })),
  durationS: integer({ description: 'elapsed seconds, pauses included' }),
  timerTimeS: nullable(integer({ description: 'seconds the watch was running' })),
  movingTimeS: nullable(integer({ description: 'seconds' })),
  paceS: nullable(seconds('per km of the elapsed time')),
  gapPaceS: nullable(seconds('per km, grade-adjusted')),
  avgHeartRateBpm: bpm,
  maxHeartRateBpm: bpm,
  avgCadenceRpm: nullable(integer({ description: 'one foot per minute' })),
  avgPowerWatts: nullable(integer({ description: 'watts' })),
  elevGainM: metres,
  elevLossM: metres,
}

/** What GET /workouts/{id}/laps answers. */
export const Laps = Type.Array(
  Type.Object({
    idx: integer({ description: 'from 0' }),
    ...STRETCH,
    trigger: nullable(choice(...LAP_TRIGGERS)),
    intensity: nullable(choice(...LAP_INTENSITIES)),
  }),
  {
    description: 'In the order of the run, cut to it; trigger and intensity are the words of the device',
    examples: [
      [
        {
          ...{ idx: 0, startElapsedS: 600, endElapsedS: 840.2, distanceM: 1034.5, durationS: 240, timerTimeS: 240 },
          ...{ movingTimeS: 240, paceS: 232.19, gapPaceS: 233.4, avgHeartRateBpm: 168, maxHeartRateBpm: 176 },
          ...{ avgCadenceRpm: 91, avgPowerWatts: 312, elevGainM: 1.2, elevLossM: 0.4 },
          ...{ trigger: 'time', intensity: 'interval' },
        },
      ],
    ],
  },
)
