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
import type { ZipResult } from '../uploads/zips.ts'
import { type FileState, isStill } from './files.ts'
import { type Decision, decidedBefore, type LedgerRow } from './ledger.ts'
import { isOfAllSorts } from './names.ts'
import { type ReadFile, readWatched } from './read.ts'
import { EndedEarly, listed, zipDecision } from './words.ts'

/** The result of reading a file: a decision; unchanged bytes; still being written; or not readable for now. */
export type Taken =
  | {
      readonly is: 'decided'
      readonly decision: Decision
      /** The outcome of each run, when it was a workout file that could be read. */
      readonly runs: readonly ImportOutcome[]
      readonly skippedOther: number
      /** null: it was not an archive. */
      readonly zip: ZipResult | null
    }
  | { readonly is: 'unchanged' }
  | { readonly is: 'written' }
  | { readonly is: 'failed'; readonly reason: string }

export type Decided = Extract<Taken, { is: 'decided' }>

export interface RoundFile extends Pick<Decided, 'decision' | 'runs' | 'zip'> {
  readonly row: LedgerRow
  /** Whether something was stored, or failed for the first time. */
  readonly isNews: boolean
}

type Imported = Awaited<ReturnType<typeof importFile>>

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Harrier has no permission to read this file',
  EPERM: 'Harrier has no permission to read this file',
  EBUSY: 'Another program has locked this file',
  ENOENT: 'The file disappeared while it was being read',
}

/**
 * Reads one file of the watch folder and stores its runs; known bytes are not parsed again.
 * @param row its row in the ledger
 */
export async function takeFile(deps: DepsBy, row: LedgerRow, taking: Taking): Promise<Taken> {
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

async function decided(
  deps: DepsBy,
  {
    row,
    read,
    state,
    signal,
    isAgain = false,
    receipt = () => null,
  }: Taking & { readonly row: LedgerRow; readonly read: ReadFile },
): Promise<Taken> {
  const { sha256, content } = read
  const known = sha256 === null || isAgain ? null : decidedBefore(deps.db, sha256, row.id)
  // a file that an older version could not read is read again
  const isFinal = known !== null && (known.engineVersion === null || known.engineVersion === ENGINE_VERSION)
  if (isFinal) {
    if (known.id === row.id) return { is: 'unchanged' }
    return of(asKnown(row, known))
  }
  try {
    if (content.kind === 'refused') throw content.error
    if (content.kind === 'zip') {
      const { importZip } = await import('../uploads/zips.ts')
      const work = { title: basename(row.name), signal }
      const zip = await importZip(deps, content.file, work)
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
function asKnown({ folder }: LedgerRow, known: LedgerRow): Decision {
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
function ofRuns(row: LedgerRow, imported: Imported, sha256: string | null): Taken {
  const { outcomes: runs, skippedOther } = imported
  const failures = runs.filter((outcome) => 'error' in outcome)
  const stored = runs.filter((outcome) => 'action' in outcome)
  // disk or database refused it; the file itself is intact
  const ours = failures.find(({ problem }) => problem === undefined)
  if (ours !== undefined) return { is: 'failed', reason: ours.error }
  const workoutIds = [...new Set(stored.map(({ id }) => id))]
  const [first] = failures
  if (first !== undefined && stored.length === 0 && failures.length === 1) {
    const decision = refused(row.name, { message: first.error, problem: first.problem ?? 'unreadable' }, sha256)
    return of(decision, { runs, skippedOther })
  }
  const decide = (outcome: Decision['outcome'], reason: string | null, isOpen = false): Taken => {
    return of({ outcome, reason, workoutIds, sha256, isOpen }, { runs, skippedOther })
  }
  if (first !== undefined) {
    const count = `${failures.length} of ${runs.length} runs could not be read`
    return decide('error', `${count}: ${listed(failures.map(({ error }) => error))}`, true)
  }
  const did = (action: 'created' | 'updated') => stored.some((outcome) => outcome.action === action)
  if (did('created')) return decide('created', null)
  if (did('updated')) return decide('updated', null)
  const [skipped] = stored
  if (skipped === undefined) return decide('ignored', 'No runs found')
  return decide('skipped', skipped.reason ?? 'Already there')
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
