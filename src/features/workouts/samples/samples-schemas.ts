import { Type } from '@sinclair/typebox'
import { integer, nullable } from '../../../http/schemas.ts'
import type { SampleColumn } from '../../../workers/sample-text.ts'
import { JUDGEMENT } from '../efforts/edit.ts'

const FEWEST_POINTS = 10
const MOST_POINTS = 100_000

export const SamplesParameters = Type.Object({
  maxPoints: Type.Optional(
    integer({
      minimum: FEWEST_POINTS,
      maximum: MOST_POINTS,
      description: 'At most so many rows; extremes are kept. Absent: every row',
    }),
  ),
})

const COLUMNS: Readonly<Record<SampleColumn, string>> = {
  elapsedS: 'seconds since the start, ascending',
  distanceM: 'cumulative metres',
  lat: 'degrees',
  lon: 'degrees',
  elevationM: 'metres',
  heartRateBpm: 'beats per minute',
  cadenceRpm: 'one foot per minute',
  powerWatts: 'watts',
  speedMps: 'm/s, as recorded',
  paceS: 'seconds per km over the 10 s on either side; null within pauses and where the runner stands',
  gapPaceS: 'grade-adjusted seconds per km, likewise',
  gradePercent: 'slope over 25 m on either side, %',
  temperatureC: '°C',
}

function columns() {
  const schemas = Object.entries(COLUMNS).map(([name, description]) => [name, column(description)])
  return Object.fromEntries(schemas) as Readonly<Record<SampleColumn, ReturnType<typeof column>>>
}

function column(description: string) {
  return nullable(Type.Array(nullable(Type.Number()), { description }))
}

export const Samples = Type.Object(
  {
    totalCount: integer({ description: 'rows stored' }),
    count: integer({ description: 'rows of this answer: the length of every column' }),
    ...columns(),
    pauses: Type.Array(Type.Object({ startS: Type.Number(), endS: Type.Number() }), {
      description: 'The timer stood still, elapsed seconds',
    }),
    bestEfforts: Type.Array(
      Type.Object({
        distance: Type.String(),
        distanceM: Type.Number(),
        timeS: integer(),
        timeMs: integer(),
        startS: Type.Number({ description: 'elapsed seconds' }),
        endS: Type.Number({ description: 'elapsed seconds' }),
        ...JUDGEMENT,
      }),
      { description: 'The fastest section of each standard distance within this run, shortest first' },
    ),
  },
  { description: 'Columns of equal length; null in a column is a gap' },
)
