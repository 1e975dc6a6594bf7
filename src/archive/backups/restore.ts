import { mkdirSync, readdirSync, renameSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unpackTo } from './check.ts'
import { databasePath, POOL, poolName, readManifest, stampsIn } from './manifest.ts'
import { syncNames, syncWritten } from './pool.ts'

/**
 * Makes a DATA_DIR of a backup. Its database gets its name last, so that an interrupted one is no library.
 * @param stamp null: the latest
 * @param dataDir is created, or empty
 * @returns stamp and number of files
 * @throws Error with one sentence
 */
export async function restoreBackup(
  folder: string,
  { stamp: asked, dataDir }: { stamp: string | null; dataDir: string },
): Promise<{ stamp: string; files: number }> {
  const stamp = asked ?? latestStamp(folder)
  const { files, database } = readManifest(folder, stamp)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (readdirSync(dataDir).length > 0) throw new Error(`${dataDir} is not empty: name a new folder`)
  const unfinished = join(dataDir, 'harrier.sqlite.unfinished')
  const fault = (what: string) =>
    new Error(`${what} is missing in the backup or damaged: ${dataDir} is incomplete, try another stamp`)
  if (!(await unpackTo(unfinished, databasePath(folder, stamp), database))) throw fault('The database')
  const folders = new Set([dataDir])
  for (const file of files) {
    const path = join(dataDir, file.path)
    for (let parent = dirname(path); !folders.has(parent); parent = dirname(parent)) folders.add(parent)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (!(await unpackTo(path, join(folder, POOL, poolName(file)), file))) throw fault(file.path)
    utimesSync(path, new Date(), new Date(file.changedMs))
    syncWritten(path)
  }
  syncWritten(unfinished)
  for (const made of folders) syncNames(made)
  renameSync(unfinished, join(dataDir, 'harrier.sqlite'))
  syncNames(dataDir)
  return { stamp, files: files.length }
}

/** @throws Error when there is none */
export function latestStamp(folder: string): string {
  const stamp = stampsIn(folder).at(-1)
  if (stamp === undefined) throw new Error(`There is no backup in ${folder}`)
  return stamp
}
