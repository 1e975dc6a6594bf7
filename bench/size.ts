import { Database } from 'bun:sqlite'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { corpusDir, corpusFile } from '../test/corpus.ts'
import { syntheticExport } from '../test/synth.ts'
import { asked, startServer } from './server.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** Bytes an hour of running takes in the database, of the corpus and of runs of synth.py, and what takes them. */
export async function bench(runs = 200): Promise<void> {
  if (corpusDir === null) return console.log('size: skipped, CORPUS_DIR names no folder of watch files')
  const { bytes } = syntheticExport('--runs', String(runs))
  for (const [what, fill] of [
    ['real files', importFiles],
    ['synth.py', (server: Server) => asked(server, '/workouts/import/bulk', { method: 'POST', body: formOf(bytes) })],
  ] as const) {
    const server = await startServer()
    await server.login()
    await fill(server)
    await server.stop()
    print(what, join(server.dataDir, 'harrier.sqlite'))
    await server.remove()
  }
}

export function formOf(bytes: Uint8Array): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes.slice()]), 'file')
  return form
}

/** Every watch file; what is not a run or there already is passed over. */
async function importFiles(server: Server): Promise<void> {
  for (const folder of ['fit', 'fit-gz', 'gpx', 'strava-export/activities']) {
    for (const name of readdirSync(join(corpusDir!, folder)).toSorted()) {
      const body = formOf(corpusFile(`${folder}/${name}`))
      await (await server.call('/workouts/import', { method: 'POST', body })).arrayBuffer()
    }
  }
}

interface Part {
  readonly name: string
  readonly bytes: number
}

/** Of tables and indexes, whole pages, and of columns by the lengths of their values; largest first. */
function print(what: string, path: string): void {
  const db = new Database(path, { readwrite: true })
  // what is beside the file goes into it
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const { workouts, hours } = db
    .query<{ workouts: number; hours: number }, []>(
      'SELECT count(*) workouts, sum(duration_s) / 3600.0 hours FROM workout',
    )
    .get()!
  const objects = db.query<Part, []>('SELECT name, sum(pgsize) bytes FROM dbstat GROUP BY name').all()
  const columns = db
    .query<{ table: string; column: string }, []>(
      `SELECT m.name "table", i.name "column" FROM sqlite_schema m, pragma_table_info(m.name) i
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`,
    )
    .all()
    .map(({ table, column }): Part => {
      const size = `CASE typeof("${column}") WHEN 'real' THEN 8 WHEN 'integer' THEN 4 ELSE octet_length("${column}") END`
      const sum = db.query<{ bytes: number }, []>(`SELECT coalesce(sum(${size}), 0) bytes FROM "${table}"`).get()!
      return { name: `${table}.${column}`, ...sum }
    })
  db.close()
  const perHour = (count: number) => (count / hours).toFixed(0).padStart(7)
  const total = perHour(statSync(path).size)
  console.log(`size: ${what}, ${workouts} runs, ${hours.toFixed(1)} hours: ${total} bytes an hour (budget 25,000)`)
  for (const parts of [objects, columns]) {
    for (const { name, bytes } of parts.toSorted((a, b) => b.bytes - a.bytes)) {
      if (bytes / hours >= 20) console.log(`  ${perHour(bytes)}  ${name}`)
    }
  }
}
