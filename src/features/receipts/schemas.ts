import { type TSchema, Type } from '@sinclair/typebox'
import { OUTCOMES, RECEIPT_KINDS } from '../../db/schema-receipts.ts'
import { RUN_TYPES, SHORT_RECORDING } from '../../engine/limits.ts'
import {
  choice,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  PAGE,
  PAGING,
  text,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'
import { ImportSummary } from '../workouts/schemas.ts'

const Kind = { ...choice(...RECEIPT_KINDS), title: 'ReceiptKind' }
const Outcome = { ...choice(...OUTCOMES), title: 'ItemOutcome' }

const paged = <T extends TSchema>(item: T, about: string) => ({
  items: Type.Array(item, { description: about }),
  ...PAGE,
})

const ReceiptCounts = Type.Object(
  {
    created: integer('Runs, shoes, places and others that were added'),
    updated: integer('Stored runs that got data they lacked'),
    merged: integer('0: a run that is merged into another counts in deleted, the other in changed'),
    skipped: integer('Duplicates, and deleted runs that stay deleted'),
    ignored: integer('Files without runs, and activities of other sports'),
    errors: integer('Files and runs that failed'),
    changed: integer('Runs and settings that were edited, repaired or recalculated; photos that were added'),
    deleted: integer('Runs, photos and others that were deleted or moved to the trash'),
  },
  { title: 'ReceiptCounts' },
)

export const Receipt = Type.Object(
  {
    id: uuid('As the header Harrier-Receipt of the call named it'),
    kind: meaning(
      'edit: of one run; bulk_edit: of many, also merges and assigned shoes; undo: also a restore from the trash; ' +
        'recalculate cannot be undone',
      Kind,
    ),
    origin: nullable(
      text(
        'How the runs arrived: upload, share_target, watch_folder, intervals_icu, or the kind of the export; null: no runs',
      ),
    ),
    actor: Type.String({
      description: 'browser, key:<label or prefix>, watch_folder, sync, upgrade or command_line',
      examples: ['browser'],
    }),
    title: text('What was done, or the name of the imported file'),
    madeAt: moment('When it began; edits of a run within 10 minutes leave one receipt'),
    finishedAt: nullable(moment('null: it is in progress')),
    undoUntil: nullable(moment('It can be undone until then (UNDO_DAYS); null: it cannot be undone')),
    undoneAt: nullable(moment('When it was undone, apart from what was kept; null: it was not')),
    canUndo: flag('true: something of it can be undone now'),
    undoneBy: nullable(uuid('Receipt of the undo, which can be undone, too: a redo; null: it was not undone')),
    counts: meaning('Items by outcome', ReceiptCounts),
    workoutId: nullable(uuid('Run that it is about; null: several runs, or none')),
    workoutName: nullable(text('Current name of this run; null: it has none, or was deleted permanently')),
  },
  { title: 'Receipt' },
)

const ReceiptItem = Type.Object(
  {
    seq: integer('Place in the receipt, from 0'),
    filename: nullable(text('null: no file')),
    workoutId: nullable(uuid('null: not about one run')),
    workoutName: nullable(text('null: the run has no name, or was deleted permanently')),
    startedAt: nullable(moment('Start of the run, also of one in the trash; null: no run, or deleted permanently')),
    utcOffsetMinutes: UtcOffset,
    outcome: meaning('ignored: files without runs or activities of other sports, many in one item', Outcome),
    reason: nullable(
      text('Of every file that was skipped, ignored or failed, and of a run that was deleted permanently; null: none'),
    ),
    canUndo: flag('true: it is not undone, and what undoing needs is kept'),
  },
  { title: 'ReceiptItem' },
)

export const ReceiptPage = Type.Object(paged(Receipt, 'Newest first'), { title: 'ReceiptPage' })

export const ReceiptDetail = Type.Object(
  {
    ...Receipt.properties,
    warnings: meaning(
      'What was corrected in the files, or could not be imported besides runs',
      ImportSummary.properties.warnings,
    ),
    items: Type.Object(paged(ReceiptItem, 'Latest run first, those without a run last'), {
      title: 'ReceiptItemPage',
      description: 'One page of its items, which are kept for a year',
    }),
    shortRuns: Type.Array(uuid('Of a run'), {
      description:
        `Runs that came with it, are under ${SHORT_RECORDING.distanceM} m or ${SHORT_RECORDING.durationS} s, ` +
        'and count in statistics; oldest first',
    }),
  },
  { title: 'ReceiptDetail' },
)

export const ReceiptsQuery = Type.Object({
  ...PAGING,
  kind: Type.Optional(meaning('Only receipts of this kind', Kind)),
  workoutId: Type.Optional(uuid('Only what changed this workout')),
})

export const ItemsQuery = Type.Object({
  ...PAGING,
  outcome: Type.Optional(meaning('Only items of this outcome', Outcome)),
})

export const PageQuery = Type.Object(PAGING)

export const UndoRequest = Type.Object(
  {
    dryRun: Type.Optional(flag('true: nothing is stored, only the answer it would have')),
    force: Type.Optional(
      flag(
        'true: also imported runs, and whole joins, splits and merges, that were changed later; no other edit is overwritten',
      ),
    ),
  },
  { title: 'UndoRequest', description: 'May be absent' },
)

export const UndoAnswer = Type.Object(
  {
    receiptId: nullable(uuid('Receipt of the undo; null: nothing was undone, or a dry run')),
    undone: integer('Items that were undone'),
    kept: Type.Array(
      Type.Object(
        {
          workoutId: nullable(uuid('null: not about one run')),
          workoutName: nullable(text('null: the run has no name, or was deleted permanently')),
          reason: text('Why it stays; where the run was changed later, with the title of that receipt'),
        },
        { title: 'KeptItem' },
      ),
      { description: 'What is not undone, and why; a join, split or merge is undone whole or not at all' },
    ),
    dryRun: flag('As requested'),
  },
  { title: 'UndoAnswer' },
)

const TrashItem = Type.Object(
  {
    workoutId: uuid('For the restore'),
    name: nullable(text('null: it has none')),
    startedAt: moment('Start of the run'),
    utcOffsetMinutes: UtcOffset,
    runType: nullable(meaning('null: it has none', choice(...RUN_TYPES))),
    distanceM: number('Metres'),
    durationS: integer('Elapsed seconds'),
    movingTimeS: integer('Seconds; of a run without one the elapsed time'),
    deletedAt: moment('When it was moved here'),
    purgeAt: moment('When it is deleted permanently'),
    receiptId: uuid('Receipt of the change that moved it here: a deletion, join, merge or undo'),
  },
  { title: 'TrashedRun' },
)

export const TrashPage = Type.Object(
  {
    ...paged(TrashItem, 'What was deleted last comes first'),
    keptDays: integer('How long a run is kept (UNDO_DAYS); 0: deleted runs are removed immediately'),
  },
  { title: 'TrashPage' },
)
