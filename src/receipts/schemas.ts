import { type TSchema, Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../http/schemas.ts'

const KINDS = [
  'import',
  'edit',
  'bulk_edit',
  'delete',
  'crop',
  'repair',
  'merge',
  'unmerge',
  'join',
  'split',
  'manual',
  'undo',
  'recalculate',
] as const
const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'changed', 'deleted'] as const

const Kind = choice(...KINDS)
const Outcome = choice(...OUTCOMES)

const paged = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    totalCount: integer(),
    page: integer(),
    pageSize: integer(),
    totalPages: integer(),
  })

export const Receipt = Type.Object({
  id: Uuid,
  kind: Kind,
  origin: nullable(Type.String({ description: 'Which way runs came; null: none did' })),
  actor: Type.String({
    description: 'browser, key:<label or prefix>, watch_folder, sync or command_line',
    examples: ['browser'],
  }),
  title: Type.String(),
  madeAt: Timestamp,
  finishedAt: nullable(Type.String({ format: 'date-time', description: 'null: it is under way' })),
  undoUntil: nullable(Type.String({ format: 'date-time', description: 'null: it cannot be undone' })),
  undoneAt: nullable(Timestamp),
  undoneBy: nullable(
    Type.String({ format: 'uuid', description: 'the receipt of the undoing, which can be undone itself' }),
  ),
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
  workoutId: nullable(Type.String({ format: 'uuid', description: 'when it is about one workout' })),
  workoutName: nullable(Type.String()),
})

const ReceiptItem = Type.Object({
  seq: integer({ description: 'place in the receipt' }),
  filename: nullable(Type.String()),
  workoutId: nullable(Uuid),
  workoutName: nullable(Type.String()),
  startedAt: nullable(Timestamp),
  outcome: Outcome,
  reason: nullable(Type.String({ description: 'of every file that was skipped, ignored or failed' })),
  canUndo: Type.Boolean(),
})

export const ReceiptPage = paged(Receipt)

export const ReceiptDetail = Type.Object({
  ...Receipt.properties,
  warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() })),
  items: paged(ReceiptItem),
})

const paging = {
  page: Type.Optional(integer({ default: 1 })),
  pageSize: Type.Optional(integer({ default: 20, description: 'at most 100' })),
} as const

export const ReceiptsQuery = Type.Object({
  ...paging,
  kind: Type.Optional(Kind),
  workoutId: Type.Optional(Type.String({ format: 'uuid', description: 'only what changed this workout' })),
})

export const ItemsQuery = Type.Object({ ...paging, outcome: Type.Optional(Outcome) })

export const PageQuery = Type.Object(paging)

export const UndoRequest = Type.Object(
  {
    dryRun: Type.Optional(Type.Boolean({ description: 'true: only what would become of it' })),
    force: Type.Optional(
      Type.Boolean({ description: 'true: runs that came with it go to the trash even when they were changed since' }),
    ),
  },
  { description: 'May be absent', examples: [{ dryRun: true }] },
)

export const UndoAnswer = Type.Object({
  receiptId: nullable(
    Type.String({ format: 'uuid', description: 'the receipt of the undoing; null: nothing was undone' }),
  ),
  undone: integer(),
  kept: Type.Array(
    Type.Object({ workoutId: nullable(Uuid), workoutName: nullable(Type.String()), reason: Type.String() }),
    { description: 'what stays as it is, and why' },
  ),
  dryRun: Type.Boolean(),
})

const TrashItem = Type.Object({
  workoutId: Uuid,
  name: nullable(Type.String()),
  startedAt: Timestamp,
  distanceM: Type.Number(),
  durationS: integer(),
  deletedAt: Timestamp,
  purgeAt: Type.String({ format: 'date-time', description: 'when it is deleted for good' }),
  receiptId: Uuid,
})

export const TrashPage = Type.Object({
  ...paged(TrashItem).properties,
  keptDays: integer({ description: 'how long a run lies there; 0: what is deleted is gone at once' }),
})
