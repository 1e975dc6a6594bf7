import { type TBoolean, type TOptional, Type } from '@sinclair/typebox'
import { SHARED_PARTS, type SharedParts } from '../../db/stored.ts'
import {
  day,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  text,
  titled,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'
import { LineString } from '../workouts/schemas.ts'

type Part = (typeof SHARED_PARTS)[number]

/** Whether each is shown, and whether it is when nothing is said. */
const PARTS: Readonly<Record<Part, readonly [says: string, usual: boolean]>> = {
  map: ['The route, without what is hidden', true],
  pace: ['Pace, as a chart and by km or mile', true],
  heartRate: ['Heart rate, its average and as a chart', false],
  photos: ['Photos, of a cut run those that were taken where nothing is hidden', false],
  notes: ['The notes', false],
  startTime: ['The time of day, of a cut run the quarter-hour; false: the date alone', false],
}

const each = <T>(make: (says: string, usual: boolean) => T) =>
  Object.fromEntries(SHARED_PARTS.map((part) => [part, make(...PARTS[part])])) as Record<Part, T>

const asked = each((says, usual): TOptional<TBoolean> => Type.Optional(flag(`${says}; absent: ${usual}`)))

export const SharedViewQuery = Type.Object(asked)

export const NewShare = Type.Object(
  {
    days: Type.Optional(
      nullable(integer({ minimum: 1, maximum: 365, description: 'Days until it expires; null or absent: never' })),
    ),
    show: Type.Optional(Type.Object(asked, { title: 'SharedPartsAsked', description: 'What it shows' })),
  },
  { title: 'NewShare' },
)

export function shownParts(sent: Partial<SharedParts>): SharedParts {
  return { ...each((_, usual) => usual), ...sent }
}

export const Share = Type.Object(
  {
    workoutId: uuid('The run'),
    url: text('The address of its page on this server: /s/ and a token of 22 characters'),
    show: Type.Object(
      each((says) => flag(says)),
      { title: 'SharedParts', description: 'What the page shows' },
    ),
    createdAt: moment('When the address was made'),
    expiresAt: nullable(moment('From then on it is unknown; null: never')),
    name: nullable(text('Name of the run; null: none')),
    startedAt: moment('Start of the run'),
    utcOffsetMinutes: UtcOffset,
  },
  { title: 'Share' },
)

const values = (description: string) => nullable(Type.Array(nullable(Type.Number()), { description }))

export const SharedView = Type.Object(
  {
    name: nullable(text('null: none, or one that could tell what is hidden')),
    date: day('The day at the place of the run'),
    time: nullable(text('HH:mm at the place of the run; null: not shown')),
    notes: nullable(text('null: none, not shown, or they could tell what is hidden')),
    isTrimmed: flag('Whether something was cut; then everything is of what is left'),
    distanceM: number('Metres; of a cut run to 100 m or 0.1 mi'),
    timeS: integer('Seconds without stops, of a race all; of a cut run to the minute'),
    paceS: nullable(number('Seconds per km of that time; null: not shown, or no distance')),
    elevGainM: nullable(number('Metres of climb; null: no elevation data')),
    avgHeartRateBpm: nullable(number('Beats per minute; null: not shown, or no heart rate')),
    route: nullable(meaning('null: not shown, or nothing is left of it', LineString)),
    series: nullable(
      Type.Object(
        {
          distanceM: values('Metres from the beginning'),
          elevationM: values('Metres'),
          paceS: values('Seconds per km; null: not shown'),
          heartRateBpm: values('Beats per minute; null: not shown'),
        },
        { title: 'SharedSeries', description: 'At most 400 rows; null within a list: no value' },
      ),
    ),
    splits: Type.Array(
      titled(
        'SharedSplit',
        Type.Object({
          distanceM: number('Metres; the last is shorter or longer'),
          durationS: number('Seconds'),
          paceS: number('Seconds per km'),
        }),
      ),
      { description: 'By km or mile, with pauses; empty: not shown, or without samples' },
    ),
    photos: Type.Array(Type.Object({ caption: nullable(text('null: none')) }, { title: 'SharedPhoto' }), {
      description: 'At most 24, in the order of their arrival',
    }),
  },
  { title: 'SharedView' },
)
