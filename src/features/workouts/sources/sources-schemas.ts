import { type TSchema, Type } from '@sinclair/typebox'
import { RECORDING_ORIGINS } from '../../../db/stored.ts'
import { CORRECTED } from '../../../engine/judge/correction.ts'
import { eachNumber } from '../../../engine/numbers.ts'
import type { MemberForms } from '../../../engine/repair/kind.ts'
import { CHANNEL_NAMES } from '../../../engine/repair/merge.ts'
import { membersOf, REPAIR_KINDS, type Repair } from '../../../engine/repair/repairs.ts'
import type { Channel } from '../../../engine/run/channels.ts'
import { FILE_TYPES } from '../../../formats/registry.ts'
import { choice, nullable, Timestamp, Uuid } from '../../../http/schemas.ts'

const Origin = choice('device', 'samples', 'row', 'archive', 'runner', 'derived')
const text = nullable(Type.String())
const number = nullable(Type.Number())

const NumberSource = Type.Object(
  {
    value: nullable(Type.Number({ description: 'as it is stored and shown' })),
    origin: nullable(Origin),
    recordingId: nullable(Uuid),
    others: Type.Array(Type.Object({ origin: Origin, recordingId: nullable(Uuid), value: Type.Number() }), {
      description: 'What the other sources say',
    }),
  },
  { title: 'NumberSource' },
)

/** The recording that a channel comes from. */
export const FieldSources = Type.Partial(
  Type.Object(Object.fromEntries(CHANNEL_NAMES.map((name) => [name, Uuid])) as Record<Channel, typeof Uuid>),
  {
    title: 'FieldSources',
    description: 'Id of the recording that a channel comes from; absent: the primary one',
  },
)

const FORMS: { readonly [F in keyof MemberForms]: TSchema } = {
  recordedMs: Type.Number({ description: 'of the recorded clock' }),
  movedMs: Type.Number({ description: 'by which the run is moved' }),
  metres: Type.Number(),
  factor: number,
  kcal: number,
  climb: nullable(Type.Object({ gainM: Type.Number(), lossM: Type.Number() })),
  flag: Type.Boolean(),
  timeZone: text,
  numbers: Type.Object({}, { additionalProperties: true }),
  shifts: Type.Record(Uuid, Type.Number(), { description: 'seconds by recording' }),
  fields: FieldSources,
  recording: nullable(Uuid),
}

type Stated<R extends Repair> = R extends Repair
  ? { id: string; kind: R['kind']; data: Omit<R, 'kind'>; madeAt: string; undoneAt: string | null }
  : never

function repairOfKind(kind: Repair['kind']) {
  const members = membersOf(kind).map(([name, form]) => [
    name,
    typeof form === 'string' ? FORMS[form] : choice(...form),
  ])
  const data = Type.Object(Object.fromEntries(members))
  return Type.Object({ id: Uuid, kind: Type.Literal(kind), data, madeAt: Timestamp, undoneAt: nullable(Timestamp) })
}

const KINDS = Object.keys(REPAIR_KINDS) as Repair['kind'][]
const StatedRepair = Type.Unsafe<Stated<Repair>>(Type.Union(KINDS.map(repairOfKind)))

/** In the unit of what was corrected: metres, seconds, steps a minute, or a time. */
const CorrectedValue = nullable(Type.Union([Type.Number(), Type.String()]))

export const WorkoutSources = Type.Object({
  recordings: Type.Array(
    Type.Object({
      id: Uuid,
      origin: choice(...RECORDING_ORIGINS),
      kind: choice('file', 'row', 'manual', 'archive'),
      filename: text,
      fileType: nullable(choice(...FILE_TYPES)),
      startedAt: Timestamp,
      durationS: number,
      distanceM: number,
      device: text,
      channels: Type.Array(choice('position', 'elevation', 'heartRate', 'cadence', 'power', 'temperature')),
      addedAt: Timestamp,
      isPrimary: Type.Boolean({ description: 'Its samples are those that count' }),
    }),
    { description: 'In the order of their arrival' },
  ),
  repairs: Type.Array(StatedRepair),
  corrections: Type.Array(
    Type.Object({
      what: choice(...CORRECTED),
      stated: CorrectedValue,
      used: CorrectedValue,
      reason: Type.String({ description: 'one sentence with both values' }),
      recordingId: Uuid,
    }),
    { description: 'What the files state wrongly, also where the runner declined the corrections' },
  ),
  choices: Type.Object({ stated: Type.Boolean({ description: 'The runner declined the corrections' }) }),
  numbers: Type.Object(eachNumber(() => NumberSource satisfies TSchema)),
})
