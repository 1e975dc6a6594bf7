// Exports of every kind through the real server, which is killed again and again, first while the export is read.
// Repeated, the import must end with every run once, and the original of each; a further one changes nothing.
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TestFile } from '../app.ts'
import { HealthConnectDb, WorkoutTrackerDb } from '../db/databases.ts'
import { appleExport, appleRuns } from '../fixtures/apple-export.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun } from '../fixtures/runs.ts'
import { endurainRow, endurainStreams, gpxOf } from '../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
const KILLS = 4
/** Fewest runs stored before each kill but the first. */
const RUNS_A_KILL = 10
const RUNS = knownRuns(150)
const third = (rest: number) => RUNS.filter(({ number }) => number % 3 === rest)

interface Export {
  readonly file: TestFile
  /** Of its runs. */
  readonly starts: readonly number[]
  /** Number of their original files; absent: one a run. */
  readonly originals?: number
  /** Files that cannot be read. */
  readonly errors?: number
}

const starts = RUNS.map(({ startMs }) => startMs)

function filled(database: HealthConnectDb | WorkoutTrackerDb): Uint8Array {
  database.runs(RUNS)
  return database.bytes()
}

const EXPORTS: Readonly<Record<string, () => Export>> = {
  'files in folders, packed, and in a ZIP': () => {
    const gpx = (run: KnownRun) => [`${run.number}.gpx`, gpxOf(run)] as const
    const file = zipUpload({
      ...Object.fromEntries(third(0).map(gpx)),
      ...Object.fromEntries(third(1).map((run) => [`packed/${run.number}.gpx.gz`, gzipSync(gpxOf(run))])),
      'more.zip': buildZip(third(2).map((run) => ({ name: `${run.number}.gpx`, data: gpxOf(run), method: 8 }))),
    })
    return { file, starts }
  },
  Strava: () => {
    const date = { 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
    const rows = RUNS.map(({ number }) => ({ 'Activity ID': number, ...date, Filename: `activities/${number}.fit` }))
    const files = RUNS.map(({ number, startMs }) => [`activities/${number}.fit`, fitRun({ startMs, seconds: 900 })])
    return { file: zipUpload({ 'activities.csv': stravaCsv(rows), ...Object.fromEntries(files) }), starts }
  },
  'Endurain, with files, streams and totals': () => {
    const file = zipUpload({
      'counts.json': '{}',
      'data/activities.json': JSON.stringify(RUNS.map((run) => endurainRow(run))),
      'data/activity_streams.json': JSON.stringify(third(1).flatMap(endurainStreams)),
      ...Object.fromEntries(third(0).map((run) => [`activity_files/${run.number + 1}.gpx`, gpxOf(run)])),
    })
    return { file, starts, originals: 100 }
  },
  'Apple Health': () => {
    const runs = appleRuns(150, 100)
    return { file: zipUpload(appleExport(runs)), starts: runs.map(({ startMs }) => startMs) }
  },
  Garmin: () => {
    const { entries, runs, broken: errors } = garminTakeout({ runs: 200, others: 600, seconds: 100 })
    const originals = runs.filter(({ from }) => from !== 'row').length
    const file = { name: 'garmin.zip', bytes: new Uint8Array(buildZip(entries)) }
    return { file, starts: runs.map(({ startMs }) => startMs), errors, originals }
  },
  'Health Connect': () => ({ file: zipUpload({ 'health_connect.db': filled(new HealthConnectDb()) }), starts }),
  'workout-tracker': () => ({ file: { name: 'a.db', bytes: filled(new WorkoutTrackerDb()) }, starts }),
}

/** Times at which the stored runs start. */
async function stored(server: RealServer, cookie: string): Promise<number[]> {
  const found: number[] = []
  for (let page = 1; ; page += 1) {
    const answer = await server.call(`/workouts?pageSize=100&page=${page}`, {}, cookie)
    const { items, totalPages } = (await answer.json()) as { items: { startedAt: string }[]; totalPages: number }
    found.push(...(items ?? []).map(({ startedAt }) => Date.parse(startedAt)))
    if (page >= totalPages) return found.toSorted()
  }
}

test.each(Object.keys(EXPORTS))(
  '%s',
  async (name) => {
    const { file, starts: wanted, errors = 0, originals = wanted.length } = EXPORTS[name]!()
    const dataDir = join(folder, name.replace(/\W/g, ''))
    const random = seededRandom(25)
    let server = await startServer({ dataDir })
    const cookie = await server.login()
    const imported = () => server.call('/workouts/import/archive', oneFile(file.name, Buffer.from(file.bytes)), cookie)
    const count = async () =>
      (await (await server.call('/workouts?pageSize=1', {}, cookie)).json()).totalCount as number
    for (let kill = 0; kill < KILLS; kill += 1) {
      const until = kill === 0 ? 0 : Math.min((await count()) + RUNS_A_KILL * (1 + 2 * random()), wanted.length)
      const importing = imported().catch(() => null)
      if (kill === 0) await Bun.sleep(100)
      else while ((await count()) < until) await Bun.sleep(5)
      await server.end('SIGKILL')
      await importing
      server = await startServer({ dataDir })
      expect(readdirSync(join(dataDir, 'tmp')).filter((left) => !left.startsWith('etilqs'))).toEqual([])
    }
    const kept = await count()
    expect(kept).toBeWithin((KILLS - 1) * RUNS_A_KILL, wanted.length)
    const counts = { successful: wanted.length - kept, skipped: kept, errors }
    expect(await (await imported()).json()).toMatchObject(counts)
    expect(await stored(server, cookie)).toEqual(wanted.toSorted())
    const again = { successful: 0, updated: 0, skipped: wanted.length, shoesCreated: 0, errors }
    expect(await (await imported()).json()).toMatchObject(again)
    const files = await (await server.call('/settings/files', {}, cookie)).json()
    expect(files).toMatchObject({ missing: { count: 0 } })
    await server.end('SIGTERM')
    const names = readdirSync(join(dataDir, 'files', 'raw')).filter((one) => !one.includes('.'))
    expect(names).toHaveLength(originals)
  },
  300_000,
)
