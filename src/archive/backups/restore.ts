import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWhole, syncNames } from './files.ts'
import { DATABASE, readManifest, stampsIn, storedPath, UNFINISHED } from './manifest.ts'

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
  const unfinished = join(dataDir, DATABASE + UNFINISHED)
  const fault = (what: string) =>
    new Error(`${what} is missing in the backup or damaged: ${dataDir} is incomplete, try another stamp`)
  if (!(await isWhole(storedPath(folder, stamp, DATABASE), database, unfinished))) throw fault('The database')
  const folders = new Set([dataDir])
  for (const file of files) {
    const path = join(dataDir, file.path)
    for (let parent = dirname(path); !folders.has(parent); parent = dirname(parent)) folders.add(parent)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (!(await isWhole(storedPath(folder, stamp, file.path), file, path))) throw fault(file.path)
  }
  for (const made of folders) syncNames(made)
  renameSync(unfinished, join(dataDir, DATABASE))
  syncNames(dataDir)
  return { stamp, files: files.length }
}

/** @throws Error when there is none */
export function latestStamp(folder: string): string {
  const stamp = stampsIn(folder).at(-1)
  if (stamp === undefined) throw new Error(`There is no backup in ${folder}`)
  return stamp
}
