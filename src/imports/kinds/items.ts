import { paced } from '../../base/pace.ts'
import { isDiskFull, reasonOf } from '../../db/disk-full.ts'
import { FormatError } from '../../formats/format.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import type { DepsBy } from '../../library/deps.ts'
import { isRunAt, workoutExists } from '../../library/ids.ts'
import { baseName } from '../../zip/unpack.ts'
import { ZipError } from '../../zip/zip-error.ts'
import type { FileItem, Item, TakeoutKind, TakeoutSource, Unpacking } from './kind.ts'
import { shownName, type Tally } from './tally.ts'

/** Files that are read and stored at once, so that two cores have work. */
const AT_ONCE = 3
const ENDED_EARLY = 'The import ended early because of an unexpected error; it can be repeated'

type SummaryItem = Extract<Item, { readonly summary: unknown }>
type OutcomeItem = Extract<Item, { readonly outcome: unknown }>

/** What is done with the items of an export; those that are not runs are counted. */
export interface ItemTaker extends Pick<Unpacking, 'signal'>, Partial<Pick<Unpacking, 'expect' | 'shoe'>> {
  readonly tally: Tally
  /** Of the upload, or of its table: for a failure of the whole. */
  readonly title: string
  summary(item: SummaryItem): Promise<void> | void
  outcome(item: OutcomeItem): Promise<void> | void
  /** @param before done when all earlier items are */
  file(item: FileItem, before: Promise<void>): Promise<void>
  /** Called after each item. @param filename null: it is not a run */
  taken?(filename: string | null): void
}

/**
 * Takes the items of an export, a few at once, with results in their order. When it ends early, the tally says so.
 * @throws FormatError when the export has nothing to import, once that is counted
 */
export async function takeItems(
  deps: DepsBy,
  kind: TakeoutKind,
  source: TakeoutSource,
  { tally, title, signal, expect = () => {}, shoe = () => {}, taken = () => {}, ...take }: ItemTaker,
): Promise<void> {
  const { db, damage } = deps
  const { each, settled } = createAtOnce(AT_ONCE)
  const hasRunAt = (startMs: number, endMs: number) => isRunAt(db, startMs, endMs)
  const isStored = (id: string) => workoutExists(db, id)
  const items = kind.items(source, { signal, expect, settled, hasRunAt, isStored, shoe, warn: tally.warn })
  try {
    await each(
      items,
      async (item, before) => {
        if ('file' in item) await take.file(item, before)
        else {
          await before
          if ('sport' in item) tally.addSport(item.sport, item.count)
          else if ('ignored' in item) tally.ignore(item.ignored, item.folder, item.reason)
          else if ('error' in item) tally.fail(item.filename, item.error, item.row)
          else if ('skipped' in item) tally.pass(item.filename, item.skipped)
          else if ('summary' in item) await take.summary(item)
          else await take.outcome(item)
        }
        taken('filename' in item ? item.filename : null)
      },
      () => signal.aborted || damage.isFound,
    )
  } catch (error) {
    const isNothing = error instanceof FormatError && tally.processed() === 0
    tally.fail(title, endOf(deps, error))
    if (isNothing) throw error
  }
}

/** The file of an item, which the caller removes. @throws ZipError, FormatError when it cannot be unpacked */
export async function fileOf({ filename, file }: FileItem): Promise<UploadedFile> {
  if ('name' in file) return { ...(await file.unpacked()), filename: file.name }
  return { ...file, filename: baseName({ name: shownName(filename) }) }
}

/** Why the import ended before its last run. */
function endOf({ log, damage }: Pick<DepsBy, 'log' | 'damage'>, error: unknown): string {
  if (error instanceof FormatError || error instanceof ZipError) return error.message
  if (!isDiskFull(error)) log.error('The import of an export ended early', error)
  return reasonOf(error, ENDED_EARLY, damage)
}

/** Work on the items of a stream, a few at once and begun in their order. */
interface AtOnce {
  /**
   * The first failure ends it when the work under way is done, as `isOver` does.
   * @param work told when all that began before it is done, so that results can come in the order of the items
   * @throws that failure
   */
  each<T>(
    items: AsyncIterable<T>,
    work: (item: T, before: Promise<void>) => Promise<void>,
    isOver: () => boolean,
  ): Promise<void>
  /** Waits for the work under way. */
  settled(): Promise<void>
}

function createAtOnce(most: number): AtOnce {
  const underWay = new Set<Promise<void>>()
  const settled = async () => void (await Promise.all(underWay))
  return {
    settled,
    each: async (items, work, isOver) => {
      const failures: unknown[] = []
      let before = Promise.resolve()
      try {
        for await (const item of paced(items)) {
          const done: Promise<void> = work(item, before)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(done))
          underWay.add(done)
          before = done
          if (underWay.size >= most) await Promise.race(underWay)
          if (failures.length > 0 || isOver()) break
        }
      } finally {
        await settled()
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
