import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_SHOES, MOST_WORN_M, RETIRE_AT_M } from '../../engine/limits.ts'
import {
  choice,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  text,
  trimmedText,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'

const RETIRE_AT = 'Metres at which the runner wants to retire the shoe; null: no own limit'

const mileage = {
  totalMileage: number('Distance of all assigned runs and the initial mileage, in `unit`, not rounded'),
  unit: meaning('Unit of `totalMileage`', { ...choice('km', 'miles'), title: 'MileageUnit' }),
}

const shoe = {
  id: uuid('Id of the shoe'),
  brand: text('Brand of the shoe'),
  model: text('Model of the shoe'),
  initialMileageM: nullable(number('Metres run before Harrier; null: none stated')),
  ...mileage,
}

const ShoeRun = Type.Object(
  {
    id: uuid('Id of the run'),
    startedAt: moment('Start of the run'),
    utcOffsetMinutes: UtcOffset,
  },
  { title: 'ShoeRun' },
)

export const Shoe = Type.Object(
  {
    ...shoe,
    createdAt: moment('When the shoe was added'),
    updatedAt: moment('When the shoe was last edited'),
    retiredAt: nullable(moment('Since when the shoe is retired; null: it is in use')),
    retireAtM: nullable(number(RETIRE_AT)),
    runs: integer('Number of runs in this shoe, without those in the trash'),
    avgPaceS: nullable(number('Seconds per km over all runs, durations by distances; null: no distance yet')),
    firstRun: meaning('The earliest run in this shoe; null: none', nullable(ShoeRun)),
    lastRun: meaning('The latest run in this shoe; null: none', nullable(ShoeRun)),
  },
  { title: 'Shoe' },
)

const brand = trimmedText({ minLength: 1, maxLength: LENGTHS.shoe, description: 'Brand of the shoe, trimmed' })
const model = trimmedText({ minLength: 1, maxLength: LENGTHS.shoe, description: 'Model of the shoe, trimmed' })

const wear = {
  initialMileageM: Type.Optional(
    nullable(number({ minimum: 0, maximum: MOST_WORN_M, description: 'Metres run before Harrier; null: none stated' })),
  ),
  retiredAt: Type.Optional(nullable(moment('Since when the shoe is retired, from 1990 to now; null: it is in use'))),
  retireAtM: Type.Optional(
    nullable(number({ minimum: RETIRE_AT_M[0], maximum: RETIRE_AT_M[1], description: RETIRE_AT })),
  ),
}

export const NewShoe = Type.Object(
  { brand, model, ...wear },
  { title: 'NewShoe', examples: [{ brand: 'Hoka', model: 'Clifton 9', initialMileageM: 50_000 }] },
)

export const ShoeEdit = Type.Object(
  { brand: Type.Optional(brand), model: Type.Optional(model), ...wear },
  { title: 'ShoeEdit' },
)

export const ShoeMileage = Type.Object({ shoeId: uuid('Id of the shoe'), ...mileage }, { title: 'ShoeMileage' })

export const MileageQuery = Type.Object({
  unitPreference: Type.Optional(
    meaning('metric: in km, imperial: in miles; the stored preference when absent', {
      ...choice('metric', 'imperial'),
      title: 'UnitPreference',
    }),
  ),
})

export const DefaultShoe = Type.Object(
  { defaultShoeId: uuid('Id of the default shoe'), ...shoe, id: uuid('The same id') },
  { title: 'DefaultShoe' },
)

export const DefaultShoeRequest = Type.Object({
  defaultShoeId: nullable(uuid('Shoe that new runs get, not a retired one; null: new runs get none')),
})

export const ChosenShoe = Type.Object({
  defaultShoeId: nullable(uuid('The default shoe; null: new runs get none')),
  brand: nullable(text('Brand of the default shoe; null: there is none')),
  model: nullable(text('Model of the default shoe; null: there is none')),
})

export const ShoeFound = Type.Object(
  {
    name: text('Name that recordings give the shoe'),
    runs: integer('Runs of the library whose recordings name it'),
    runsWithoutShoe: integer('Of these, runs without a shoe, except those whose shoe the runner removed'),
    shoeId: nullable(uuid('The shoe of this name; null: there is none')),
  },
  { title: 'ShoeFound' },
)

export const NamesFromImport = Type.Object({
  names: Type.Array(trimmedText({ minLength: 1, maxLength: LENGTHS.name }), {
    minItems: 1,
    maxItems: MOST_SHOES,
    description: 'Names as GET /shoes/from-import or an import gives them, in any case',
  }),
})

export const ShoesFromImport = Type.Object({
  shoes: Type.Array(
    Type.Object(
      {
        name: text('Name of the shoe in the recordings, else as it was sent'),
        shoeId: nullable(uuid('The shoe of this name; null: neither a recording nor a shoe has it')),
        created: flag('true: this call added the shoe; false: it existed, or no recording names it'),
        runs: integer('Runs that the shoe was assigned to'),
      },
      { title: 'ShoeFromImport' },
    ),
    { description: 'One for each name that was sent, in that order; a name sent twice occurs once' },
  ),
})
