import { type Static, Type } from '@sinclair/typebox'
import { choice, integer, meaning, moment, nullable, text, uuid } from '../../http/schemas.ts'

const kind = meaning('files: an upload of files; bulk: an export of another service; restore: an archive', {
  ...choice('files', 'bulk', 'restore'),
  title: 'ImportEventKind',
})

const named = (...names: string[]) => meaning('Its name, as that of the message', choice(...names))

const ImportProgressEvent = Type.Object(
  {
    event: named('import.progress'),
    kind,
    processed: integer('Files or runs processed so far'),
    total: integer('Files or runs in all'),
    filename: text('Name of the file or run processed last; empty before the first'),
  },
  { title: 'ImportProgressEvent', description: 'import.progress' },
)

const ImportDoneEvent = Type.Object(
  {
    event: named('import.done'),
    kind,
    successful: integer('Runs that were created'),
    skipped: integer('Duplicates, and what is not a run'),
    updated: integer('Runs that were completed'),
    errors: integer('Files or runs that failed'),
    stopped: Type.Optional(text('Why it ended before its last run; absent: it did not')),
  },
  { title: 'ImportDoneEvent', description: 'import.done' },
)

const ImportRefusedEvent = Type.Object(
  { event: named('import.done'), kind, error: text('Why the whole import was refused') },
  { title: 'ImportRefusedEvent', description: 'import.done of a refused import' },
)

const ChangeEvent = Type.Object(
  {
    event: named(
      ...['workout.created', 'workout.updated', 'workout.deleted', 'shoe.created', 'shoe.updated', 'shoe.deleted'],
      ...['receipt.created', 'receipt.undone'],
    ),
    id: nullable(uuid('What was changed; null: many runs')),
  },
  {
    title: 'ChangeEvent',
    description:
      'workout.created, workout.updated, workout.deleted, shoe.created, shoe.updated, shoe.deleted, receipt.created, receipt.undone',
  },
)

const NoticeEvent = Type.Object(
  { event: named('settings.updated', 'training.updated', 'ground.updated', 'watch_folder.updated') },
  { title: 'NoticeEvent', description: 'settings.updated, training.updated, ground.updated, watch_folder.updated' },
)

/** The data of all events, which `event` tells apart. */
export const EventData = Type.Union([
  ImportProgressEvent,
  ImportDoneEvent,
  ImportRefusedEvent,
  ChangeEvent,
  NoticeEvent,
])
export type EventData = Static<typeof EventData>

export const ChangesQuery = Type.Object({
  after: Type.Optional(
    integer({ minimum: 0, description: 'Changes after this place; 0: from the first on; absent: none, only `next`' }),
  ),
  limit: Type.Optional(
    integer({ minimum: 1, maximum: 1000, description: 'Most changes of an answer; 100 when absent' }),
  ),
})

export const ChangePage = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          seq: integer('Its place; grows'),
          at: moment('When it was made'),
          kind: meaning('What `id` is of', {
            ...choice('workout', 'shoe', 'goal', 'race', 'place', 'settings', 'media'),
            title: 'ChangeKind',
          }),
          id: nullable(uuid('What was changed; null: the settings')),
          change: meaning('created and updated: fetch it; deleted: forget it', {
            ...choice('created', 'updated', 'deleted'),
            title: 'ChangeWord',
          }),
        },
        { title: 'Change' },
      ),
      { description: 'In the order of commits, each thing once for a commit' },
    ),
    next: integer('To ask with as `after` the next time'),
    more: Type.Boolean({ description: 'true: there are more; ask again at once' }),
  },
  { title: 'ChangePage' },
)
