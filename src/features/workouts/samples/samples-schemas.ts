import { Type } from '@sinclair/typebox'
import { integer, nullable, number } from '../../../http/schemas.ts'
import type { SampleColumn } from '../../../workers/sample-text.ts'
import { EFFORT, JUDGEMENT } from '../efforts/edit.ts'

const FEWEST_POINTS = 10
const MOST_POINTS = 100_000

export const SamplesParameters = Type.Object({
  maxPoints: Type.Optional(
    integer({
      minimum: FEWEST_POINTS,
      maximum: MOST_POINTS,
      description: 'Most rows; extremes of heart rate, pace and elevation are kept; absent: every row',
    }),
  ),
})

const COLUMNS: Readonly<Record<SampleColumn, string>> = {
  elapsedS: 'Seconds since the start, ascending',
  distanceM: 'Metres since the start',
  lat: 'Degrees north',
  lon: 'Degrees east',
  elevationM: 'Metres',
  heartRateBpm: 'Beats per minute',
  cadenceRpm: 'Revolutions per minute, one foot',
  powerWatts: 'Watts',
  speedMps: 'm/s, as recorded',
  paceS: 'Seconds per km over the 10 s on either side; null within pauses and where the runner stands',
  gapPaceS: 'Grade-adjusted seconds per km, likewise',
  gradePercent: '% of slope over the 25 m on either side',
  temperatureC: '°C',
}

function columns() {
  const schemas = Object.entries(COLUMNS).map(([name, description]) => [name, column(description)])
  return Object.fromEntries(schemas) as Readonly<Record<SampleColumn, ReturnType<typeof column>>>
}

function column(description: string) {
  return nullable(Type.Array(nullable(Type.Number()), { description: `${description}; null: no row has a value` }))
}

export const Samples = Type.Object(
  {
    totalCount: integer('Rows stored'),
    count: integer('Rows of this answer: the length of every column'),
    ...columns(),
    pauses: Type.Array(
      Type.Object(
        { startS: number('Seconds since the start of the run'), endS: number('Seconds since the start of the run') },
        { title: 'TimerPause' },
      ),
      { description: 'When the timer of the device stood still' },
    ),
    bestEfforts: Type.Array(
      Type.Object(
        {
          ...EFFORT,
          startS: number('Seconds since the start of the run'),
          endS: number('Seconds since the start of the run'),
          ...JUDGEMENT,
        },
        { title: 'SampledEffort' },
      ),
      { description: 'The fastest section of each standard distance within this run, shortest first' },
    ),
  },
  { title: 'Samples', description: 'Columns of equal length; null in a column is a gap' },
)
