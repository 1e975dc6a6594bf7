import { counted, number } from '../../format.ts'
import type { Receipt, ReceiptDetail } from '../../types.ts'
import type { IconName } from '../../ui/icon.tsx'

export const ICONS: Readonly<Record<Receipt['kind'], IconName>> = {
  import: 'upload',
  edit: 'edit',
  bulk_edit: 'edit',
  delete: 'trash',
  crop: 'minus',
  repair: 'undo',
  merge: 'plus',
  unmerge: 'whole',
  join: 'plus',
  split: 'whole',
  manual: 'plus',
  undo: 'undo',
  recalculate: 'training',
}

const ACTORS: Readonly<Record<string, string>> = {
  browser: 'in the browser',
  watch_folder: 'by the watch folder',
  sync: 'by a sync service',
  upgrade: 'by an upgrade',
  command_line: 'on the server',
}

/** The author of a change; empty for changes in the page. */
export function actorText(actor: string): string {
  return actor.startsWith('key:') ? `by key ${actor.slice(4)}` : (ACTORS[actor] ?? actor)
}

/** Such as `412 added, 3 updated, 18 duplicates`; empty for a receipt about a single run. */
export function countsText({ kind, counts }: Pick<Receipt, 'kind' | 'counts'>): string {
  const isUndo = kind === 'undo'
  const parts = [
    [counts.created, isUndo ? 'restored' : 'added'],
    [counts.updated, 'updated'],
    [counts.merged, 'merged'],
    [counts.changed, 'changed'],
    [counts.deleted, 'moved to trash'],
    [counts.skipped, counts.skipped === 1 ? 'duplicate' : 'duplicates'],
    [counts.ignored, 'skipped (not runs)'],
    [counts.errors, 'failed'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${number(count)} ${what}`)
  const isOfOne = kind === 'edit' || kind === 'crop' || kind === 'repair' || kind === 'delete'
  return isOfOne ? '' : said.join(', ')
}

type Outcome = ReceiptDetail['items']['items'][number]['outcome']

/** Names of the outcomes in a receipt. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  created: 'Added',
  updated: 'Updated',
  merged: 'Merged',
  changed: 'Changed',
  deleted: 'Deleted',
  skipped: 'Duplicates',
  ignored: 'Not runs',
  error: 'Failed',
}

/** The question before undoing a receipt. */
export function undoneText({ kind, counts }: Pick<Receipt, 'kind' | 'counts'>, undone: number): string {
  const { created, updated, merged, changed } = counts
  if (kind !== 'import' || created === 0) return `${counted(undone, 'change')} will be undone.`
  if (updated + merged + changed > 0) {
    return `${counted(undone, 'change')} will be undone; imported runs move to the trash.`
  }
  return undone === 1 ? '1 run will move to the trash.' : `${counted(undone, 'run')} will move to the trash.`
}

/** Whether an import added and changed no run: there is nothing to undo. */
export function hasNothing({ kind, counts: { created, updated, merged, changed } }: Receipt): boolean {
  return kind === 'import' && created + updated + merged + changed === 0
}
