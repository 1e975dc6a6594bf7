import { type TSchema, Type } from '@sinclair/typebox'
import { RECORDING_ORIGINS } from '../db/stored.ts'
import { eachNumber } from '../engine/numbers.ts'
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

/** What GET /workouts/{id}/sources answers. */
export const WorkoutSources = Type.Object({
  recordings: Type.Array(
    Type.Object({
      id: Uuid,
      origin: choice(...RECORDING_ORIGINS),
      kind: choice('file', 'row', 'archive'),
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
    Type.Object({
      id: Uuid,
      kind: Type.Literal('crop'),
      data: Type.Object({
        fromMs: Type.Number({ description: 'of the recorded clock' }),
        toMs: Type.Number(),
        climbLimit: nullable(Type.Object({ gainM: Type.Number(), lossM: Type.Number() })),
        caloriesKcal: number,
      }),
      madeAt: Timestamp,
      undoneAt: nullable(Timestamp),
    }),
  ),
  numbers: Type.Object(eachNumber(() => NumberSource satisfies TSchema)),
})
