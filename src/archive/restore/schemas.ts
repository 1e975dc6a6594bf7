import { type Static, Type } from '@sinclair/typebox'
import { Stopped } from '../../features/workouts/schemas.ts'
import { integer, nullable, Timestamp } from '../../http/schemas.ts'

export const GROUPS = [
  'settings',
  'shoes',
  'workouts',
  'routes',
  'splits',
  'timeSeries',
  'media',
  'bestEfforts',
  'rawFiles',
] as const
export type Group = (typeof GROUPS)[number]

const Counts = Type.Object({ imported: integer(), skipped: integer(), errors: integer() }, { title: 'RestoreCounts' })

/** The answer to a restore (docs/api.md 7.5). */
export const RestoreAnswer = Type.Object({
  success: Type.Boolean({ description: 'There are no errors' }),
  importedAt: Timestamp,
  statistics: Type.Object(Object.fromEntries(GROUPS.map((group) => [group, Counts])) as Record<Group, typeof Counts>),
  warnings: Type.Array(Type.String(), { description: 'At most 100, repetitions counted' }),
  errors: Type.Array(Type.String(), { description: 'At most 100, repetitions counted' }),
  receiptId: nullable(Type.String({ format: 'uuid', description: 'the receipt of this import; null: there is none' })),
  stopped: Stopped,
})

export type RestoreSummary = Static<typeof RestoreAnswer>
