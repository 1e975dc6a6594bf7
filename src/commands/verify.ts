// verify <file>: restores an archive into a temporary library and reports whether everything was restored;
// verify <folder>: reads all backups of a folder again.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { latestStamp, stampsIn } from '../archive/backups/folder.ts'
import { checkBackup } from '../archive/backups/make.ts'
import { countsTable, type Verified, verifyArchive } from '../archive/verify/verify.ts'
import { configFromEnvironment } from '../base/config.ts'
import { createEvents } from '../base/events.ts'
import { consoleLog } from '../base/log.ts'
import { printable } from '../base/texts.ts'
import { isDiskFull } from '../db/disk-full.ts'
import { openDb, putTemporaryFiles } from '../db/open.ts'
import type { Deps } from '../library/deps.ts'
import { createLoadRefresher } from '../library/training/refresh.ts'
import { workerLine } from '../workers/worker-line.ts'
import { type WorkFolder, workFolder } from './work-folder.ts'

/**
 * Restores the archive into a library in `folder`, with the limits that a server started here would have.
 * @throws Error with one sentence when it is not an archive, or is damaged
 */
export async function verify(path: string, folder: string): Promise<Verified> {
  const log = consoleLog('error')
  const base: Omit<Deps, 'loads'> = {
    db: openDb(join(folder, 'harrier.sqlite')),
    damage: { isFound: false },
    config: { ...configFromEnvironment(), dataDir: folder, weatherEnabled: false },
    now: Date.now,
    // only needed for requests, which a verification does not have
    after: () => () => {},
    weather: { hours: () => Promise.reject(new Error('A verification makes no weather requests')) },
    log,
    events: createEvents(),
    worker: workerLine(log),
    jwtSecret: '',
  }
  const deps: Deps = { ...base, loads: createLoadRefresher(base) }
  putTemporaryFiles(deps.db, join(folder, 'tmp'))
  try {
    return await verifyArchive(deps, path)
  } finally {
    deps.worker.close()
    deps.db.$client.close()
  }
}

/** Reads every backup of a folder, and derives runs of the latest again. @returns the exit code */
async function verifyFolder(folder: string, scratch: string): Promise<0 | 1> {
  const latest = latestStamp(folder)
  const config = { ...configFromEnvironment(), dataDir: scratch }
  const log = consoleLog('error')
  const read = new Map<string, boolean>()
  let failed = 0
  for (const stamp of stampsIn(folder)) {
    const report = await checkBackup({ folder, stamp, scratch, config, log, derives: stamp === latest, read }).catch(
      (error: unknown) => {
        if (isDiskFull(error) || !(error instanceof Error)) throw error
        return { problems: [error.message], others: [], runs: 0, files: 0, derived: 0 }
      },
    )
    const problems = [...report.problems, ...report.others]
    if (problems.length > 0) failed += 1
    const derived = report.derived > 0 ? `, ${report.derived} derived again` : ''
    const counts = `${report.runs} runs${derived}, ${report.files} files`
    process.stdout.write(
      printable(`${stamp}: ${problems.length === 0 ? `${counts}, all right` : problems.join('; ')}\n`),
    )
  }
  return failed === 0 ? 0 : 1
}

/** The report as text: counts, notes, differences, and a conclusion in the last line. */
export function report(path: string, { bytes, origin, kinds, notes, differences, differencesCount }: Verified): string {
  const isCompared = kinds.every(({ equal }) => equal !== null)
  const last =
    differencesCount === 0
      ? `Everything in the archive was restored${isCompared ? ' and is identical' : ''}.`
      : `${differencesCount} ${differencesCount === 1 ? 'difference' : 'differences'}: the restored library differs from the archive.`
  return [
    `${path}: ${bytes} bytes, ${origin}`,
    '',
    countsTable(kinds),
    '',
    ...notes.map((note) => `note: ${note}`),
    ...differences,
    last,
    '',
  ].join('\n')
}

/**
 * Folder for the temporary library. Not /tmp, which many systems keep in memory, too small for a library with photos.
 */
function scratchPlace(): string {
  const preferred = tmpdir() === '/tmp' ? ['/var/tmp', '/tmp'] : [tmpdir()]
  return preferred.find(isWritable) ?? tmpdir()
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @returns the exit code: 0 when everything is equal, 1 when not, 3 when the disk is full */
export async function verifyCommand(path: string): Promise<0 | 1 | 3> {
  const place = scratchPlace()
  let folder: WorkFolder | null = null
  try {
    folder = workFolder(place, 'harrier-verify-')
    mkdirSync(join(folder.path, 'tmp'))
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return await verifyFolder(path, folder.path)
    const verified = await verify(path, folder.path)
    process.stdout.write(printable(report(path, verified)))
    return verified.differencesCount > 0 ? 1 : 0
  } catch (error) {
    const isFull = isDiskFull(error)
    const full = `The disk of ${place} is full; make space there, or set TMPDIR to a folder of another disk`
    process.stderr.write(`${path}: ${isFull ? full : error instanceof Error ? error.message : String(error)}\n`)
    return isFull ? 3 : 1
  } finally {
    folder?.clear()
  }
}
