// A Garmin export of 400 runs with known truth: imported through the real server, which is killed again and again.
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../../app.ts'
import { garminTakeout, type Takeout } from '../../fixtures/garmin-takeout.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'
import { oneFile, startServer } from '../../process/real-server.ts'

const PATH = '/workouts/import/archive'
const KILLS = 6
const TAKEOUT = garminTakeout({ runs: 400, others: 1200, seconds: 300 })
const ZIP = new Uint8Array(buildZip(TAKEOUT.entries))
const root = mkdtempSync(join(tmpdir(), 'harrier-garmin-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Stored {
  readonly startedAt: number
  readonly durationS: number
  readonly name: string | null
  readonly runType: string | null
  readonly shoe: string | null
}

function storedIn(dataDir: string): Stored[] {
  const db = new Database(join(dataDir, 'harrier.sqlite'))
  const rows = db
    .query<Stored, []>(
      `SELECT started_at AS startedAt, duration_s AS durationS, name, run_type AS runType,
         replace(brand || ' ' || model, '– ', '') AS shoe
       FROM workout LEFT JOIN shoe ON shoe.id = shoe_id ORDER BY started_at`,
    )
    .all()
  db.close()
  return rows
}

function truthOf({ runs }: Takeout): Stored[] {
  return runs.map(({ startMs, seconds, name, isRace, shoe }) => ({
    ...{ startedAt: startMs, durationS: seconds, name, runType: isRace ? 'Race' : null, shoe },
  }))
}

test(`killed ${KILLS} times in the middle, the import repeated has every run once, and all of its files`, async () => {
  const dataDir = join(root, 'data')
  const random = seededRandom(25)
  let server = await startServer({ dataDir })
  const cookie = await server.login()
  let kills = 0
  for (; kills < KILLS; kills += 1) {
    const importing = server.call(PATH, oneFile('garmin.zip', ZIP), cookie).catch(() => null)
    const before = storedIn(dataDir).length
    while (storedIn(dataDir).length < Math.min(before + 20 + random() * 40, TAKEOUT.runs.length)) await Bun.sleep(5)
    await server.end('SIGKILL')
    await importing
    server = await startServer({ dataDir })
    expect(readdirSync(join(dataDir, 'tmp')).filter((name) => !name.startsWith('etilqs'))).toEqual([])
  }
  const atKills = storedIn(dataDir).length
  expect(atKills).toBeWithin(KILLS * 20, TAKEOUT.runs.length)
  const last = (await (await server.call(PATH, oneFile('garmin.zip', ZIP), cookie)).json()) as Record<string, number>
  expect(last).toMatchObject({ skipped: atKills, errors: TAKEOUT.broken })
  expect(last.successful).toBe(TAKEOUT.runs.length - atKills)
  expect(storedIn(dataDir)).toEqual(truthOf(TAKEOUT))
  const again = (await (await server.call(PATH, oneFile('garmin.zip', ZIP), cookie)).json()) as Record<string, number>
  expect(again).toMatchObject({ successful: 0, updated: 0, skipped: 400, shoesCreated: 0 })
  await server.end('SIGTERM')
  const db = new Database(join(dataDir, 'harrier.sqlite'))
  const originals = db
    .query<{ storedAs: string }, []>('SELECT stored_as AS storedAs FROM recording WHERE stored_as IS NOT NULL')
    .all()
  db.close()
  const files = readdirSync(join(dataDir, 'files', 'raw')).filter((name) => !name.includes('.'))
  expect(files.toSorted()).toEqual(originals.map(({ storedAs }) => storedAs).toSorted())
}, 300_000)

test('cut at each 64th, or with a part of it cut, an export is refused or read as far as it is whole', async () => {
  const small = garminTakeout({ runs: 10, others: 6, seconds: 60 })
  const whole = new Uint8Array(buildZip(small.entries))
  await using app = await testApp()
  for (let part = 0; part < 64; part += 1) {
    const cut = whole.subarray(0, Math.floor((whole.length * part) / 64))
    expect((await app.upload(PATH, [{ name: 'a.zip', bytes: cut }])).status).toBe(400)
    const entries = small.entries.map((entry) => {
      const data = Buffer.from(entry.data ?? '')
      return { ...entry, data: data.subarray(0, Math.floor((data.length * part) / 64)) }
    })
    const { status, json } = await app.upload(PATH, [{ name: 'a.zip', bytes: new Uint8Array(buildZip(entries)) }])
    expect([200, 400]).toContain(status)
    if (status === 200) expect(json.totalProcessed).toBe(json.successful + json.skipped + json.updated + json.errors)
  }
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  expect(app.logged).toEqual([])
  expect((await app.upload(PATH, [{ name: 'a.zip', bytes: whole }])).json).toMatchObject({ errors: 1 })
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(10)
}, 300_000)
