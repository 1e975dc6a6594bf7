import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { testApp } from '../test/app.ts'
import { percentile, watchWaits } from './waits.ts'

const FILES = 10_000
const FOLDERS = 120
const NEW_FILES = 100_000
const LOOKS = 20
/** Times of folders are trusted after so long. */
const COARSE_MS = 3000
/** About as long as a full walk takes. */
const NOTHING_MS = 80

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
    const startedMs = performance.now()
    const before = process.cpuUsage()
    await app.watch.look(isFull)
    const tookMs = performance.now() - startedMs
    const { user, system } = process.cpuUsage(before)
    await app.watch.rest()
    app.pass(COARSE_MS)
    return { tookMs, workMs: (user + system) / 1000 }
  }
  const many = async (isFull: boolean) => {
    const looks = []
    for (let at = 0; at < LOOKS; at += 1) looks.push(await look(isFull))
    const stated = (times: readonly number[]) =>
      `${percentile(times, 0)} ms at best, ${percentile(times, 0.5)} as a rule`
    const took = looks.map(({ tookMs }) => tookMs)
    const work = looks.map(({ workMs }) => workMs)
    return `${stated(took)}; processor time ${stated(work)}`
  }
  // apart, since who watches takes part of the time
  const waitsOf = async (work: () => Promise<unknown>) => {
    const longest = []
    for (let at = 0; at < LOOKS; at += 1) {
      const waits = watchWaits()
      await work()
      longest.push(waits.stop())
    }
    return `${percentile(longest, 0)} ms at best, ${percentile(longest, 0.5)} as a rule`
  }
  await look(true)
  await look(true)
  const [full, quick, waits] = [await many(true), await many(false), await waitsOf(() => look(true))]
  const read = known.filter(([name]) => statSync(join(folder, name)).atimeMs !== 1e9).length
  console.log(`watch: ${FILES} known files in ${FOLDERS} folders, ${LOOKS} looks each; files read: ${read} (budget 0)`)
  console.log(`  full walk  ${full} (budget 80)`)
  console.log(`  quick look ${quick} (budget 5)`)
  const nothing = await waitsOf(() => Bun.sleep(NOTHING_MS))
  console.log(
    `  ${NEW_FILES} new files, longest wait of others until they are seen ${await waitsOfNew(root)} ms (budget 50)`,
  )
  console.log(`  longest wait of others in a full walk ${waits} (budget 10); of as long without one ${nothing}`)
  await app.close()
  rmSync(root, { recursive: true, force: true })
}

/** Of a folder that is watched for the first time, and looked at once more. */
async function waitsOfNew(root: string): Promise<string> {
  const folder = join(root, 'new')
  mkdirSync(folder)
  for (let at = 0; at < NEW_FILES; at += 1) writeFileSync(join(folder, `${at}.fit`), 'x')
  const app = await testApp({ db: openDb(join(root, 'new.sqlite')), env: { WATCH_DIR: folder } })
  const waits = watchWaits()
  for (const isFull of [true, false]) await app.watch.look(isFull)
  const longest = waits.stop()
  await app.close()
  return longest.toFixed()
}
