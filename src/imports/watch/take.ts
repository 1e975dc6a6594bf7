import { basename, join } from 'node:path'
import { AppError, codeOf } from '../../base/errors.ts'
import { printableName } from '../../base/texts.ts'
import { DISK_FULL, damageIn, isDiskFull } from '../../db/disk-full.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { FormatError } from '../../formats/format.ts'
import type { ImportOutcome } from '../../library/add-run.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { importFile } from '../files/import.ts'
import type { Arrived } from '../kinds/container.ts'
import { type FileState, isStill } from './files.ts'
import { isOfAllSorts } from './names.ts'
import { type ReadFile, readWatched } from './read.ts'
import { type Decision, decidedBefore, type FileRow } from './table.ts'

export interface Decided {
  readonly is: 'decided'
  readonly decision: Decision
  /** The outcome of each run, when it was a workout file that could be read. */
  readonly runs: readonly ImportOutcome[]
  readonly skippedOther: number
  /** null: it was not an archive. */
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

/**
 * Reads one file of the watch folder and stores its runs; known bytes are not parsed again.
 * @param row its row in the table
 */
export async function takeFile(deps: DepsBy, row: FileRow, taking: Taking): Promise<Taken> {
  try {
    const { dataDir, maxArchiveBytes } = deps.config
    const read = await readWatched(row.name, taking.state, { tmpDir: join(dataDir, 'tmp'), maxArchiveBytes })
    if (read === null) return { is: 'written' }
    try {
      return await decided(deps, { ...taking, row, read })
    } finally {
      await read.close()
    }
  } catch (error) {
    return { is: 'failed', reason: failureOf(deps, error) }
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

interface Read {
  readonly row: FileRow
  readonly read: ReadFile
}

/** Thrown when an archive was interrupted for another reason than its content; read again, it continues from there. */
class EndedEarly extends Error {}

async function decided(deps: DepsBy, { row, read, ...taking }: Taking & Read): Promise<Taken> {
  const { state, signal, isAgain = false, receipt = () => null } = taking
  const { sha256, content } = read
  const known = sha256 === null || isAgain ? null : decidedBefore(deps.db, sha256, row.id)
  // a file that an older version could not read is read again
  if (known !== null && (known.engineVersion === null || known.engineVersion === ENGINE_VERSION))
    return known.id === row.id ? { is: 'unchanged' } : of(asKnown(row, known))
  try {
    if (content.kind === 'refused') throw content.error
    if (content.kind === 'zip') {
      const { takeContainer } = await import('../kinds/container.ts')
      const zip = await takeContainer(deps, content.file, { title: basename(row.name), signal })
      if (zip.endedEarly !== null) throw new EndedEarly(zip.endedEarly)
      return (await isStill(content.file, state)) ? of(zipDecision(zip, sha256), { zip }) : { is: 'written' }
    }
    const unitM = splitUnitM(unitPreference(deps.db))
    const open = receipt()
    const noted = open && { receipt: open, filename: row.name }
    const imported = await importFile(deps, content.upload, { origin: 'watch_folder', unitM, noted })
    return ofRuns(row, imported, sha256)
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
  if (error instanceof EndedEarly || error instanceof AppError) return error.message
  const known = typeof code === 'string' ? REASONS[code] : undefined
  if (known !== undefined) return known
  log.error('A file of the watch folder could not be imported', error)
  return typeof code === 'string' ? `The file could not be read (${code})` : 'The run could not be stored'
}
