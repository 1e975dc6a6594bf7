import { Database } from 'bun:sqlite'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { multipartOf, startServer } from './server.ts'
import { makeStravaExport } from './strava-export.ts'

/** What is printed of one library. */
export interface Sizes {
  readonly workouts: number
  /** Of running, as the workouts last. */
  readonly hours: number
  /** Of the database file. */
  readonly bytes: number
  /** Tables and indexes, whole pages, largest first. */
  readonly objects: readonly { readonly name: string; readonly bytes: number }[]
  /** Columns by the lengths of their values. */
  readonly columns: readonly { readonly name: string; readonly bytes: number }[]
}

/** Bytes an hour of running takes in the database, of the corpus and of runs of synth.py, and what takes them. */
export async function benchSize(runs = 200): Promise<void> {
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) return console.log('size: skipped, CORPUS_DIR names no folder of watch files')
  const folder = mkdtempSync(join(tmpdir(), 'harrier-size-'))
  const zip = join(folder, 'export.zip')
  makeStravaExport(zip, { corpusDir, runs })
  for (const [what, imported] of [
    ['real files', (server: Server) => importFiles(server, corpusDir)],
    ['synth.py', (server: Server) => server.call('/workouts/import/bulk', multipartOf(zip))],
  ] as const) {
    const server = await startServer()
    await server.login()
    await imported(server)
    await server.stop()
    print(what, sizesOf(join(server.dataDir, 'harrier.sqlite')))
    await server.remove()
  }
  rmSync(folder, { recursive: true })
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Every watch file; what is not a run or there already is passed over. */
async function importFiles(server: Server, corpusDir: string): Promise<void> {
  for (const folder of ['fit', 'fit-gz', 'gpx', 'strava-export/activities']) {
    for (const name of readdirSync(join(corpusDir, folder)).toSorted()) {
      const form = new FormData()
      form.append('file', Bun.file(join(corpusDir, folder, name)), basename(name))
      await (await server.call('/workouts/import', { method: 'POST', body: form })).arrayBuffer()
    }
  }
}

/** @param path of a database that nobody has open */
export function sizesOf(path: string): Sizes {
  const db = new Database(path, { readwrite: true })
  try {
    // what is beside the file goes into it
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const totals = db
      .query<{ workouts: number; hours: number }, []>(
        'SELECT count(*) workouts, sum(duration_s) / 3600.0 hours FROM workout',
      )
      .get()!
    const objects = db
      .query<{ name: string; bytes: number }, []>(
        'SELECT name, sum(pgsize) bytes FROM dbstat GROUP BY name ORDER BY bytes DESC',
      )
      .all()
    const tables = db
      .query<{ name: string; columns: string }, []>(
        `SELECT m.name, group_concat(i.name) columns FROM sqlite_schema m, pragma_table_info(m.name) i
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' GROUP BY m.name`,
      )
      .all()
    const columns = tables.flatMap(({ name, columns: list }) =>
      list.split(',').map((column) => ({
        name: `${name}.${column}`,
        bytes:
          db
            .query<{ bytes: number | null }, []>(
              `SELECT sum(CASE typeof("${column}") WHEN 'real' THEN 8 WHEN 'integer' THEN 4 ELSE octet_length("${column}") END) bytes FROM "${name}"`,
            )
            .get()?.bytes ?? 0,
      })),
    )
    return {
      ...totals,
      bytes: statSync(path).size,
      objects,
      columns: columns.toSorted((a, b) => b.bytes - a.bytes),
    }
  } finally {
    db.close()
  }
}

function print(what: string, { workouts, hours, bytes, objects, columns }: Sizes): void {
  const perHour = (count: number) => (count / hours).toFixed(0).padStart(7)
  console.log(`size: ${what}, ${workouts} runs, ${hours.toFixed(1)} hours: ${perHour(bytes)} bytes an hour of running`)
  for (const { name, bytes: count } of objects) if (count / hours >= 20) console.log(`  ${perHour(count)}  ${name}`)
  console.log('  by the lengths of the values:')
  for (const { name, bytes: count } of columns) if (count / hours >= 20) console.log(`  ${perHour(count)}  ${name}`)
}

// of the library at a path, instead of those that are imported here
const [given] = process.argv.slice(2)
if (import.meta.main && given !== undefined) print(given, sizesOf(given))
