import { type Static, Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'

const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'waiting'] as const

const count = () => integer({ minimum: 0 })
const moment = (description: string) => nullable(Type.String({ format: 'date-time', description }))

export const WatchFolder = Type.Object({
  enabled: Type.Boolean({ description: 'false: no folder is configured' }),
  folders: Type.Array(
    Type.Object({
      path: Type.String({ description: 'As configured' }),
      state: Type.Unsafe<'watching' | 'unreachable' | 'unreadable'>(
        Type.Union(
          ['watching', 'unreachable', 'unreadable'].map((state) => Type.Literal(state)),
          {
            description:
              'unreachable: it does not exist, or is not mounted; unreadable: Harrier has no permission to read it',
          },
        ),
      ),
      since: Timestamp,
      unreadableFolders: Type.Array(Type.String(), { description: 'Folders in it that cannot be read, at most 20' }),
    }),
  ),
  lastLookAt: moment('null: not yet since the start'),
  nextLookAt: moment('null: none is planned'),
  lastReceiptId: nullable(Uuid),
  lastErrorAt: moment('When the latest unreadable file was found'),
  counts: Type.Object(
    {
      created: count(),
      updated: count(),
      merged: count(),
      skipped: count(),
      ignored: count(),
      errors: count(),
      waiting: count(),
    },
    { description: 'Files by result' },
  ),
})

export type WatchFolderAnswer = Static<typeof WatchFolder>

export const FilesQuery = Type.Object({
  page: Type.Optional(integer({ default: 1 })),
  pageSize: Type.Optional(integer({ default: 20, description: 'at most 100' })),
  outcome: Type.Optional(choice(...OUTCOMES)),
})

export const WatchFilesPage = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Uuid,
      folder: Type.String({ description: 'As configured' }),
      name: Type.String({ description: 'Below the folder' }),
      sizeBytes: integer(),
      modifiedAt: Timestamp,
      outcome: choice(...OUTCOMES),
      reason: nullable(Type.String()),
      workoutIds: Type.Array(Uuid, { description: 'Stored runs that have its recordings' }),
      isDeleted: Type.Boolean({ description: 'It had runs, and all of them were deleted' }),
      receiptId: nullable(Uuid),
      lookedAt: Timestamp,
      failingSince: moment('Unreadable since; null: it is readable'),
      nextAt: moment('When it is read or tried again; null: its result is final'),
    }),
  ),
  totalCount: integer(),
  page: integer(),
  pageSize: integer(),
  totalPages: integer(),
})

export type WatchFilesAnswer = Static<typeof WatchFilesPage>
