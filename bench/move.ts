import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIBRARY = new URL('../test/library/net/library-0024.zst', import.meta.url).pathname
const OPEN = new URL('../src/db/open.ts', import.meta.url).pathname
const TIMES = 101
const TABLES = [
  ...['workout', 'recording', 'samples', 'repair', 'workout_split', 'workout_best_effort', 'archived_best_effort'],
  ...['effort_word', 'workout_route', 'training_choice', 'media', 'receipt', 'receipt_item', 'capsule', 'capsule_file'],
]
const IDS = ['id', 'workout_id', 'recording_id', 'receipt_id', 'capsule_id', 'undoes', 'undone_by']

/** The move of the recorded library of schema 24, 102 times beside itself, in a process of its own: budget 10 s and 160 MiB. */
export async function benchMove(): Promise<void> {
  if (!existsSync(LIBRARY)) return console.log(`move: skipped, there is no ${LIBRARY}`)
  const folder = mkdtempSync(join(tmpdir(), 'harrier-move-'))
  const path = join(folder, 'harrier.sqlite')
  manyTimes(join(folder, 'one.sqlite'), path)
  const script = `const { openDb } = await import(${JSON.stringify(OPEN)})
    const startedMs = performance.now()
    const { $client: client } = openDb(${JSON.stringify(path)})
    const { n } = client.query('SELECT count(*) AS n FROM document').get()
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(n + ' runs in ' + seconds + ' s with the copy, at most ' + (process.resourceUsage().maxRSS / 1024).toFixed() + ' MiB')`
  const before = statSync(path).size
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script], { stderr: 'inherit' })
  const size = (bytes: number) => `${(bytes / 1_000_000).toFixed()} MB`
  console.log(`move: ${stdout.toString().trim()}; ${size(before)} before, ${size(statSync(path).size)} after`)
  rmSync(folder, { recursive: true })
}

/** Copies all rows under other ids, each time a day earlier. */
function manyTimes(one: string, path: string): void {
  const packed = Buffer.from(Bun.zstdDecompressSync(readFileSync(LIBRARY)))
  const [[, length]] = JSON.parse(packed.toString('utf8', 0, packed.indexOf('\n'))) as [[string, number]]
  const at = packed.indexOf('\n') + 1
  writeFileSync(one, packed.subarray(at, at + length))
  copyFileSync(one, path)
  const client = new Database(path)
  client.run(`ATTACH '${one}' AS one`)
  for (const pragma of ['foreign_keys', 'synchronous']) client.run(`PRAGMA ${pragma} = OFF`)
  const triggers = client
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) client.run(`DROP TRIGGER ${name}`)
  client.transaction(() => {
    for (let k = 1; k <= TIMES; k += 1) {
      const suffix = k.toString(16).padStart(4, '0')
      for (const table of TABLES) {
        const columns = client.query(`SELECT name FROM pragma_table_info('${table}')`).values() as [string][]
        client.run(
          `INSERT OR IGNORE INTO ${table} SELECT ${columns.map(([name]) => other(table, name, suffix, k)).join(', ')} FROM one.${table}`,
        )
      }
    }
  })()
  for (const { sql } of triggers) client.run(sql)
  client.close()
}

function other(table: string, column: string, suffix: string, k: number): string {
  if (column === 'id' && ['workout_split', 'workout_best_effort'].includes(table)) return 'NULL'
  if (IDS.includes(column)) return `substr(${column}, 1, 9) || '${suffix}' || substr(${column}, 14)`
  if (column === 'file_sha256') return `substr(file_sha256, 1, 60) || '${suffix}'`
  if (column === 'external_id') return `external_id || '-${k}'`
  return column === 'started_at' ? `started_at - ${k} * 86400000` : column
}
