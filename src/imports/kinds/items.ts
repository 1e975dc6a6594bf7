import { isDiskFull, reasonOf } from '../../db/disk-full.ts'
import { type Activity, FormatError } from '../../formats/format.ts'
import type { DepsBy } from '../../library/deps.ts'
import { isRunAt } from '../../library/ids.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { createAtOnce } from './at-once.ts'
import type { FileItem, TakeoutKind, TakeoutSource, Unpacking } from './kind.ts'
import type { Tally } from './tally.ts'

/** Files that are read and stored at once, so that two cores have work. */
const AT_ONCE = 3
const ENDED_EARLY = 'The import ended early because of an unexpected error; it can be repeated'

/** What is done with the items of an export; those that are not runs are counted. */
export interface ItemTaker extends Pick<Unpacking, 'signal'>, Partial<Pick<Unpacking, 'expect' | 'shoe'>> {
  readonly tally: Tally
  /** Of the upload, for a failure of the whole. */
  readonly title: string
  summary(filename: string, activity: Activity): Promise<void> | void
  file(item: FileItem): Promise<void>
  /** Called after each item. @param filename null: it is not a run */
  taken?(filename: string | null): void
}

/**
 * Takes the items of an export, a few at once. When it ends early, the tally says so.
 * @throws FormatError when the export has nothing to import, once that is counted
 */
export async function takeItems(
  deps: DepsBy,
  kind: TakeoutKind,
  source: TakeoutSource,
  { tally, title, signal, expect = () => {}, shoe = () => {}, taken = () => {}, summary, file }: ItemTaker,
): Promise<void> {
  const { each, settled } = createAtOnce(AT_ONCE)
  const hasRunAt = (startMs: number, endMs: number) => isRunAt(deps.db, startMs, endMs)
  const items = kind.items(source, { signal, expect, settled, hasRunAt, shoe, warn: tally.warn })
  try {
    await each(
      items,
      async (item) => {
        if ('sport' in item) tally.addSport(item.sport, item.count)
        else if ('ignored' in item) tally.ignore(item.ignored, item.folder, item.reason)
        else if ('error' in item) tally.fail(item.filename, item.error)
        else if ('skipped' in item) tally.pass(item.filename, item.skipped)
        else if ('summary' in item) await summary(item.filename, item.summary)
        else await file(item)
        taken('filename' in item ? item.filename : null)
      },
      signal,
    )
  } catch (error) {
    const isNothing = error instanceof FormatError && tally.processed() === 0
    tally.fail(title, endOf(deps, error))
    if (isNothing) throw error
  }
}

/** Why the import ended before its last run. */
function endOf({ log, damage }: Pick<DepsBy, 'log' | 'damage'>, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError) return error.message
  if (!isDiskFull(error)) log.error('The import of an export ended early', error)
  return reasonOf(error, ENDED_EARLY, damage)
}
