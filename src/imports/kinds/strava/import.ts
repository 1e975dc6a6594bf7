import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../../db/disk-full.ts'
import { addExportedMedia } from '../../../features/media/exported.ts'
import { FormatError } from '../../../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from '../../../formats/registry.ts'
import { type StravaRow, summaryActivity } from '../../../formats/strava/rows.ts'
import { type ImportOutcome, RUNS_A_GROUP, type RunOrigin, storeRuns } from '../../../library/add-run.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import type { Original } from '../../../library/files/paths.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { progressOf } from '../../../library/progress.ts'
import { type OpenReceipt, openReceipt } from '../../../library/receipts/record.ts'
import { zonesOrDefault } from '../../../library/settings.ts'
import { type AnalyzedRun, analyzeActivity } from '../../../workers/analyze-file.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { baseName, type HeadCheck, unpacked } from '../../../zip/unpack.ts'
import { ZipError } from '../../../zip/zip-error.ts'
import { mediaItem } from './media.ts'
import { type NamedFiles, namedFiles } from './named-files.ts'
import type { BulkSummary } from './schemas.ts'
import { endedEarly, shownName, type Tally, tallyOf } from './tally.ts'
import type { StravaZip } from './zip.ts'

/** Files unpacked and analysed while others are stored, so that two cores have work. */
const AHEAD = 3
/** The runs read so far are stored when the next file takes longer than this, even if their group is not full. */
const LONG_READ_MS = 500
/** They are also stored when their data in memory exceeds this. */
const GROUP_BYTES = 4_194_304

/** A row whose file was read, was refused with a message, or was named by an earlier row. */
type Read =
  | { readonly row: StravaRow; readonly again: string }
  | {
      readonly row: StravaRow
      readonly run: AnalyzedRun
      readonly original: Original | null
      /** null: the row names no file. */
      readonly entry: string | null
    }
  | { readonly row: StravaRow; readonly error: string; readonly entry: string | null }

type OwnRead = Exclude<Read, { readonly again: string }>

interface BulkWork {
  /** Length of a split, metres. */
  readonly unitM: number
  /** Aborted when the client disconnects: the import ends before the next row. */
  readonly signal: AbortSignal
  readonly title?: string
}

/** Imports the Run rows in order, in groups; a problem is reported in the summary and does not affect other rows. */
export async function importStrava(
  deps: DepsBy,
  source: StravaZip,
  { unitM, signal: left, title = 'Strava export' }: BulkWork,
): Promise<BulkSummary> {
  using progress = progressOf(deps, { kind: 'bulk', total: source.runs })
  const signal = AbortSignal.any([left, deps.events.closed])
  const receipt = openReceipt(deps, { kind: 'import', origin: 'strava_archive', title })
  const tally = tallyOf(source, receipt)
  const ahead: Promise<Read>[] = []
  const group: Read[] = []
  const files = namedFiles()
  const work = { unitM, receipt, warn: tally.warn }
  const photos = new Set<string>()
  let storing = Promise.resolve()
  const finish = async (reads: readonly Read[]) => {
    for await (const [{ row }, outcome] of outcomesOf(deps, source, { reads, files, ...work })) {
      tally.addRow(row, outcome)
      for (const named of row.media) {
        if ('error' in outcome) break
        if (photos.size === photos.add(named).size) continue
        tally.addMedia(named, await addExportedMedia(deps, () => mediaItem(deps, source, named), { outcome, receipt }))
      }
      progress(shownName(row))
    }
  }
  /** Stores one group while the next is read. */
  const storeRead = async () => {
    await storing
    storing = finish(group.splice(0))
    // its failure is handled where it is awaited; until then it must not count as unhandled
    storing.catch(() => {})
  }
  const take = async (reading: Promise<Read>) => {
    if (group.length > 0 && (await Promise.race([reading, Bun.sleep(LONG_READ_MS)])) === undefined) await storeRead()
    group.push(await reading)
    if (group.length >= RUNS_A_GROUP || bytesOf(group) >= GROUP_BYTES) await storeRead()
  }
  try {
    for await (const row of source.rows()) {
      if (signal.aborted || deps.damage.isFound) break
      ahead.push(readRow(deps, source, { row, files, unitM }))
      if (ahead.length > AHEAD) await take(ahead.shift()!)
    }
    while (ahead.length > 0 && !signal.aborted) await take(ahead.shift()!)
    // rows that were read by then are stored as well
    await storeRead()
    await storing
  } catch (error) {
    endedEarly(deps, tally, error)
    await storing.catch(() => {})
  }
  // removes the temporary files of rows that were read ahead
  for (const read of [...group, ...(await Promise.all(ahead))]) await discarded(read)
  const cut = progress.stopped()
  if (cut.stopped !== undefined) tally.addEnd(cut.stopped)
  receipt?.finish()
  return { ...tally.summary(deps.db), ...cut }
}

