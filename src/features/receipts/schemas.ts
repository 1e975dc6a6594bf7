import { type TSchema, Type } from '@sinclair/typebox'
import { OUTCOMES, RECEIPT_KINDS } from '../../db/schema-receipts.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import { choice, integer, nullable, PAGE, PAGING, Timestamp, UtcOffset, Uuid } from '../../http/schemas.ts'

const Kind = choice(...RECEIPT_KINDS)
const Outcome = choice(...OUTCOMES)
const orNull = (format: 'uuid' | 'date-time', description: string) => nullable(Type.String({ format, description }))

const paged = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item), ...PAGE })

export const Receipt = Type.Object({
  id: Uuid,
  kind: Kind,
  origin: nullable(Type.String({ description: 'Source of the runs; null: no runs' })),
  actor: Type.String({
    description: 'browser, key:<label or prefix>, watch_folder, sync, upgrade or command_line',
    examples: ['browser'],
  }),
  title: Type.String(),
  madeAt: Timestamp,
  finishedAt: orNull('date-time', 'null: it is in progress'),
  undoUntil: orNull('date-time', 'null: it cannot be undone'),
  undoneAt: nullable(Timestamp),
  canUndo: Type.Boolean(),
  undoneBy: orNull('uuid', 'the receipt of the undo, which can be undone too'),
  counts: Type.Object({
    created: integer(),
    updated: integer(),
    merged: integer(),
    skipped: integer(),
    ignored: integer(),
    errors: integer(),
    changed: integer(),
    deleted: integer(),
  }),
  workoutId: orNull('uuid', 'when it is about one workout'),
  workoutName: nullable(Type.String()),
})

const ReceiptItem = Type.Object({
  seq: integer({ description: 'place in the receipt' }),
  filename: nullable(Type.String()),
  workoutId: nullable(Uuid),
  workoutName: nullable(Type.String()),
  startedAt: nullable(Timestamp),
  utcOffsetMinutes: UtcOffset,
  outcome: Outcome,
  reason: nullable(
    Type.String({
      description: 'of every file that was skipped, ignored or failed, and of a run that was deleted permanently',
    }),
  ),
  canUndo: Type.Boolean(),
})

export const ReceiptPage = paged(Receipt)

export const ReceiptDetail = Type.Object({
  ...Receipt.properties,
  warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() })),
  items: paged(ReceiptItem),
  shortRuns: Type.Array(Uuid, {
    description: 'runs that came with it, are under 100 m or a minute, and count in statistics',
  }),
})

export const ReceiptsQuery = Type.Object({
  ...PAGING,
  kind: Type.Optional(Kind),
  workoutId: Type.Optional(Type.String({ format: 'uuid', description: 'only what changed this workout' })),
})

export const ItemsQuery = Type.Object({ ...PAGING, outcome: Type.Optional(Outcome) })

export const PageQuery = Type.Object(PAGING)

export const UndoRequest = Type.Object(
  {
    dryRun: Type.Optional(Type.Boolean({ description: 'true: only the result it would have' })),
    force: Type.Optional(
      Type.Boolean({ description: 'true: imported runs move to the trash even if they were edited later' }),
    ),
  },
  { description: 'May be absent', examples: [{ dryRun: true }] },
)

export const UndoAnswer = Type.Object({
  receiptId: orNull('uuid', 'the receipt of the undo; null: nothing was undone'),
  undone: integer(),
  kept: Type.Array(
    Type.Object({ workoutId: nullable(Uuid), workoutName: nullable(Type.String()), reason: Type.String() }),
    { description: 'what is not undone, and why' },
  ),
  dryRun: Type.Boolean(),
})

const TrashItem = Type.Object({
  workoutId: Uuid,
  name: nullable(Type.String()),
  startedAt: Timestamp,
  utcOffsetMinutes: UtcOffset,
  runType: nullable(choice(...RUN_TYPES)),
  distanceM: Type.Number(),
  durationS: integer(),
  movingTimeS: integer({ description: 'Of a run without one the elapsed time' }),
  deletedAt: Timestamp,
  purgeAt: Type.String({ format: 'date-time', description: 'when it is deleted permanently' }),
  receiptId: Uuid,
})

export const TrashPage = Type.Object({
  ...paged(TrashItem).properties,
  keptDays: integer({ description: 'how long a run is kept; 0: deleted runs are removed immediately' }),
})
