import { Type } from '@sinclair/typebox'
import { choice, meaning, moment, nullable, number, text, UtcOffset, uuid } from '../../../http/schemas.ts'

const column = (description: string) => Type.Array(Type.Number(), { description })

const Parts = {
  gapS: number('Seconds behind the other run at the last place; negative is ahead'),
  stopsS: number('Seconds of it from standing longer'),
  climbS: nullable(number('Seconds of it from slopes; null: neither run has elevation')),
  paceS: number('Seconds of it from pace: the rest'),
}

export const GhostRace = Type.Object(
  {
    ghost: Type.Object(
      {
        workoutId: uuid('Of the other run'),
        name: nullable(text('Its name; null: none')),
        startedAt: moment('Its start'),
        utcOffsetMinutes: UtcOffset,
      },
      { title: 'GhostRun', description: 'The other run' },
    ),
    sharedShare: number('Share of the run on the ground of the other one, this way round: 0.5 to 1'),
    ...Parts,
    places: Type.Object(
      {
        distanceM: column('Metres of the run'),
        elapsedS: column('Seconds of the run'),
        ghostElapsedS: column('Seconds of the other run, on its own clock'),
        gapS: column('Seconds behind since the first place; negative is ahead: the sum of the three that follow'),
        stopsS: column('Seconds from standing longer'),
        climbS: nullable(column('Seconds from slopes, by their grade-adjusted cost; null: neither run has elevation')),
        paceS: column('Seconds from pace: the rest'),
      },
      {
        title: 'GhostPlaces',
        description: 'Columns of equal length: places that both runs passed, some 20 m apart',
      },
    ),
    stops: Type.Array(
      Type.Object(
        {
          of: meaning('Who stood: the run or the other one', choice('run', 'ghost')),
          distanceM: number('Metres of the run'),
          seconds: number('How long'),
        },
        { title: 'GhostStop' },
      ),
      { description: 'Of either run, 5 s and longer, the longest first; at most 50' },
    ),
  },
  {
    title: 'GhostRace',
    examples: [
      {
        ghost: {
          workoutId: '0198a000-0000-7000-8000-000000000001',
          name: 'Park',
          startedAt: '2025-05-03T06:12:00Z',
          utcOffsetMinutes: 120,
        },
        sharedShare: 0.98,
        gapS: 37.2,
        stopsS: 31,
        climbS: 0.4,
        paceS: 5.8,
        places: {
          distanceM: [0, 20.1],
          elapsedS: [0, 6.9],
          ghostElapsedS: [0, 6.7],
          gapS: [0, 0.2],
          stopsS: [0, 0],
          climbS: [0, 0],
          paceS: [0, 0.2],
        },
        stops: [{ of: 'run', distanceM: 3204.5, seconds: 31 }],
      },
    ],
  },
)
