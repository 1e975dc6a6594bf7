import { Type } from '@sinclair/typebox'
import { LAP_INTENSITIES, LAP_TRIGGERS } from '../../../engine/laps.ts'
import { MOST_REPETITIONS } from '../../../engine/limits.ts'
import { choice, integer, meaning, nullable, number, text, titled } from '../../../http/schemas.ts'

/** Numbers of a part of a run; as those of a split. */
const STRETCH = {
  startElapsedS: number('Seconds since the start of the run'),
  endElapsedS: number('Seconds since the start of the run'),
  distanceM: nullable(number('Metres of the samples; null: unknown')),
  durationS: integer('Elapsed seconds, pauses included'),
  timerTimeS: nullable(integer('Seconds that the timer ran; null: unknown')),
  movingTimeS: nullable(integer('Seconds without stops; null: unknown')),
  paceS: nullable(number('Seconds per km of the elapsed time; null: no distance')),
  gapPaceS: nullable(number('Grade-adjusted seconds per km; null: no elevation data')),
  avgHeartRateBpm: nullable(integer('Beats per minute; null: no heart rate')),
  maxHeartRateBpm: nullable(integer('Beats per minute; null: no heart rate')),
  avgCadenceRpm: nullable(integer('Revolutions per minute, one foot; null: no cadence')),
  avgPowerWatts: nullable(integer('Watts; null: no power')),
  elevGainM: nullable(number('Metres of climb; null: no elevation data')),
  elevLossM: nullable(number('Metres of descent; null: no elevation data')),
}

export const Laps = Type.Array(
  Type.Object(
    {
      idx: integer('From 0'),
      ...STRETCH,
      trigger: meaning('What ended it, as recorded; null: unknown', nullable(choice(...LAP_TRIGGERS))),
      intensity: meaning('Its kind, as recorded; null: unknown', nullable(choice(...LAP_INTENSITIES))),
      series: integer('0; or 1: nested in laps of series 0, or overlapping them'),
    },
    { title: 'DeviceLap' },
  ),
  {
    description: 'Series 0, then 1, each in order, cut to the run; without samples with the numbers of the device',
  },
)

const Target = Type.Object(
  {
    kind: meaning('Whether value is a distance or a time', choice('distance', 'time')),
    value: number('Metres or seconds'),
  },
  { title: 'IntervalTarget' },
)
const END = {
  endHeartRateBpm: nullable(integer('Beats per minute, mean of its last 10 s; null: no heart rate')),
}

const Repetition = Type.Object(
  {
    ...STRETCH,
    target: nullable(meaning('Its planned length; null: in a fartlek', Target)),
    ...END,
    recovery: nullable(
      Type.Object(
        {
          ...STRETCH,
          ...END,
          heartRateDropBpm: nullable(
            integer('Beats per minute from the end of the repetition to that of the recovery; null: no heart rate'),
          ),
        },
        { title: 'IntervalRecovery', description: 'The easy part that follows; null: after the last' },
      ),
    ),
  },
  { title: 'IntervalRepetition' },
)

export const WorkoutIntervals = Type.Object(
  {
    source: meaning(
      'Laps of the device, steps of the pace, or the runner by PUT; null: there are no repetitions',
      nullable(titled('IntervalSource', choice('laps', 'pace', 'runner'))),
    ),
    summary: nullable(
      Type.Object(
        {
          title: text('The sets by their targets, such as 5 × 4:00'),
          paceS: nullable(
            number('Seconds per km, mean of sets that are alike, else of that with most repetitions; null: unknown'),
          ),
          recoveryS: nullable(number('Seconds, likewise; null: there are none')),
          fadeS: nullable(number('Seconds per km, likewise; null: unknown')),
          text: text('Title and numbers in a sentence'),
        },
        { title: 'IntervalSummary', description: 'null: there are no repetitions' },
      ),
    ),
    sets: Type.Array(
      Type.Object(
        {
          kind: meaning('Repetitions of one target, of several, or of none', choice('equal', 'ladder', 'fartlek')),
          title: text('Such as 5 × 4:00, 400-800-400 m or Fartlek × 7'),
          target: nullable(meaning('That all repetitions share; null: ladder or fartlek', Target)),
          repetitions: Type.Array(Repetition, { description: 'In order' }),
          paceS: nullable(number('Seconds per km over all repetitions; null: no distance')),
          recoveryS: nullable(number('Mean seconds of the recoveries within the set; null: there are none')),
          fadeS: nullable(
            number('Seconds per km lost from first to last, by regression; null: fewer than three equal ones'),
          ),
        },
        { title: 'IntervalSet' },
      ),
      { description: 'In order; empty: there are no repetitions' },
    ),
  },
  {
    title: 'WorkoutIntervals',
  },
)

export const IntervalsEdit = Type.Object(
  {
    stretches: nullable(
      Type.Array(
        Type.Object(
          {
            startS: number({ minimum: 0, description: 'Seconds since the start of the run' }),
            endS: number({ minimum: 0, description: 'Seconds since the start of the run' }),
          },
          { title: 'GivenRepetition' },
        ),
        {
          maxItems: MOST_REPETITIONS,
          description:
            'In order, apart and within the run, each at least 5 s; empty: there are none; null: recognised again',
        },
      ),
    ),
  },
  { title: 'IntervalsEdit', examples: [{ stretches: [{ startS: 600, endS: 840 }] }] },
)
