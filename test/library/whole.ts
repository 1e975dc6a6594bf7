// Whether a data folder is whole, however the process on it ended: its rows, and the files that they name.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeSnapshot, openSnapshot } from '../../src/db/open.ts'

type Row = Readonly<Record<string, string | number | null>>

/** Asks the database of a folder. */
function asked<T>(dataDir: string, answer: (all: <R = Row>(sql: string) => R[]) => T): T {
  const db = openSnapshot(join(dataDir, 'harrier.sqlite'))
  try {
    return answer(<R>(sql: string) => db.$client.query<R, []>(sql).all())
  } finally {
    closeSnapshot(db)
  }
}

const ORIGINALS = `SELECT stored_as AS name, NULL AS size, file_sha256 AS sha256 FROM recording WHERE stored_as IS NOT NULL`
const PHOTOS = `SELECT id AS name, file_size_bytes AS size, NULL AS sha256 FROM media`
/** Runs without some of their splits, and those whose original was read but has no samples. */
const INCOMPLETE = `SELECT id FROM workout AS w
  WHERE splits_count <> (SELECT count(*) FROM workout_split WHERE workout_id = w.id)
  OR EXISTS (SELECT 1 FROM run_recording JOIN recording ON recording.id = recording_id LEFT JOIN samples USING (recording_id)
    WHERE run_id = w.id AND live = 1 AND stored_as IS NOT NULL AND samples.recording_id IS NULL)`

/** @returns every row that is broken, points at nothing, or names a file that is missing or another */
export function faultsOf(dataDir: string): string[] {
  return asked(dataDir, (all) => {
    const broken = all('PRAGMA integrity_check').filter(({ integrity_check: found }) => found !== 'ok')
    const rows = { broken, 'of nothing': all('PRAGMA foreign_key_check'), incomplete: all(INCOMPLETE) }
    const faults = Object.entries(rows).flatMap(([name, found]) =>
      found.map((row) => `${name}: ${JSON.stringify(row)}`),
    )
    for (const [folder, sql] of Object.entries({ raw: ORIGINALS, media: PHOTOS })) {
      for (const { name, size, sha256 } of all<{ name: string; size: number | null; sha256: string | null }>(sql)) {
        const path = join(dataDir, 'files', folder, name)
        const bytes = existsSync(path) ? new Uint8Array(readFileSync(path)) : null
        if (bytes === null) faults.push(`missing: ${path}`)
        else if (bytes.length !== (size ?? bytes.length)) faults.push(`${path} has ${bytes.length} bytes, not ${size}`)
        else if (sha256 !== null && sha256Of(bytes) !== sha256) faults.push(`another file: ${path}`)
      }
    }
    return faults
  })
}

/** Of what is packed in it. */
function sha256Of(bytes: Uint8Array<ArrayBuffer>): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return new Bun.CryptoHasher('sha256').update(isPacked ? Bun.gunzipSync(bytes) : bytes).digest('hex')
}

/** Files that no row names, and temporary ones but those of SQLite itself. */
export function leftovers(dataDir: string): string[] {
  const named = asked(dataDir, (all) => [
    ...all(ORIGINALS),
    ...all(PHOTOS),
    ...all("SELECT id || '.json.zst' AS name FROM recording WHERE has_raw"),
    ...all("SELECT document_id AS name FROM earlier_version WHERE kind = 'media'"),
  ])
  const known = new Set(named.map(({ name }) => name))
  const files = [...namesIn(join(dataDir, 'files/raw')), ...namesIn(join(dataDir, 'files/media'))]
  const temporary = namesIn(join(dataDir, 'tmp')).filter((name) => !name.startsWith('etilqs'))
  return [...files.filter((name) => !known.has(name)), ...temporary]
}

/** How many runs and photos are stored. */
export function storedIn(dataDir: string): { readonly runs: number; readonly photos: number } {
  const [counts] = asked(dataDir, (all) =>
    all<{ runs: number; photos: number }>(
      'SELECT (SELECT count(*) FROM workout) AS runs, (SELECT count(*) FROM media) AS photos',
    ),
  )
  return counts!
}

/** Every number with a fraction in any table, as it is stored. */
export function storedFractions(dataDir: string): string[] {
  return asked(dataDir, (all) => {
    const tables = all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    const lines = tables.flatMap(({ name }) =>
      all(`SELECT * FROM "${name}"`).map((row) =>
        [name, ...Object.values(row).filter((value) => typeof value === 'number' && value % 1 !== 0)].join(' '),
      ),
    )
    return lines.filter((line) => line.includes(' ')).toSorted()
  })
}

export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
