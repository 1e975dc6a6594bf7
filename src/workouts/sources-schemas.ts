import { type TSchema, Type } from '@sinclair/typebox'
import { RECORDING_ORIGINS } from '../db/stored.ts'
import { eachNumber } from '../engine/numbers.ts'
import { MENDED_CHANNELS } from '../engine/repair/mend.ts'
import { FILE_TYPES } from '../formats/registry.ts'
import { choice, nullable, Timestamp, Uuid } from '../http/schemas.ts'

const Origin = choice('device', 'samples', 'row', 'archive', 'runner', 'derived')
const text = nullable(Type.String())
const number = nullable(Type.Number())

const NumberSource = Type.Object({
  value: nullable(Type.Number({ description: 'as it is stored and shown' })),
  origin: nullable(Origin),
  recordingId: nullable(Uuid),
  others: Type.Array(Type.Object({ origin: Origin, recordingId: nullable(Uuid), value: Type.Number() }), {
    description: 'What the other sources say',
  }),
})

const stretch = { fromMs: Type.Number({ description: 'of the recorded clock' }), toMs: Type.Number() }
const remains = {
  climbLimit: nullable(Type.Object({ gainM: Type.Number(), lossM: Type.Number() })),
  caloriesKcal: number,
}
const offsetMs = Type.Number({ description: 'by which the run is moved' })

const REPAIRS = {
  crop: Type.Object({ ...stretch, ...remains }),
  cut: Type.Object({ ...stretch, ...remains, closesGap: Type.Boolean() }),
  split: Type.Object({ ...stretch, climb: remains.climbLimit, caloriesKcal: number }),
  join: Type.Object({ caloriesKcal: number }),
  mend: Type.Object({ ...stretch, channel: choice(...MENDED_CHANNELS), fill: choice('gap', 'interpolate') }),
  distance: Type.Object({ distanceM: Type.Number(), factor: number }),
  shift: Type.Object({ offsetMs, timeZone: text }),
  numbers: Type.Object({ offsetMs, values: Type.Object({}, { additionalProperties: true }) }),
} as const

/** Schema of a repair of one kind. */
function repairOfKind<K extends keyof typeof REPAIRS>(kind: K) {
  const data: (typeof REPAIRS)[K] = REPAIRS[kind]
  return Type.Object({ id: Uuid, kind: Type.Literal(kind), data, madeAt: Timestamp, undoneAt: nullable(Timestamp) })
}

/** What GET /workouts/{id}/sources answers. */
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
  repairs: Type.Array(
    Type.Union([
      repairOfKind('crop'),
      repairOfKind('cut'),
      repairOfKind('split'),
      repairOfKind('join'),
      repairOfKind('mend'),
      repairOfKind('distance'),
      repairOfKind('shift'),
      repairOfKind('numbers'),
    ]),
  ),
  numbers: Type.Object(eachNumber(() => NumberSource satisfies TSchema)),
})