type Storing = Pick<RunOrigin, 'unitM'> & { readonly receipt: OpenReceipt | null; readonly warn: Tally['warn'] }

/** Stores a group at once; a row whose file an earlier row named gets the same outcome. */
async function* outcomesOf(
  deps: DepsBy,
  source: StravaZip,
  { reads, files, ...work }: Storing & { readonly reads: readonly Read[]; readonly files: NamedFiles },
): AsyncGenerator<readonly [Read, ImportOutcome]> {
  const own = reads.filter((read): read is OwnRead => !('again' in read))
  const outcomes = await stored(deps, own, work)
  for (const [place, read] of own.entries()) {
    const outcome = outcomes[place]!
    // a refusal by disk or database is not kept, since another attempt may succeed
    if (read.entry !== null && ('error' in read || 'id' in outcome)) files.note(read.entry, outcome)
  }
  for (const read of reads) {
    if (!('again' in read)) yield [read, outcomes.shift()!]
    else
      yield [read, files.outcomeOf(deps.db, read.again) ?? (await outcomeAnew(deps, source, { read, files, ...work }))]
  }
}

/** Reads the file again, since the workout of the earlier row was deleted meanwhile or could not be stored. */
async function outcomeAnew(
  deps: DepsBy,
  source: StravaZip,
  { read, files, ...work }: Storing & { readonly read: Read; readonly files: NamedFiles },
): Promise<ImportOutcome> {
  const anew = await readRow(deps, source, { row: read.row, files: null, unitM: work.unitM })
  const outcomes = await Array.fromAsync(outcomesOf(deps, source, { reads: [anew], files, ...work }))
  return outcomes[0]![1]
}

/** Approximate memory of runs until they are stored. */
function bytesOf(reads: readonly Read[]): number {
  return reads.reduce((sum, read) => {
    if (!('run' in read)) return sum
    const { samples, routeIndex } = read.run
    const columns = samples === null ? [] : [samples.timeHr, samples.track, samples.rest]
    return [...columns, routeIndex?.path].reduce((bytes, part) => bytes + (part?.byteLength ?? 0), sum)
  }, 0)
}

/** Unpacks and analyses the file of a row; never fails. @param files null: ignores which files earlier rows named */
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
    const { runs, type, sha256 } = await deps.worker.ask('file', { ...conditions, file: path, filename, row })
    const [run] = runs
    if (run === undefined) throw new FormatError('The file has no run')
    if ('error' in run) throw new FormatError(run.error)
    return { row, run, original: { name: filename, type, sha256, session: 0, path }, entry: named }
  } catch (error) {
    if (path !== null) await rm(path, { force: true })
    if (error instanceof FormatError || error instanceof ZipError) return { row, error: error.message, entry: named }
    log.error('A file of a Strava export could not be read', error)
    return { row, error: reasonOf(error, 'The file could not be read', deps.damage), entry: named }
  }
}

/** Ends the unpacking early when the content is not a workout. */
function workoutHead({ name }: ZipEntry): HeadCheck {
  return {
    bytes: HEAD_BYTES,
    expect: (head) => {
      if (!isGzip(head) && detectFormat(head, name) === null) throw unknownContent(head)
    },
  }
}

/** Stores runs and removes their temporary files; never fails. @returns the outcomes in order */
async function stored(deps: DepsBy, reads: readonly OwnRead[], work: Storing): Promise<ImportOutcome[]> {
  const failed = (error: unknown): ImportOutcome => {
    deps.log.error('A run of a Strava export could not be stored', error)
    return { error: reasonOf(error, 'The workout could not be stored', deps.damage) }
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

function originOf(
  { row, original }: Extract<Read, { run: AnalyzedRun }>,
  { unitM, receipt, warn }: Storing,
): RunOrigin {
  const filename = shownName(row)
  const noted = receipt && { receipt, filename }
  return { origin: 'strava_archive', original, unitM, noted, warn: (message) => warn({ filename, message }) }
}

async function discarded(read: Read): Promise<void> {
  const path = 'run' in read ? await read.original?.path : null
  if (typeof path === 'string') await rm(path, { force: true })
}
