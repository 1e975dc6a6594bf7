import { Type } from '@sinclair/typebox'
import { LAP_INTENSITIES, LAP_TRIGGERS } from '../../../engine/laps.ts'
import { MOST_REPETITIONS } from '../../../engine/limits.ts'
import { choice, integer, nullable } from '../../../http/schemas.ts'

const seconds = (description: string) => Type.Number({ description })
const metres = nullable(Type.Number({ description: 'metres' }))
const bpm = nullable(integer({ description: 'beats per minute' }))

/** Numbers of a stretch of a run; as those of a split. */
const STRETCH = {
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

export const Laps = Type.Array(
  Type.Object({
    idx: integer({ description: 'from 0' }),
    ...STRETCH,
    trigger: nullable(choice(...LAP_TRIGGERS)),
    intensity: nullable(choice(...LAP_INTENSITIES)),
    series: integer({ description: '1: nested in laps of series 0, or overlapping them' }),
  }),
  {
    description: 'Series 0, then 1, each in order, cut to the run; otherwise as the device recorded them',
    examples: [
      [
        {
          idx: 0,
          startElapsedS: 600,
          endElapsedS: 840.2,
          distanceM: 1034.5,
          durationS: 240,
          timerTimeS: 240,
          movingTimeS: 240,
          paceS: 232.19,
          gapPaceS: 233.4,
          avgHeartRateBpm: 168,
          maxHeartRateBpm: 176,
          avgCadenceRpm: 91,
          avgPowerWatts: 312,
          elevGainM: 1.2,
          elevLossM: 0.4,
          trigger: 'time',
          intensity: 'interval',
          series: 0,
        },
      ],
    ],
  },
)

const paceS = nullable(seconds('per km'))
const Target = Type.Object({
  kind: choice('distance', 'time'),
  value: Type.Number({ description: 'metres or seconds' }),
})
const END = {
  endHeartRateBpm: nullable(integer({ description: 'mean of the last ten seconds' })),
}
const REST = {
  startElapsedS: 840,
  endElapsedS: 960,
  distanceM: 290.4,
  durationS: 120,
  timerTimeS: 120,
  movingTimeS: 120,
  paceS: 413.22,
  gapPaceS: 413.9,
  avgHeartRateBpm: 151,
  maxHeartRateBpm: 174,
  avgCadenceRpm: 82,
  avgPowerWatts: null,
  elevGainM: 0,
  elevLossM: 0.4,
  endHeartRateBpm: 138,
  heartRateDropBpm: 36,
}
const REPETITION = {
  startElapsedS: 600,
  endElapsedS: 840,
  distanceM: 1034.5,
  durationS: 240,
  timerTimeS: 240,
  movingTimeS: 240,
  paceS: 232,
  gapPaceS: 233.4,
  avgHeartRateBpm: 168,
  maxHeartRateBpm: 176,
  avgCadenceRpm: 91,
  avgPowerWatts: null,
  elevGainM: 1.2,
  elevLossM: 0.4,
  target: { kind: 'time', value: 240 },
  endHeartRateBpm: 174,
}
const NUMBERS = { paceS: 232.4, recoveryS: 120, fadeS: 3.1 }

export const WorkoutIntervals = Type.Object(
  {
    source: nullable(choice('laps', 'pace', 'runner')),
    summary: nullable(
      Type.Object({
        title: Type.String({ description: 'the sets by their targets' }),
        paceS,
        recoveryS: nullable(seconds('mean')),
        fadeS: nullable(seconds('per km')),
        text: Type.String({ description: 'title and numbers in a sentence' }),
      }),
    ),
    sets: Type.Array(
      Type.Object({
        kind: choice('equal', 'ladder', 'fartlek'),
        title: Type.String(),
        target: nullable(Target),
        repetitions: Type.Array(
          Type.Object({
            ...STRETCH,
            target: nullable(Target),
            ...END,
            recovery: nullable(
              Type.Object(
                {
                  ...STRETCH,
                  ...END,
                  heartRateDropBpm: nullable(
                    integer({ description: 'from the end of the repetition to the end of the recovery' }),
                  ),
                },
                { description: 'null after the last' },
              ),
            ),
          }),
        ),
        paceS,
        recoveryS: nullable(seconds('mean of those within the set')),
        fadeS: nullable(
          seconds(
            'per km by which the pace fell from the first to the last, by regression; of three equal ones or more',
          ),
        ),
      }),
    ),
  },
  {
    description: 'source: what they were recognised from, runner: given by PUT, null: there are none',
    examples: [
      {
        source: 'laps',
        summary: { title: '5 × 4:00', ...NUMBERS, text: '5 × 4:00 at 3:52/km, recovery 2:00, fade +3 s' },
        sets: [
          {
            kind: 'equal',
            title: '5 × 4:00',
            target: { kind: 'time', value: 240 },
            repetitions: [{ ...REPETITION, recovery: REST }],
            ...NUMBERS,
          },
        ],
      },
    ],
  },
)

export const IntervalsEdit = Type.Object(
  {
    stretches: nullable(
      Type.Array(
        Type.Object({
          startS: Type.Number({ minimum: 0, description: 'seconds since the start of the run' }),
          endS: Type.Number({ minimum: 0, description: 'seconds since the start of the run' }),
        }),
        { maxItems: MOST_REPETITIONS, description: 'in order and apart, each at least 5 s; null: recognised again' },
      ),
    ),
  },
  { examples: [{ stretches: [{ startS: 600, endS: 840 }] }] },
)
