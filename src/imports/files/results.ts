import { type Static, Type } from '@sinclair/typebox'
import { ImportSummary } from '../../features/workouts/schemas.ts'
import { choice, integer, meaning, nullable, text, uuid } from '../../http/schemas.ts'
import type { ImportOutcome } from '../../library/add-run.ts'

const ImportedItem = Type.Object(
  {
    filename: text('File that it came from; empty: the import as a whole'),
    status: meaning('What became of it', choice('created', 'updated', 'merged', 'skipped', 'failed')),
    workoutId: nullable(uuid('Run that it is stored as, also when it was skipped; null: failed')),
    reason: nullable(text('Why it failed or was skipped, one sentence; null: neither')),
  },
  { title: 'ImportedItem' },
)

/** The summary of an import of any number of files, with an item for each run and each file without one. */
export const ImportResults = Type.Object(
  {
    ...ImportSummary.properties,
    merged: integer('Of these, runs merged into those that they are recordings of'),
    items: Type.Array(ImportedItem, { description: 'In the order of the files' }),
  },
  { title: 'ImportResults' },
)

export interface FileOutcome {
  readonly filename: string
  readonly outcome: ImportOutcome
}

export function importResults(
  summary: Static<typeof ImportSummary>,
  outcomes: readonly FileOutcome[],
): Static<typeof ImportResults> {
  return { ...summary, merged: summary.merged ?? 0, items: outcomes.map(itemOf) }
}

function itemOf({ filename, outcome }: FileOutcome): Static<typeof ImportedItem> {
  if ('error' in outcome) return { filename, status: 'failed', workoutId: null, reason: outcome.error }
  const { id: workoutId, action, merged, reason = null } = outcome
  return { filename, status: merged === true ? 'merged' : action, workoutId, reason }
}
