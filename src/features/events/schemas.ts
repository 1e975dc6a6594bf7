import { type Static, Type } from '@sinclair/typebox'
import { choice, integer, meaning, nullable, text, uuid } from '../../http/schemas.ts'

const kind = meaning('files: an upload of files; bulk: an export of another service; restore: an archive', {
  ...choice('files', 'bulk', 'restore'),
  title: 'ImportEventKind',
})

const ImportProgressEvent = Type.Object(
  {
    kind,
    processed: integer('Files or runs processed so far'),
    total: integer('Files or runs in all'),
    filename: text('Name of the file or run processed last; empty before the first'),
  },
  { title: 'ImportProgressEvent', description: 'import.progress' },
)

const ImportDoneEvent = Type.Object(
  {
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
  { kind, error: text('Why the whole import was refused') },
  { title: 'ImportRefusedEvent', description: 'import.done of a refused import' },
)

const ChangeEvent = Type.Object(
  { id: nullable(uuid('What was changed; null: many runs')) },
  {
    title: 'ChangeEvent',
    description:
      'workout.created, workout.updated, workout.deleted, shoe.created, shoe.updated, shoe.deleted, receipt.created, receipt.undone',
  },
)

const NoticeEvent = Type.Object(
  {},
  { title: 'NoticeEvent', description: 'settings.updated, training.updated, ground.updated, watch_folder.updated' },
)

/** The data of all events, which `event` of a message tells apart. */
export const EventData = Type.Union([
  ImportProgressEvent,
  ImportDoneEvent,
  ImportRefusedEvent,
  ChangeEvent,
  NoticeEvent,
])
export type EventData = Static<typeof EventData>
