import { createCollector } from '../../garbage.ts'
import { isObject } from '../../json-object.ts'
import { bad } from '../format/data-rows.ts'
import { oneOf, textOf } from '../format/fields.ts'
import { HASHED, HASHES_PATH, type Hashed, hashedIds, hashOf, isExactArchive } from '../format/hashes.ts'
import { jsonRows } from '../format/json-rows.ts'
import { hasFileIn } from './restored.ts'
import type { RowsToVerify } from './rows.ts'

/** Hashed things are garbage, and the collector by itself waits for much more of it. */
const ROWS_A_COLLECTION = 20
const MAX_ROW_BYTES = 65_536

/**
 * Compares recordings with their samples, documents and settings with those that the library had when it wrote the archive,
 * once the rows were found equal: what both the writing and the reading of rows leave out is not seen otherwise. An archive
 * of another program, or of before, has no such hashes.
 * @throws BadDataFile
 */
export async function verifyHashes({ archive, library, findings }: RowsToVerify): Promise<void> {
  const { zip } = archive
  const entry = zip.find(HASHES_PATH)
  if (findings.differencesCount > 0 || entry === null || !isExactArchive(archive)) return
  const { db, dataDir } = library
  const hashed = { db, hasFile: hasFileIn(dataDir), hasMedia: () => true }
  const listed = new Map<Hashed, number>()
  const collect = createCollector(ROWS_A_COLLECTION)
  const limits = { maxRowBytes: MAX_ROW_BYTES, leftOut: () => {} }
  try {
    for await (const rows of jsonRows(zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY }), limits)) {
      for (const row of rows.filter(isObject)) {
        const [kind, id] = [oneOf(row.kind, HASHED), textOf(row.id) ?? '']
        if (kind === null) continue
        listed.set(kind, (listed.get(kind) ?? 0) + 1)
        const isEqual = hashOf(hashed, kind, id) === row.sha256
        if (!isEqual) findings.differ(kind, `${kind} ${id}: restored otherwise than the library had it`)
        collect()
      }
    }
  } catch (error) {
    throw bad(error, HASHES_PATH)
  }
  for (const kind of HASHED) {
    const more = [...hashedIds(db, kind)].length - (listed.get(kind) ?? 0)
    if (more > 0) findings.differ(kind, `${kind}: ${more} restored that the library did not have`)
  }
}
