import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import {
  day,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  optionalDay,
  text,
  trimmedText,
  uuid,
} from '../../http/schemas.ts'
import { RACE_LIMITS } from '../../library/training/documents.ts'
import { Estimate, timezoneOffsetMinutes } from './schemas.ts'

const [leastM, mostM] = RACE_LIMITS.distanceM
const [leastS, mostS] = RACE_LIMITS.goalTimeS

const RACE = {
  date: day('Local day of the race'),
  name: trimmedText({ minLength: 1, maxLength: LENGTHS.name, description: 'Name of the race' }),
  distanceM: number({ minimum: leastM, maximum: mostM, description: 'Official distance, metres' }),
}
const OTHERS = {
  goalTimeS: nullable(integer({ minimum: leastS, maximum: mostS, description: 'Seconds; null: none' })),
  note: nullable(trimmedText({ maxLength: LENGTHS.notes, description: 'An empty one is null; null: none' })),
  workoutId: nullable(
    uuid('The run that is its result, whatever its day and distance; null: none is. Sets `isLinked`'),
  ),
  isLinked: flag('false: its result is the Race run of that day within 6% of the distance; true: as `workoutId` says'),
}

export const NewRace = Type.Object(
  { ...RACE, ...Type.Partial(Type.Object(OTHERS)).properties },
  { title: 'NewRace', examples: [{ date: '2026-06-14', name: 'City 10K', distanceM: 10_000, goalTimeS: 2400 }] },
)

export const RaceEdit = Type.Partial(Type.Object({ ...RACE, ...OTHERS }), {
  title: 'RaceEdit',
})

export const MOST_LISTED = 500

export const RacesQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; no bound when absent'),
  to: optionalDay('The day after the last one; no bound when absent'),
})

export const RaceAnswer = Type.Object(
  {
    id: nullable(uuid('null: a run of the type Race that was not planned')),
    date: day('Local day of the race'),
    name: nullable(text('Of a race that was not planned that of its run; null: it has none')),
    distanceM: number('Metres; of a race that was not planned the standard distance within 2%, if any'),
    goalTimeS: nullable(integer('Seconds; null: none')),
    note: nullable(text('null: none')),
    workoutId: nullable(uuid('The run that is its result; null: none')),
    isLinked: flag('true: the runner chose its run, or that it has none'),
    timeMs: nullable(integer('Elapsed time of the run; null: no run')),
    place: nullable(
      Type.Object(
        { rank: integer('1: the fastest'), of: integer('Races that were run over this distance') },
        { title: 'RacePlace', description: 'Among all races over this distance; null: no run' },
      ),
    ),
    prediction: meaning('Time, s, as expected on the day before, for a race to come today; 1.5 to 100 km', Estimate),
    inPrediction: nullable(flag('true: the time is within the predicted range; null: no time or no range')),
    updatedAt: moment('When it was last changed; of a race that was not planned its run'),
    ageGrade: Type.Null({ description: 'Not computed yet' }),
  },
  { title: 'Race' },
)
