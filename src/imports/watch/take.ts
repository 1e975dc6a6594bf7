import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { AppError, codeOf } from '../../base/errors.ts'
import { printableName } from '../../base/texts.ts'
import { DISK_FULL, damageIn, isDiskFull } from '../../db/disk-full.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { FormatError } from '../../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { HEAD_BYTES } from '../../formats/registry.ts'
import { baseName } from '../../http/file-names.ts'
import type { ImportOutcome } from '../../library/add-run.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { readAt } from '../../library/files/taken.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { throughZlib } from '../../zip/reader.ts'
import { writeWhole } from '../../zip/unpack.ts'
import { importFile } from '../files/import.ts'
import type { Arrived } from '../kinds/container.ts'
import { contentOf } from '../receive.ts'
import type { FileState } from './folder.ts'
import { type Decision, decidedBefore, type FileRow } from './table.ts'

export interface Decided {
  readonly is: 'decided'
  readonly decision: Decision
  /** The outcome of each run, when it was a workout file that could be read. */
  readonly runs: readonly ImportOutcome[]
  readonly skippedOther: number
  readonly zip: Arrived | null
}

/** The result of reading a file: a decision; unchanged bytes; still being written; or not readable for now. */
export type Taken =
  | Decided
  | { readonly is: 'unchanged' }
  | { readonly is: 'written' }
  | { readonly is: 'failed'; readonly reason: string }

type Imported = Awaited<ReturnType<typeof importFile>>

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Harrier has no permission to read this file',
  EPERM: 'Harrier has no permission to read this file',
  EBUSY: 'Another program has locked this file',
  ENOENT: 'The file disappeared while it was being read',
}

const WRITTEN = { is: 'written' } as const

/**
 * Reads one file of the watch folder, without changing it, and stores its runs; known bytes are not parsed again.
 * @param row its row in the table
 */
export async function takeFile(deps: DepsBy, row: FileRow, taking: Taking): Promise<Taken> {
  const { dataDir, maxArchiveBytes } = deps.config
  const { state } = taking
  const { size } = state
  const copy = join(dataDir, 'tmp', crypto.randomUUID())
  let file: FileHandle | null = null
  try {
    file = await openWithoutTrace(state.path)
    if (!(await isStill(file, state))) return WRITTEN
    const head = await readAt(file, 0, HEAD_BYTES)
    const content = contentOf({ name: row.name, size, head }, maxArchiveBytes)
    // what is too large is not read
    const isRead = !(content instanceof FormatError) || content.problem !== 'unreadable'
    const packed = isRead ? await passedOver(file, size, content === 'runs' ? copy : null) : null
    if ((isRead && packed === null) || !(await isStill(file, state))) return WRITTEN
    const unpacked = content === 'runs' && isGzip(head) ? await unpackedHash(copy) : null
    return await decided(deps, { ...taking, row, file, copy, content, sha256: unpacked ?? packed })
  } catch (error) {
    return { is: 'failed', reason: failureOf(deps, error) }
  } finally {
    await file?.close()
    await rm(copy, { force: true })
  }
}

interface Taking {
  readonly state: FileState
  readonly signal: AbortSignal
  /** Whether the file is read regardless of earlier decisions on it and its runs. */
  readonly isAgain?: boolean
  /** Receipt for files with runs, opened on demand. An archive leaves its own. */
  readonly receipt?: () => OpenReceipt | null
}

interface Read extends Taking {
  readonly row: FileRow
  readonly file: FileHandle
  /** Of a file of runs: storing an original gives its file a second name, which must not happen to foreign files. */
  readonly copy: string
  readonly content: ReturnType<typeof contentOf>
  /** Hash of the unpacked bytes, or of the file itself when it cannot be unpacked (a ZIP); null: not read. */
  readonly sha256: string | null
}

