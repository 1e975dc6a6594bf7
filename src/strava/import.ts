import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { progressOf } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../formats/gzip.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from '../formats/registry.ts'
import { type StravaRow, summaryActivity } from '../formats/strava/rows.ts'
import { collectGarbage, createYoungCollector } from '../garbage.ts'
import { type ImportOutcome, RUNS_A_GROUP, type RunOrigin, storeRuns } from '../library/add-run.ts'
import type { Original } from '../library/files/paths.ts'
import { elevationOptions } from '../library/inputs.ts'
import { type OpenReceipt, openReceipt } from '../library/receipts/record.ts'
import { zonesOrDefault } from '../library/settings.ts'
import { type AnalyzedRun, analyzeActivity } from '../workers/analyze-file.ts'
import type { ZipEntry } from '../zip/reader.ts'
import { baseName, type HeadCheck, unpacked } from '../zip/unpack.ts'
import { ZipError } from '../zip/zip-error.ts'
import { importMedia } from './media.ts'
import { type NamedFiles, namedFiles } from './named-files.ts'
import type { BulkSummary } from './schemas.ts'
import { endedEarly, shownName, tallyOf } from './tally.ts'
import type { StravaZip } from './zip.ts'

/** Files that are unpacked and analysed while others are stored, so that two cores have work. */
const AHEAD = 3
/** What is read is stored when the next file takes so long, though its group is not full. */
const LONG_READ_MS = 500
/** And when what is held of it is so much. */
const GROUP_BYTES = 4_194_304
/** Rows leave some hundred KB each, a photo its size: by itself the collector takes none away at work. */
const GARBAGE = { young: RUNS_A_GROUP, all: 8 * RUNS_A_GROUP, mostGrownBytes: 2 * GROUP_BYTES }

/** A row whose file was read, refused with a sentence, or named by an earlier row. */
type Read =
  | { readonly row: StravaRow; readonly again: string }
  | {
      readonly row: StravaRow
      readonly run: AnalyzedRun
      readonly original: Original | null
      /** null: the row names none. */
      readonly entry: string | null
    }
  | { readonly row: StravaRow; readonly error: string; readonly entry: string | null }

type OwnRead = Exclude<Read, { readonly again: string }>

export interface BulkWork {
  /** Length of a split, metres. */
  readonly unitM: number
  /** Nobody waits for it any more: it ends before the next row. */
  readonly signal: AbortSignal
  /** What the receipt is called. */
  readonly title?: string
}

/**
 * The Run rows of an export, in order. They are committed in groups; what is wrong with one, or with the whole once it has
 * begun, is told in the summary and concerns no other.
 */
export async function importStrava(
  deps: Deps,
  source: StravaZip,
  { unitM, signal, title = 'Strava export' }: BulkWork,
): Promise<BulkSummary> {
  const receipt = openReceipt(deps, { kind: 'import', origin: 'strava_archive', title })
  const tally = tallyOf(source, receipt)
  using progress = progressOf(deps, { kind: 'bulk', total: source.runs })
  const ahead: Promise<Read>[] = []
  const group: Read[] = []
  const files = namedFiles()
  const work = { unitM, receipt }
  // the upload left 40 MB
  collectGarbage()
  const collect = createYoungCollector(GARBAGE)
  let storing = Promise.resolve()
  const finish = async (reads: readonly Read[]) => {
    for await (const [{ row }, outcome] of outcomesOf(deps, source, { reads, files, ...work })) {
      tally.addRow(row, outcome)
      if ('id' in outcome && row.media.length > 0) {
        tally.addMedia(await importMedia(deps, source, { row, outcome, receipt }))
      }
      progress(shownName(row))
      collect(row.media.length > 0 ? RUNS_A_GROUP : 1)
    }
  }
  /** One group is stored while the next is read. */
  const storeRead = async () => {
    await storing
    storing = finish(group.splice(0))
    // it fails where it is waited for
    storing.catch(() => {})
  }
  const take = async (reading: Promise<Read>) => {
    if (group.length > 0 && (await Promise.race([reading, Bun.sleep(LONG_READ_MS)])) === undefined) await storeRead()
    group.push(await reading)
    if (group.length >= RUNS_A_GROUP || bytesOf(group) >= GROUP_BYTES) await storeRead()
  }
  try {
    for await (const row of source.rows()) {
      if (signal.aborted) break
      ahead.push(readRow(deps, source, { row, files, unitM }))
      if (ahead.length > AHEAD) await take(ahead.shift()!)
    }
    while (ahead.length > 0 && !signal.aborted) await take(ahead.shift()!)
    // what is read by then is stored, too
    await storeRead()
    await storing
  } catch (error) {
    endedEarly(deps, tally, error)
    await storing.catch(() => {})
  }
  // what was read ahead leaves no file behind
  for (const read of [...group, ...(await Promise.all(ahead))]) await discarded(read)
  receipt?.finish()
  return tally.summary(deps.db)
}

/** How the rows of an export are stored. */
type Storing = Pick<RunOrigin, 'unitM'> & { readonly receipt: OpenReceipt | null }

