import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_SHOES, MOST_WORN_M, RETIRE_AT_M } from '../../engine/limits.ts'
import { choice, integer, nullable, Timestamp, trimmedText, Uuid } from '../../http/schemas.ts'

const mileage = {
  totalMileage: Type.Number({ description: 'All assigned runs and the initial mileage, in `unit`' }),
  unit: choice('km', 'miles'),
}

const shoe = {
  id: Uuid,
  brand: Type.String(),
  model: Type.String(),
  initialMileageM: nullable(Type.Number({ description: 'Metres' })),
  ...mileage,
}

const ShoeRun = nullable(
  Type.Object({ id: Uuid, startedAt: Timestamp, utcOffsetMinutes: nullable(integer()) }, { title: 'ShoeRun' }),
)

export const Shoe = Type.Object({
  ...shoe,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  retiredAt: nullable(Timestamp),
  retireAtM: nullable(Type.Number()),
  runs: integer(),
  avgPaceS: nullable(Type.Number()),
  firstRun: ShoeRun,
  lastRun: ShoeRun,
})

const brand = trimmedText({ minLength: 1, maxLength: LENGTHS.shoe })
const model = trimmedText({ minLength: 1, maxLength: LENGTHS.shoe })
const wornM = Type.Optional(
  nullable(Type.Number({ minimum: 0, maximum: MOST_WORN_M, description: 'Metres run before Harrier' })),
)

const ends = {
  retiredAt: Type.Optional(nullable(Timestamp)),
  retireAtM: Type.Optional(
    nullable(
      Type.Number({
        minimum: RETIRE_AT_M[0],
        maximum: RETIRE_AT_M[1],
      }),
    ),
  ),
}

export const NewShoe = Type.Object(
  { brand, model, initialMileageM: wornM, ...ends },
  { examples: [{ brand: 'Hoka', model: 'Clifton 9', initialMileageM: 50_000 }] },
)

export const ShoeEdit = Type.Object(
  {
    brand: Type.Optional(brand),
    model: Type.Optional(model),
    initialMileageM: wornM,
    ...ends,
  },
  { examples: [{ model: 'Clifton 9 GTX', retireAtM: 700_000 }] },
)

export const ShoeMileage = Type.Object({ shoeId: Uuid, ...mileage })

export const MileageQuery = Type.Object({ unitPreference: Type.Optional(choice('metric', 'imperial')) })

export const DefaultShoe = Type.Object({ defaultShoeId: Uuid, ...shoe })

export const DefaultShoeRequest = Type.Object(
  { defaultShoeId: nullable(Uuid) },
  { examples: [{ defaultShoeId: '0198b000-0000-7000-8000-000000000001' }] },
)

export const ChosenShoe = Type.Object({
  defaultShoeId: nullable(Uuid),
  brand: nullable(Type.String()),
  model: nullable(Type.String()),
})

export const ShoeFound = Type.Object({
  name: Type.String(),
  runs: integer({ description: 'runs of the library whose recordings name it' }),
  runsWithoutShoe: integer({
    description: 'of these, those without a shoe, except runs whose shoe the runner removed',
  }),
  /** null: no shoe has that name. */
  shoeId: nullable(Uuid),
})

export const NamesFromImport = Type.Object(
  {
    names: Type.Array(trimmedText({ minLength: 1, maxLength: LENGTHS.name }), {
      minItems: 1,
      maxItems: MOST_SHOES,
      description: 'As GET /shoes/from-import or an import gives them',
    }),
  },
  { examples: [{ names: ['Brooks Ghost 7'] }] },
)

export const ShoesFromImport = Type.Object({
  shoes: Type.Array(
    Type.Object({
      name: Type.String(),
      /** null: neither a recording nor a shoe has that name. */
      shoeId: nullable(Uuid),
      created: Type.Boolean({ description: 'false: there was one' }),
      runs: integer({ description: 'that it was assigned to' }),
    }),
  ),
})