async function decided(deps: DepsBy, { row, file, copy, content, sha256, ...taking }: Read): Promise<Taken> {
  const { state, signal, isAgain = false, receipt = () => null } = taking
  const known = sha256 === null || isAgain ? null : decidedBefore(deps.db, sha256, row.id)
  // a file that an older version could not read is read again
  if (known !== null && (known.engineVersion === null || known.engineVersion === ENGINE_VERSION))
    return known.id === row.id ? { is: 'unchanged' } : of(asKnown(row, known))
  try {
    if (content instanceof FormatError) throw content
    if (content === 'container') {
      const { takeContainer } = await import('../kinds/container.ts')
      const zip = await takeContainer(deps, file, { title: basename(row.name), signal })
      // read again, it continues from there
      if (zip.endedEarly !== null) throw new AppError('unavailable', zip.endedEarly, { code: 'stopping' })
      return (await isStill(file, state)) ? of(zipDecision(zip, sha256), { zip }) : WRITTEN
    }
    const unitM = splitUnitM(unitPreference(deps.db))
    const open = receipt()
    const noted = open && { receipt: open, filename: row.name }
    const upload = { filename: baseName(row.name), size: state.size, path: copy, bytes: () => Bun.file(copy).bytes() }
    return ofRuns(row, await importFile(deps, upload, { origin: 'watch_folder', unitM, noted }), sha256)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return of(refused(row.name, error, sha256))
  }
}

function of(decision: Decision, more: Partial<Decided> = {}): Decided {
  return { is: 'decided', decision, runs: [], skippedOther: 0, zip: null, ...more }
}

/** The decision for bytes already known under another name: a copy, or a renamed file. */
function asKnown({ folder }: FileRow, known: FileRow): Decision {
  const { outcome, reason, workoutIds, sha256 } = known
  const same = { workoutIds, sha256 }
  if (outcome === 'ignored' || outcome === 'error') {
    return { ...same, isOpen: known.engineVersion !== null, outcome, reason }
  }
  const name = known.folder === folder ? known.name : join(known.folder, known.name)
  return { ...same, isOpen: false, outcome: 'skipped', reason: `Same file as ${printableName(name)}` }
}

function refused(name: string, error: Pick<FormatError, 'message' | 'problem'>, sha256: string | null): Decision {
  const { message: reason, problem } = error
  const nothing = { reason, workoutIds: [], sha256 }
  if (problem === 'noRun') return { ...nothing, outcome: 'ignored', isOpen: false }
  const isOthers = problem === 'unknown' && (isOfAllSorts(name) || /\.zip$/i.test(name))
  // a later version may recognise it
  return { ...nothing, outcome: isOthers ? 'ignored' : 'error', isOpen: true }
}

/** Combines the outcomes of several runs of a file to one word, the worst, so that no failure is hidden. */
function ofRuns(row: FileRow, { outcomes: runs, skippedOther }: Imported, sha256: string | null): Taken {
  const failures = runs.filter((outcome) => 'error' in outcome)
  const stored = runs.filter((outcome) => 'action' in outcome)
  // disk or database refused it; the file itself is intact
  const ours = failures.find(({ problem }) => problem === undefined)
  if (ours !== undefined) return { is: 'failed', reason: ours.error }
  const workoutIds = [...new Set(stored.map(({ id }) => id))]
  const decide = (outcome: Decision['outcome'], reason: string | null = null) =>
    of({ outcome, reason, workoutIds, sha256, isOpen: outcome === 'error' }, { runs, skippedOther })
  const [first] = failures
  if (first !== undefined && runs.length === 1) {
    const { error: message, problem = 'unreadable' } = first
    return of(refused(row.name, { message, problem }, sha256), { runs, skippedOther })
  }
  if (first !== undefined) {
    const count = `${failures.length} of ${runs.length} runs could not be read`
    return decide('error', `${count}: ${listed(failures.map(({ error }) => error))}`)
  }
  if (stored.length === 0) return decide('ignored', 'No runs found')
  for (const action of ['created', 'updated'] as const)
    if (stored.some((outcome) => outcome.action === action)) return decide(action)
  return decide('skipped', stored[0]?.reason ?? 'Already there')
}