/** Stores what was read, in one go; a row whose file an earlier row named fares as that one. */
async function* outcomesOf(
  deps: Deps,
  source: StravaZip,
  { reads, files, ...work }: Storing & { readonly reads: readonly Read[]; readonly files: NamedFiles },
): AsyncGenerator<readonly [Read, ImportOutcome]> {
  const own = reads.filter((read): read is OwnRead => !('again' in read))
  const outcomes = await stored(deps, own, work)
  for (const [place, read] of own.entries()) {
    const outcome = outcomes[place]!
    // what the disk or the database refused may fare better
    if (read.entry !== null && ('error' in read || 'id' in outcome)) files.note(read.entry, outcome)
  }
  for (const read of reads) {
    if (!('again' in read)) yield [read, outcomes.shift()!]
    else
      yield [read, files.outcomeOf(deps.db, read.again) ?? (await outcomeAnew(deps, source, { read, files, ...work }))]
  }
}

/** The workout that an earlier row gave was deleted meanwhile, or could not be stored. */
async function outcomeAnew(
  deps: Deps,
  source: StravaZip,
  { read, files, ...work }: Storing & { readonly read: Read; readonly files: NamedFiles },
): Promise<ImportOutcome> {
  const anew = await readRow(deps, source, { row: read.row, files: null, unitM: work.unitM })
  const outcomes = await Array.fromAsync(outcomesOf(deps, source, { reads: [anew], files, ...work }))
  return outcomes[0]![1]
}

/** What is held of runs until they are stored. */
function bytesOf(reads: readonly Read[]): number {
  return reads.reduce((sum, read) => {
    if (!('run' in read)) return sum
    const { samples, routeIndex } = read.run
    const columns = samples === null ? [] : [samples.timeHr, samples.track, samples.rest]
    return [...columns, routeIndex?.path].reduce((bytes, part) => bytes + (part?.byteLength ?? 0), sum)
  }, 0)
}

/**
 * Unpacks and analyses the file of a row; never fails.
 * @param files null: whatever earlier rows named
 */
async function readRow(
  deps: Deps,
  source: StravaZip,
  { row, files, unitM }: { readonly row: StravaRow; readonly files: NamedFiles | null; readonly unitM: number },
): Promise<Read> {
  const { db, config, now, log } = deps
  const conditions = {
    nowMs: now(),
    splitLengthM: unitM,
    zones: zonesOrDefault(db),
    elevation: elevationOptions(deps),
  }
  const tmpDir = join(config.dataDir, 'tmp')
  let path: string | null = null
  let named: string | null = null
  try {
    if (row.filename === null) {
      return { row, run: analyzeActivity(summaryActivity(row), conditions), original: null, entry: null }
    }
    const entry = source.entry(row.filename)
    if (files?.isFirst(entry.name) === false) return { row, again: entry.name }
    named = entry.name
    path = await unpacked(source.zip, entry, { tmpDir, maxBytes: MAX_UNPACKED_BYTES, head: workoutHead(entry) })
    const filename = baseName(entry)
    const { runs, type, sha256 } = await deps.analyzer.analyze({ ...conditions, file: path, filename, row })
    const [run] = runs
    if (run === undefined) throw new FormatError('The file has no run')
    if ('error' in run) throw new FormatError(run.error)
    return { row, run, original: { name: filename, type, sha256, session: 0, path }, entry: named }
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    if (error instanceof FormatError || error instanceof ZipError) return { row, error: error.message, entry: named }
    log.error('A file of a Strava export could not be read', error)
    return { row, error: reasonOf(error, 'The file could not be read'), entry: named }
  }
}

/** What is no workout need not be unpacked to its end. */
function workoutHead({ name }: ZipEntry): HeadCheck {
  return {
    bytes: HEAD_BYTES,
    expect: (head) => {
      if (!isGzip(head) && detectFormat(head, name) === null) throw unknownContent(head)
    },
  }
}

/** Stores what was read and removes the temporary files; never fails. @returns what became of each, in order */
async function stored(deps: Deps, reads: readonly OwnRead[], work: Storing): Promise<ImportOutcome[]> {
  const failed = (error: unknown): ImportOutcome => {
    deps.log.error('A run of a Strava export could not be stored', error)
    return { error: reasonOf(error, 'The workout could not be stored') }
  }
  try {
    const runs = reads.flatMap((read) => ('error' in read ? [] : [{ run: read.run, origin: originOf(read, work) }]))
    const outcomes = await storeRuns(deps, runs)
    return reads.map((read) => {
      if ('error' in read) return { error: read.error }
      const outcome = outcomes.shift()!
      return 'error' in outcome ? failed(outcome.error) : outcome.value
    })
  } catch (error) {
    return reads.map((read) => ('error' in read ? { error: read.error } : failed(error)))
  } finally {
    for (const read of reads) await discarded(read)
  }
}

function originOf({ row, original }: Extract<Read, { run: AnalyzedRun }>, { unitM, receipt }: Storing): RunOrigin {
  const noted = receipt && { receipt, filename: shownName(row) }
  return { origin: 'strava_archive', original, unitM, noted }
}

async function discarded(read: Read): Promise<void> {
  const path = 'run' in read ? await read.original?.path : null
  if (typeof path === 'string') await rm(path, { force: true })
}
