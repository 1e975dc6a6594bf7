// backup <file.zip>: writes the whole library of DATA_DIR to one archive; backup <folder>: makes a backup in a folder of
// backups. Both also while Harrier is running. restore <folder> [stamp] <new DATA_DIR>: the way back from the latter.
import { statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { restoreBackup } from '../archive/backups/folder.ts'
import { makeBackup } from '../archive/backups/make.ts'
import { exportItems } from '../archive/export/export.ts'
import { readArchive } from '../archive/verify/verify.ts'
import { type Config, configFromEnvironment } from '../base/config.ts'
import { consoleLog } from '../base/log.ts'
import { APPLICATION_VERSION } from '../base/versions.ts'
import { DAMAGED, isSound } from '../db/disk-full.ts'
import { openSnapshot } from '../db/open.ts'
import { zipStream } from '../zip/writer.ts'
import { workFolder } from './work-folder.ts'

/** In the folder of the target, so that the finished file is moved and not copied. */
const WORK_FOLDER = '.harrier-backup-'

/**
 * Writes to a folder next to the target and reads the result once before moving it, so that a file of that name is
 * either complete or absent. Leftovers of a killed backup are removed by the next one.
 * @returns a sentence on what was written
 * @throws Error when there is no database, the target exists, or the disk is full
 */
export async function backup(dataDir: string, target: string, appVersion: string): Promise<string> {
  const database = join(dataDir, 'harrier.sqlite')
  if (!(await Bun.file(database).exists())) throw new Error(`There is no database in ${dataDir}`)
  if (!isSound(database)) throw new Error(DAMAGED)
  if (await Bun.file(target).exists()) throw new Error(`${target} exists already`)
  const work = workFolder(dirname(target), WORK_FOLDER)
  const unfinished = join(work.path, 'unfinished.zip')
  try {
    const options = { dataDir, nowMs: Date.now(), appVersion }
    await writeStream(unfinished, zipStream(exportItems(openSnapshot(database), options)))
    const found = await readArchive(unfinished)
    if (found.problems.length > 0) throw new Error(`The archive is damaged: ${found.problems.join('; ')}`)
    await rename(unfinished, target)
    return found.summary
  } finally {
    work.clear()
  }
}

async function writeStream(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const piece of stream) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function backupCommand(target: string): Promise<0> {
  const config = configFromEnvironment()
  const { dataDir, buildVersion } = config
  const version = buildVersion ?? APPLICATION_VERSION
  const path = resolve(target)
  const isArchive = /\.zip$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true
  const summary = isArchive ? await backup(dataDir, path, version) : await backupInto(path, config, version)
  process.stdout.write(`${target}: ${summary}\n`)
  return 0
}

async function backupInto(folder: string, config: Config, version: string): Promise<string> {
  process.umask(0o077)
  const log = consoleLog('error')
  const made = await makeBackup({ config, log, folder, nowMs: Date.now(), version })
  const problems = made.others.length === 0 ? 'verified' : made.others.join('; ')
  return `${made.stamp}, ${(made.bytes / 1e6).toFixed(1)} MB, ${made.files} files, ${problems}`
}

export async function restoreCommand(folder: string, stamp: string | null, dataDir: string): Promise<0> {
  process.umask(0o077)
  const restored = await restoreBackup(resolve(folder), { stamp, dataDir: resolve(dataDir) })
  process.stdout.write(`${dataDir}: restored the backup ${restored.stamp}, ${restored.files} files\n`)
  return 0
}