/** The outcome of an archive with many runs as one word and one sentence. */
function zipDecision({ successful, updated, skipped, errors, firstError }: Arrived, sha256: string | null): Decision {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  const parts = [
    successful > 0 ? `${count(successful, 'run')} added` : '',
    updated > 0 ? `${count(updated, 'run')} updated` : '',
    skipped > 0 ? count(skipped, 'duplicate') : '',
    errors > 0 ? `${errors} could not be read: ${firstError ?? ''}` : '',
  ].filter((part) => part !== '')
  const outcome = errors > 0 ? 'error' : successful > 0 ? 'created' : updated > 0 ? 'updated' : 'skipped'
  const reason = parts.length === 0 ? 'No runs found' : parts.join(', ')
  return { outcome, reason, workoutIds: [], sha256, isOpen: errors > 0 }
}

const MOST_SENTENCES = 3

export function listed(sentences: readonly string[]): string {
  const different = [...new Set(sentences)]
  const more = different.length > MOST_SENTENCES ? '; and others' : ''
  return different.slice(0, MOST_SENTENCES).join('; ') + more
}

/** A message for an error that is not the fault of the file's content; the file is tried again. */
function failureOf({ log, damage }: Deps, error: unknown): string {
  if (isDiskFull(error)) return DISK_FULL
  const damaged = damageIn(error, damage)
  if (damaged !== null) return damaged
  const code = codeOf(error)
  if (error instanceof AppError) return error.message
  const known = typeof code === 'string' ? REASONS[code] : undefined
  if (known !== undefined) return known
  log.error('A file of the watch folder could not be imported', error)
  return typeof code === 'string' ? `The file could not be read (${code})` : 'The run could not be stored'
}

/** Whether unknown content is expected under this name, since tables and JSON are used for many purposes. */
function isOfAllSorts(name: string): boolean {
  return /\.(?:csv|json)(?:\.gz)?$/i.test(name)
}

const PIECE_BYTES = 262_144

/** The hash of all bytes, which may be copied; null: there are fewer. */
async function passedOver(file: FileHandle, size: number, copyPath: string | null): Promise<string | null> {
  const hasher = new Bun.CryptoHasher('sha256')
  const copy = copyPath === null ? null : await open(copyPath, 'wx', 0o600)
  try {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - read), read)
      if (bytesRead === 0) return null
      const some = piece.subarray(0, bytesRead)
      hasher.update(some)
      if (copy !== null) await writeWhole(copy, some)
      read += bytesRead
    }
  } finally {
    await copy?.close()
  }
  return hasher.digest('hex')
}

/** null: it cannot be unpacked, or is too large. */
async function unpackedHash(path: string): Promise<string | null> {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  try {
    for await (const piece of throughZlib(createReadStream(path), createGunzip({ chunkSize: PIECE_BYTES }))) {
      size += piece.length
      if (size > MAX_UNPACKED_BYTES) return null
      hasher.update(piece)
    }
    return hasher.digest('hex')
  } catch {
    return null
  }
}

/** Flags that keep reading harmless: the file is not changed, opening it does not block, and a link is not followed. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function isStill(
  file: FileHandle,
  { size, modifiedAt }: Pick<FileState, 'size' | 'modifiedAt'>,
): Promise<boolean> {
  const found = await file.stat()
  return found.isFile() && found.size === size && Math.floor(found.mtimeMs) === modifiedAt
}

/** If possible without changing its access time. @throws errors of the system when it cannot be opened */
async function openWithoutTrace(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS | (constants.O_NOATIME ?? 0))
  } catch (error) {
    // only the owner of a file may open it without changing its access time
    if (codeOf(error) === 'EPERM') return await open(path, FLAGS)
    throw error
  }
}
