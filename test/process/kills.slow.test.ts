// kill -9 at random moments of every kind of write: whatever is stored is whole, what is left over goes with the next start,
// and the same write again ends where an uninterrupted one does.
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TestFile } from '../app.ts'
import { filesBelow } from '../archive/backups/library.ts'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { HealthConnectDb, WorkoutTrackerDb } from '../db/databases.ts'
import { appleExport, appleRuns } from '../fixtures/apple-export.ts'
import { chainedFit } from '../fixtures/fit-writer.ts'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { endurainRow, endurainStreams, gpxOf } from '../fixtures/self-hosted.ts'
import { knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { phone, watch } from '../fixtures/two-recordings.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { expectSound, KILLS, killing, type Write } from './killing.ts'
import { allOf, type Call, type LibraryState, stateOf } from './library-state.ts'
import { command, oneFile, PROGRAM } from './real-server.ts'

const SEED = 20_251_101
const { start, made, copied, root, expectSurvived } = killing()
const { strava, run } = maker(randomOf(SEED, 'files'))
const bulk = strava(33)
const files = Array.from({ length: 24 }, run)
const RUNS = knownRuns(33)
const third = (rest: number) => RUNS.filter(({ number }) => number % 3 === rest)

function filled(database: HealthConnectDb | WorkoutTrackerDb): Uint8Array {
  database.runs(RUNS)
  return database.bytes()
}

async function sent(call: Call, path: string, { name, bytes }: TestFile): Promise<Response> {
  const answer = await call(path, oneFile(name, Buffer.from(bytes)))
  expect([path, answer.status]).toEqual([path, 200])
  return answer
}

const EXPORTS: Readonly<Record<string, () => TestFile>> = {
  'files in folders, packed, and in a ZIP': () => {
    const packed = third(1).map((one) => [`packed/${one.number}.gpx.gz`, gzipSync(gpxOf(one))] as const)
    const inner = third(2).map((one) => ({ name: `${one.number}.gpx`, data: gpxOf(one), method: 8 }))
    const plain = third(0).map((one) => [`${one.number}.gpx`, gpxOf(one)] as const)
    return zipUpload({ ...Object.fromEntries([...plain, ...packed]), 'more.zip': buildZip(inner) })
  },
  'Endurain, with files, streams and totals': () =>
    zipUpload({
      'counts.json': '{}',
      'data/activities.json': JSON.stringify(RUNS.map((one) => endurainRow(one))),
      'data/activity_streams.json': JSON.stringify(third(1).flatMap(endurainStreams)),
      ...Object.fromEntries(third(0).map((one) => [`activity_files/${one.number + 1}.gpx`, gpxOf(one)])),
    }),
  'Apple Health': () => zipUpload(appleExport(appleRuns(33, 100))),
  Garmin: () => {
    const { entries } = garminTakeout({ runs: 40, others: 80, seconds: 100 })
    return { name: 'garmin.zip', bytes: new Uint8Array(buildZip(entries)) }
  },
  'Health Connect': () => zipUpload({ 'health_connect.db': filled(new HealthConnectDb()) }),
  'workout-tracker': () => ({ name: 'a.db', bytes: filled(new WorkoutTrackerDb()) }),
}

/** Restored, imported one after the other, and so on. */
const library = (call: Call) => sent(call, '/workouts/import/bulk', bulk.zip)
let archive: Uint8Array | undefined
let exportedBytes = 0

async function exportedIn(call: Call): Promise<Uint8Array> {
  const answer = await call('/workouts/export', { method: 'POST' })
  return await answer.bytes()
}

const watched = join(root, 'watched')
const WATCHED = 16

const PHOTOS = [1000, 2000, 300_000, 400_000, 3000, 4000, 500_000, 5000].map(
  (length) => [`${length}.jpg`, length] as const,
)

const WRITES: readonly Write[] = [
  { name: 'a bulk import of Strava, with photos', write: library },
  ...Object.entries(EXPORTS).map(([name, of]): Write => {
    const file = of()
    return { name: `an import of ${name}`, write: (call) => sent(call, '/workouts/import/archive', file) }
  }),
  {
    name: 'a restore of an archive',
    write: async (call) => {
      archive ??= await archiveOf(library)
      return await sent(call, '/workouts/import/export', { name: 'archive.zip', bytes: archive })
    },
  },
  {
    name: 'an export that is read',
    prepare: library,
    write: async (call) => {
      const { length } = await exportedIn(call)
      exportedBytes ||= length
      // the same but for the moment of the export
      expect(Math.abs(length - exportedBytes)).toBeLessThan(64)
    },
  },
  {
    name: 'several files in one upload',
    write: async (call) => {
      const body = new FormData()
      for (const { file } of files) body.append('file', new File([Buffer.from(file.bytes)], file.name))
      expect((await call('/workouts/import', { method: 'POST', body })).status).toBe(200)
    },
  },
  {
    name: 'one file after the other',
    write: async (call, acknowledged) => {
      for (const { file, startedAt } of files) {
        await sent(call, '/workouts/import', file)
        acknowledged.push(startedAt)
      }
    },
  },
  {
    name: 'photos, of which some stay in memory and some go over a temporary file',
    prepare: (call) => sent(call, '/workouts/import', { name: 'a.fit', bytes: fitRun() }),
    write: async (call, acknowledged) => {
      const { items } = (await (await call('/workouts')).json()) as { items: { id: string }[] }
      const path = `/workouts/${items[0]?.id}/media`
      const there = (await (await call(path)).json()) as { filename: string }[]
      const upload = async (ending: number) => {
        for (const [name, length] of PHOTOS.filter((_, at) => at % 3 === ending)) {
          if (there.some(({ filename }) => filename === name)) continue
          await sent(call, path, { name, bytes: jpeg(length) })
          acknowledged.push(name)
        }
      }
      await Promise.all([0, 1, 2].map(upload))
    },
  },
  {
    name: 'a round over a watch folder',
    env: { WATCH_DIR: watched, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '5' },
    write: async (call) => {
      for (let attempt = 0; attempt < 3000; attempt += 1) {
        const answer = await call('/watch-folder')
        const { counts } = (await answer.json()) as { counts: Record<string, number> }
        // beside the runs: a week in one file, a copy, and no run
        if (counts.created! + counts.skipped! + counts.errors! === WATCHED + 3 && counts.waiting === 0) {
          expect(counts).toMatchObject({ errors: 1, ignored: 0 })
          return
        }
        await Bun.sleep(10)
      }
      throw new Error('The round did not end')
    },
  },
]

function fillWatched(): void {
  mkdirSync(join(watched, '2025'), { recursive: true })
  const runOf = (day: number) => fitRun({ startMs: START_MS - day * 864e5, seconds: 120 })
  for (let day = 0; day < WATCHED; day += 1) writeFileSync(join(watched, '2025', `${day}.fit`), runOf(day))
  writeFileSync(join(watched, 'week.fit'), chainedFit(...[1000, 1001, 1002].map(runOf)))
  writeFileSync(join(watched, 'copy.fit'), runOf(1))
  writeFileSync(join(watched, 'broken.fit'), 'no run')
}

async function archiveOf(prepare: Write['prepare']): Promise<Uint8Array> {
  const { call, end } = await start(await made(prepare))
  const bytes = await exportedIn(call)
  await end()
  return bytes
}

for (const kind of WRITES) {
  test(`killed in ${kind.name}`, async () => {
    fillWatched()
    await expectSurvived(kind, randomOf(SEED, kind.name))
  }, 300_000)
}

interface Step {
  readonly name: string
  /** Runs are changed one by one. */
  readonly isByRun?: boolean
  /** @param ids of the runs, the earliest first */
  asked(
    ids: readonly string[],
    call: Call,
  ): [method: string, path: string, body?: object] | Promise<[string, string, object]>
}

const STEPS: readonly Step[] = [
  { name: 'a crop', asked: ([id]) => ['POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 }] },
  { name: 'a split', asked: ([, id]) => ['POST', `/workouts/${id}/split`, { atElapsedS: [300] }] },
  { name: 'a join', asked: ([, first, second]) => ['POST', '/workouts/join', { ids: [first, second] }] },
  { name: 'a merge', asked: ([, , id, otherId]) => ['POST', `/workouts/${id}/merge`, { otherId }] },
  {
    name: 'the undo of a merge',
    asked: async (_, call) => {
      const receipts = await allOf<{ id: string; kind: string }>(call, '/receipts')
      return ['POST', `/receipts/${receipts.find(({ kind }) => kind === 'merge')?.id}/undo`, {}]
    },
  },
  {
    name: 'a bulk edit',
    isByRun: true,
    asked: (ids) => ['POST', '/workouts/bulk-edit', { ids, set: { runType: 'Race' } }],
  },
  { name: 'a deletion', asked: ([id]) => ['DELETE', `/workouts/${id}`] },
  { name: 'emptying the trash', asked: () => ['DELETE', '/trash'] },
]

test('killed in changes that move data: each is done or not, and never half', async () => {
  const base = await made(async (call) => {
    for (const day of [-3, -2]) {
      await sent(call, '/workouts/import', { name: 'a.fit', bytes: fitRun({ startMs: START_MS + day * 864e5 }) })
    }
    await sent(call, '/workouts/import', { name: 'b.fit', bytes: watch() })
    await sent(call, '/workouts/import', { name: 'c.gpx', bytes: phone() })
  })
  const { call, end } = await start(copied(base))
  const states: { readonly state: LibraryState; readonly ms: number }[] = [{ state: await stateOf(call), ms: 0 }]
  for (const step of STEPS) {
    const startMs = performance.now()
    expect([step.name, await changed(call, step)]).toEqual([step.name, true])
    states.push({ ms: performance.now() - startMs, state: await stateOf(call) })
  }
  await end()

  const random = randomOf(SEED, 'changes')
  const dataDir = copied(base)
  let server = await start(dataDir)
  for (const [at, step] of STEPS.entries()) {
    const [before, after] = [states[at]!.state, states[at + 1]!]
    for (let kill = 0; kill < Math.ceil(KILLS / 2); kill += 1) {
      const changing = changed(server.call, step).catch(() => null)
      await Bun.sleep(random.below(1.2 * after.ms))
      await server.end()
      await Promise.race([changing, Bun.sleep(500)])
      server = await start(dataDir)
      await expectSound(server, dataDir)
      const found = await stateOf(server.call)
      const isBefore = Bun.deepEquals(found, before)
      if (isBefore || step.isByRun !== true) expect(found).toEqual(isBefore ? before : after.state)
      else
        for (const [place, one] of found.runs.entries()) {
          const old = before.runs[place]!
          expect(one).toEqual(Bun.deepEquals(one, old) ? old : after.state.runs[place]!)
        }
      if (!isBefore) break
    }
    if (!Bun.deepEquals(await stateOf(server.call), after.state)) await changed(server.call, step)
    expect(await stateOf(server.call)).toEqual(after.state)
  }
  await server.end()
}, 300_000)

/** @returns whether it was done */
async function changed(call: Call, { asked }: Step): Promise<boolean> {
  const runs = await allOf<{ id: string; startedAt: string }>(call, '/workouts')
  const ids = runs.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)).map(({ id }) => id)
  const [method, path, body] = await asked(ids, call)
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await call(path, { method, ...(body === undefined ? {} : json) })
  return answer.ok
}

test('killed in a backup: every backup with a manifest verifies, and the next one leaves nothing behind', async () => {
  const [data, target] = [await made(library), join(root, 'backups')]
  const env = { DATA_DIR: data, TMPDIR: root, BACKUP_KEEP: '1,0,0' }
  mkdirSync(target)
  const startMs = performance.now()
  expect(await command(['backup', target], env)).toMatchObject({ exitCode: 0 })
  const ms = performance.now() - startMs
  const random = randomOf(SEED, 'backups')
  for (let kill = 0; kill < 2 * KILLS; kill += 1) {
    // every other time nothing is stored yet
    if (kill % 2 === 0) rmSync(target, { recursive: true })
    mkdirSync(target, { recursive: true })
    const child = Bun.spawn([...PROGRAM, 'backup', target], { env, stdout: 'ignore', stderr: 'ignore' })
    await Bun.sleep((ms * (kill + random.below(100) / 100)) / (2 * KILLS))
    child.kill('SIGKILL')
    await child.exited
    if (!readdirSync(target).some((name) => name.endsWith('.json'))) continue
    expect(await command(['verify', target], env)).toMatchObject({ exitCode: 0 })
  }
  expect(await command(['backup', target], env)).toMatchObject({ exitCode: 0 })
  const stamps = readdirSync(target).filter((name) => name.endsWith('.json'))
  expect(stamps).toHaveLength(1)
  const stamp = stamps[0]!.replace('.json', '')
  const left = readdirSync(target).filter((name) => name !== `${stamp}.jwt-secret`)
  expect(left.toSorted()).toEqual([`${stamp}.harrier.sqlite`, `${stamp}.json`, 'files'])
  expect(filesBelow(target).filter((name) => name.includes('unfinished'))).toEqual([])
  expect(readdirSync(join(data, 'backup')).toSorted()).toEqual(['last.json', 'lock'])
}, 300_000)
