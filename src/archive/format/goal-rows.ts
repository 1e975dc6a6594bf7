import type { ZipArchive } from '../../zip/reader.ts'
import { BadDataFile } from './data-rows.ts'
import { parsedJson } from './json-rows.ts'
import { GOALS_PATH } from './training-rows.ts'

const MAX_BYTES = 1_048_576

/** The rows of `goals.json`; null when the archive has none. @throws BadDataFile */
export async function goalRows(zip: ZipArchive): Promise<readonly unknown[] | null> {
  const entry = zip.find(GOALS_PATH)
  if (entry === null || entry.isFolder) return null
  try {
    const rows = parsedJson(await zip.bytes(entry, MAX_BYTES))
    return Array.isArray(rows) ? rows : []
  } catch (error) {
    throw new BadDataFile(`${GOALS_PATH} cannot be read`, { cause: error })
  }
}
