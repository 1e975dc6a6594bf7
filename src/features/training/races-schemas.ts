import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { CalendarDate, integer, nullable, optionalDay, trimmedText, Uuid } from '../../http/schemas.ts'
import { RACE_LIMITS } from '../../library/training/documents.ts'
import { Estimate, timezoneOffsetMinutes } from './schemas.ts'

const [leastM, mostM] = RACE_LIMITS.distanceM
const [leastS, mostS] = RACE_LIMITS.goalTimeS

const RACE = {
  date: CalendarDate,
  name: trimmedText({ minLength: 1, maxLength: LENGTHS.name }),
  distanceM: Type.Number({ minimum: leastM, maximum: mostM }),
}
const OTHERS = {
  goalTimeS: nullable(integer({ minimum: leastS, maximum: mostS })),
  note: nullable(trimmedText({ maxLength: LENGTHS.notes })),
  workoutId: nullable(Type.String({ format: 'uuid', description: 'Its result, null: none' })),
  isLinked: Type.Boolean({ description: 'false: the Race run of that day and distance' }),
}

export const NewRace = Type.Object(
  { ...RACE, ...Type.Partial(Type.Object(OTHERS)).properties },
  { examples: [{ date: '2026-06-14', name: 'City 10K', distanceM: 10_000, goalTimeS: 2400 }] },
)

export const RaceEdit = Type.Partial(Type.Object({ ...RACE, ...OTHERS }), { examples: [{ goalTimeS: 2380 }] })

export const MOST_LISTED = 500

export const RacesQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; no bound when absent'),
  to: optionalDay('The day after the last one; no bound when absent'),
})

export const RaceAnswer = Type.Object({
  id: nullable(Type.String({ format: 'uuid', description: 'null: a run of the type Race that was not planned' })),
  date: CalendarDate,
  name: nullable(Type.String()),
  distanceM: Type.Number({ description: 'Of a race that was not planned the standard distance within 2%, if any' }),
  goalTimeS: nullable(integer()),
  note: nullable(Type.String()),
  workoutId: nullable(Uuid),
  isLinked: Type.Boolean({ description: 'The runner chose its run, or that it has none' }),
  timeMs: nullable(integer({ description: 'Elapsed time of the run' })),
  place: nullable(
    Type.Object({ rank: integer(), of: integer() }, { description: 'Among all races over this distance' }),
  ),
  prediction: Estimate,
  inPrediction: nullable(Type.Boolean({ description: 'Whether the time is within the predicted range' })),
  ageGrade: Type.Null({ description: 'Not computed yet' }),
})
