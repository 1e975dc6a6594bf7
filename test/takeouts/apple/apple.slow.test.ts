// An Apple Health export through the real server, which is killed again and again, and asked while it reads.
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appleExport, appleRuns } from '../../fixtures/apple-export.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { oneFile, startServer } from '../../process/real-server.ts'

const PATH = '/workouts/import/archive'
const KILLS = 5
const RUNS = appleRuns(200, 100)
const { name: ZIP_NAME, bytes: ZIP } = zipUpload(appleExport(RUNS))
const root = mkdtempSync(join(tmpdir(), 'harrier-apple-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function storedIn(dataDir: string) {
  const db = new Database(join(dataDir, 'harrier.sqlite'))
  const rows = db
    .query<{ startMs: number; seconds: number; metres: number; heartRate: number }, []>(
      `SELECT started_at AS startMs, duration_s AS seconds, distance_m AS metres, avg_heart_rate_bpm AS heartRate
       FROM workout ORDER BY started_at`,
    )
    .all()
  db.close()
  return rows
}

test(`killed ${KILLS} times in the middle, the import repeated has every run once, and all of its files`, async () => {
  const dataDir = join(root, 'data')
  const random = seededRandom(18)
  let server = await startServer({ dataDir })
  const cookie = await server.login()
  const sent = () => server.call(PATH, oneFile(ZIP_NAME, ZIP), cookie)
  for (let kills = 0; kills < KILLS; kills += 1) {
    const importing = sent().catch(() => null)
    const before = storedIn(dataDir).length
    // the first one while the text is read
    const wanted = kills === 0 ? 0 : Math.min(before + 10 + random() * 20, RUNS.length)
    if (kills === 0) await Bun.sleep(100)
    while (storedIn(dataDir).length < wanted) await Bun.sleep(5)
    await server.end('SIGKILL')
    await importing
    server = await startServer({ dataDir })
    expect(readdirSync(join(dataDir, 'tmp')).filter((name) => !name.startsWith('etilqs'))).toEqual([])
  }
  const atKills = storedIn(dataDir).length
  const last = (await (await sent()).json()) as Record<string, number>
  expect(last).toMatchObject({ successful: RUNS.length - atKills, skipped: atKills, errors: 0 })
  expect(storedIn(dataDir)).toEqual(
    RUNS.map(({ startMs, seconds, metres, heartRate }) => ({ startMs, seconds, metres, heartRate })),
  )
  const again = (await (await sent()).json()) as Record<string, number>
  expect(again).toMatchObject({ successful: 0, updated: 0, skipped: RUNS.length })
  await server.end('SIGTERM')
  const db = new Database(join(dataDir, 'harrier.sqlite'))
  const originals = db
    .query<{ storedAs: string }, []>('SELECT stored_as AS storedAs FROM recording WHERE stored_as IS NOT NULL')
    .all()
  db.close()
  const files = readdirSync(join(dataDir, 'files', 'raw')).filter((name) => !name.includes('.'))
  expect(files.toSorted()).toEqual(originals.map(({ storedAs }) => storedAs).toSorted())
}, 300_000)
