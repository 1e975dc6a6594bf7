import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { testApp } from '../test/app.ts'
import { percentile, watchWaits } from './waits.ts'

const FILES = 10_000
const FOLDERS = 120
const LOOKS = 20
/** Times of folders are trusted after so long. */
const COARSE_MS = 3000

/** What a watch folder of ten thousand files that are all known costs: nothing in it is read. */
export async function benchWatch(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
  const folder = join(root, 'import')
  const db = openDb(join(root, 'harrier.sqlite'))
  const known: (readonly [string, number])[] = []
  for (let at = 0; at < FOLDERS; at += 1) mkdirSync(join(folder, String(at)), { recursive: true })
  for (let at = 0; at < FILES; at += 1) {
    const name = `${at % FOLDERS}/2025-01-${at}.fit`
    writeFileSync(join(folder, name), 'x')
    // what is read later would have another time of its last reading
    utimesSync(join(folder, name), 1_000_000, 1_700_000_000 + at)
    known.push([name, (1_700_000_000 + at) * 1000])
  }
  db.$client
    .query(`INSERT INTO watch_file (id, folder, name, size, modified_at, outcome, workout_ids, attempts, looked_at)
      SELECT j.value ->> 0, ?, j.value ->> 0, 1, j.value ->> 1, 'created', '[]', 0, 0 FROM json_each(?) AS j`)
    .run(folder, JSON.stringify(known))
  const app = await testApp({ db, env: { WATCH_DIR: folder } })
  const look = async (isFull: boolean) => {
    const waits = watchWaits()
    const startedMs = performance.now()
    await app.watch.look(isFull)
    const tookMs = performance.now() - startedMs
    const waitMs = waits.stop()
    await app.watch.rest()
    app.pass(COARSE_MS)
    return { tookMs, waitMs }
  }
  const many = async (isFull: boolean) => {
    const looks = []
    for (let at = 0; at < LOOKS; at += 1) looks.push(await look(isFull))
    return { took: looks.map(({ tookMs }) => tookMs), waits: looks.map(({ waitMs }) => waitMs) }
  }
  await look(true)
  await look(true)
  const [full, quick] = [await many(true), await many(false)]
  const read = known.filter(([name]) => statSync(join(folder, name)).atimeMs !== 1e9).length
  console.log(`watch: ${FILES} known files in ${FOLDERS} folders, ${LOOKS} looks each; files read: ${read} (budget 0)`)
  console.log(`  full walk  ${percentile(full.took, 0.5)} ms, at worst ${percentile(full.took, 1)} (budget 80)`)
  console.log(`  quick look ${percentile(quick.took, 0.5)} ms, at worst ${percentile(quick.took, 1)} (budget 5)`)
  console.log(`  longest wait of others ${percentile([...full.waits, ...quick.waits], 1)} ms (budget 10)`)
  await app.close()
  rmSync(root, { recursive: true, force: true })
}
