// bun run verify <file>: restores an archive into a scratch library and tells whether everything arrived.
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Verified, verifyArchive } from './archive/verify.ts'
import { countsTable } from './archive/verify-findings.ts'
import { configFromEnvironment } from './config.ts'
import { openDb } from './db/open.ts'
import type { Deps } from './deps.ts'
import { createEvents } from './events/emitter.ts'
import { consoleLog } from './log.ts'
import { workerAnalyzer } from './workers/analyzer.ts'

/**
 * Restores the archive into a library in `folder`, with the limits that a server started here would have.
 * @throws Error with one sentence when it is no archive, or is damaged
 */
export async function verify(path: string, folder: string): Promise<Verified> {
  const log = consoleLog('error')
  const deps: Deps = {
    db: openDb(join(folder, 'harrier.sqlite')),
    config: { ...configFromEnvironment(), dataDir: folder, weatherEnabled: false },
    now: Date.now,
    weather: { hours: () => Promise.reject(new Error('A verification asks nobody for weather')) },
    log,
    events: createEvents(),
    analyzer: workerAnalyzer(log),
    jwtSecret: '',
  }
  try {
    return await verifyArchive(deps, path)
  } finally {
    deps.analyzer.close()
    deps.db.$client.close()
  }
}

/** A report that a person can read: counts a kind, notes, differences, and one last line. */
export function report(path: string, { bytes, origin, kinds, notes, differences, differencesCount }: Verified): string {
  const last =
    differencesCount === 0
      ? 'Everything in the archive was restored and is equal.'
      : `${differencesCount} ${differencesCount === 1 ? 'difference' : 'differences'}: the archive does not restore to what it says.`
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
 * A new folder for what is thrown away. Many systems keep /tmp in memory, which a library of photos must not fill.
 * @returns its path
 */
function scratchFolder(): string {
  const preferred = tmpdir() === '/tmp' ? ['/var/tmp', '/tmp'] : [tmpdir()]
  const parent = preferred.find(isWritable) ?? tmpdir()
  return mkdtempSync(join(parent, 'harrier-verify-'))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (import.meta.main) {
  const [path, ...more] = process.argv.slice(2)
  if (path === undefined || path.startsWith('-') || more.length > 0) {
    process.stderr.write('Usage: bun run verify <file>\n')
    process.exit(2)
  }
  let folder: string | null = null
  const clear = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  // before there is anything to remove
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      clear()
      process.exit(code)
    })
  }
  try {
    folder = scratchFolder()
    mkdirSync(join(folder, 'tmp'))
    const verified = await verify(path, folder)
    process.stdout.write(report(path, verified))
    if (verified.differencesCount > 0) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`${path}: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    clear()
  }
}
