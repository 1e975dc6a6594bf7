// Exports of every kind through the real server, which is killed again and again, first while the export is read.
// Repeated, the import must end with every run once, and the original of each; a further one changes nothing.
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stravaCsv } from '../fixtures/csv.ts'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun } from '../fixtures/runs.ts'
import { gpxOf } from '../fixtures/self-hosted.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'
import { EXPORTS, type Export, RUNS, third, zipped } from './exports.ts'

const folder = tempFolder()
const KILLS = 4
/** Fewest runs stored before each kill but the first. */
const RUNS_A_KILL = 10

/** Beside the exports of services: what else is read from ZIPs. */
const MORE: Readonly<Record<string, () => Export>> = {
  'files in folders, packed, and in a ZIP': () => {
    const file = zipUpload({
      ...zipped(third(0), (run) => [`${run.number}.gpx`, gpxOf(run)]),
      ...zipped(third(1), (run) => [`packed/${run.number}.gpx.gz`, gzipSync(gpxOf(run))]),
      'more.zip': buildZip(third(2).map((run) => ({ name: `${run.number}.gpx`, data: gpxOf(run), method: 8 }))),
    })
    return { file, runs: RUNS.map((run) => ({ ...run, metres: run.seconds * run.speedMps })) }
  },
  Strava: () => {
    const runs = RUNS.map((run) => ({ ...run, seconds: 900, metres: 2700 }))
    const date = { 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
    const rows = RUNS.map(({ number }) => ({ 'Activity ID': number, ...date, Filename: `activities/${number}.fit` }))
    const files = zipped(RUNS, ({ number, startMs }) => [`activities/${number}.fit`, fitRun({ startMs, seconds: 900 })])
    return { file: zipUpload({ 'activities.csv': stravaCsv(rows), ...files }), runs }
  },
  Garmin: () => {
    const { entries, runs, broken } = garminTakeout({ runs: 200, others: 600, seconds: 100 })
    return {
      file: { name: 'garmin.zip', bytes: new Uint8Array(buildZip(entries)) },
      runs: runs.map((run) => ({ ...run, metres: run.distanceM })),
      ...{ errors: Array(broken).fill('cut'), originals: runs.filter(({ from }) => from !== 'row').length },
    }
  },
}
const ALL = { ...EXPORTS, ...MORE }
const NAMES = [...Object.keys(MORE), 'endurain', 'apple_health', 'health_connect', 'workout_tracker']

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

test.each(NAMES)(
  '%s',
  async (name) => {
    const { file, runs, errors: broken = [], originals = runs.length } = ALL[name]!()
    const [wanted, errors] = [runs.map(({ startMs }) => startMs), broken.length]
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
