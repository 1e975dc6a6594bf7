// A recorded library is a data folder in one file; its answers to GETs are another.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDb } from '../../../src/db/open.ts'
import { cleanUp } from '../../../src/jobs.ts'
import { upgradeWorkouts } from '../../../src/library/engine-upgrade.ts'
import { dropRawCopies } from '../../../src/library/files/raw-copies.ts'
import { finishCutOff } from '../../../src/library/receipts/record.ts'
import { fillTraining, noteUnfilled } from '../../../src/library/training/fill.ts'
import { type TestApp, testApp } from '../../app.ts'

/** By the schema under which they were made. */
export const LIBRARIES = {
  '0008': join(import.meta.dir, '../../db/library-0008.zst'),
  '0024': join(import.meta.dir, 'library-0024.zst'),
} as const
export type Library = keyof typeof LIBRARIES

/** The evening of the last day of each library. */
export const RECORDED_MS = Date.UTC(2025, 10, 20, 21, 30)
const ENV = {
  BUILD_VERSION: '1.0.0-net',
  BUILD_DATE: '2025-11-20T00:00:00Z',
  GIT_COMMIT: 'net',
  JWT_EXPIRATION_DAYS: '3650',
}

/**
 * Every file of a packed library by its path: harrier.sqlite, files/… It is one file of several: a line of JSON,
 * [path, length] of each, then their bytes; all compressed.
 */
export function unpacked(path: string): Map<string, Buffer> {
  const bytes = Buffer.from(Bun.zstdDecompressSync(readFileSync(path)))
  let at = bytes.indexOf('\n') + 1
  const head: [string, number][] = JSON.parse(bytes.toString('utf8', 0, at))
  return new Map(
    head.map(([path, length]) => {
      at += length
      return [path, bytes.subarray(at - length, at)]
    }),
  )
}

/** The data folder of a library in a temporary folder. */
function laidOut(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-net-'))
  for (const [name, bytes] of unpacked(path)) {
    if (name !== 'harrier.sqlite' && !name.startsWith('files/')) continue
    const isRawData = name.endsWith('.json')
    const target = join(folder, isRawData ? `${name}.zst` : name)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, isRawData ? Bun.zstdCompressSync(bytes) : bytes)
  }
  return folder
}

/** A library in an app, migrated, at the time of its answers; nothing has been derived again yet. */
export async function opened(path: string): Promise<TestApp> {
  const dataDir = laidOut(path)
  const app = await testApp({ db: openDb(join(dataDir, 'harrier.sqlite')), dataDir, env: ENV })
  app.clock.nowMs = RECORDED_MS
  return app
}

/** What the service does of itself after a start and every hour, until all of it is done. */
export async function settled({ deps }: TestApp): Promise<void> {
  const never = new AbortController().signal
  finishCutOff(deps.db, deps.now())
  noteUnfilled(deps)
  await upgradeWorkouts(deps, never)
  await fillTraining(deps, never)
  await dropRawCopies(deps, never)
  // no file counts as young: what no row names is put aside
  await cleanUp(deps, { olderThanMs: Date.now() + 60_000 })
}
