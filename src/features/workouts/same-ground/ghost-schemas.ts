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
  },
)
