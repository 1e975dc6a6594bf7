import { Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../../../http/schemas.ts'

const column = (description: string) => Type.Array(Type.Number(), { description })

const Parts = {
  gapS: Type.Number({ description: 'seconds behind at the last place; negative is ahead' }),
  stopsS: Type.Number({ description: 'of it: standing' }),
  climbS: nullable(Type.Number({ description: 'of it: slopes' })),
  paceS: Type.Number({ description: 'of it: pace' }),
}

export const GhostRace = Type.Object(
  {
    ghost: Type.Object({
      workoutId: Uuid,
      name: nullable(Type.String()),
      startedAt: Timestamp,
      utcOffsetMinutes: nullable(integer()),
    }),
    sharedShare: Type.Number({ description: 'of the run, that is on the ground of the other one; 0.5 or more' }),
    ...Parts,
    places: Type.Object(
      {
        distanceM: column('metres of the run'),
        elapsedS: column('of the run'),
        ghostElapsedS: column('of the other run, on its own clock'),
        gapS: column('behind since the first place: the sum of the three that follow'),
        stopsS: column('standing longer'),
        climbS: nullable(column('hills, by their grade-adjusted cost; null: neither run has elevation')),
        paceS: column('the rest'),
      },
      { description: 'columns of equal length: places that both runs were at, some 20 m apart; seconds' },
    ),
    stops: Type.Array(
      Type.Object({
        of: choice('run', 'ghost'),
        distanceM: Type.Number({ description: 'metres of the run' }),
        seconds: Type.Number(),
      }),
      { description: 'of either, five seconds and longer, the longest first; at most 50' },
    ),
  },
  {
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
