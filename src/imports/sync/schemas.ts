import { Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'

const Day = Type.String({ format: 'date' })
const EVERY = { minimum: 5, maximum: 1440 }

export const SyncState = Type.Object(
  {
    intervalsIcu: Type.Object({
      connected: Type.Boolean(),
      athlete: Type.Optional(Type.String()),
      name: Type.Optional(nullable(Type.String())),
      keyEnding: Type.Optional(Type.String()),
      since: Type.Optional(nullable(Day)),
      everyMinutes: Type.Optional(integer()),
      lastRunAt: Type.Optional(nullable(Timestamp)),
      lastReceiptId: Type.Optional(nullable(Uuid)),
      state: Type.Optional(choice('ok', 'waiting', 'refused')),
      message: Type.Optional(nullable(Type.String())),
      stravaOnly: Type.Optional(integer({ description: 'runs that came there from Strava and cannot be read' })),
    }),
  },
  { title: 'SyncState' },
)

export const SyncConnect = Type.Object(
  {
    apiKey: Type.String({ minLength: 1, maxLength: 200 }),
    since: Type.Optional(nullable(Day)),
    everyMinutes: Type.Optional(Type.Number({ multipleOf: 1, ...EVERY })),
  },
  {
    description: 'since absent: 30 days ago; null: all runs',
    examples: [{ apiKey: 'abc', since: '2024-01-01', everyMinutes: 30 }],
  },
)

export const SyncRound = Type.Object({
  created: integer(),
  updated: integer(),
  skipped: integer(),
  errors: integer(),
  stravaOnly: integer(),
  message: nullable(Type.String({ description: 'why it ended early' })),
  receiptId: nullable(Uuid),
})
