import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { type Entries, entriesOf, textOf } from '../../archive/archives.ts'
import { fitRun, gpxRun, indoorRun, START_MS } from '../../fixtures/runs.ts'
import { spoiler } from '../../library/spoil.ts'

const DAY_MS = 86_400_000

let app: TestApp
/** A watch's run, a phone's of the same minute and name, one without route, all with originals. */
let ids: { watch: string; phone: string; treadmill: string }

beforeAll(async () => {
  app = await testApp()
  ids = {
    watch: await app.run(fitRun(), 'a.fit'),
    phone: await app.run(gpxRun({ startMs: START_MS + 20_000, seconds: 700 }), 'b.gpx'),
    treadmill: await app.run(Bun.gzipSync(indoorRun(START_MS - 365 * DAY_MS).slice()), 'c.fit.gz'),
  }
  const words = { name: '=cmd, "x"', rpe: 7, runType: 'Race' }
  for (const id of [ids.watch, ids.phone]) await app.ok('PATCH', `/workouts/${id}`, words)
  const { id: shoeId } = await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Mach 6' })
  await app.ok('PATCH', `/workouts/${ids.watch}`, { shoeId })
})
afterAll(() => app.close())

function asked(json: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(json) }
  return app.handle(new Request('http://localhost/workouts/export/files', init))
}

async function files(json: unknown): Promise<Entries> {
  const response = await asked(json)
  expect(response.status).toBe(200)
  return await entriesOf(app, new Uint8Array(await response.arrayBuffer()))
}

const HEADER =
  'id,started_at,local_start,name,type,distance_m,duration_s,moving_s,elev_gain_m,avg_hr,rpe,shoe,file,error'
const WATCH = '2025/2025-11-01-0800-=cmd, -x'
const TREADMILL = '2024/2024-11-01-0700-run.fit.gz'
const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'

describe('POST /workouts/export/files', () => {
  test('the whole library as originals, below their years, with what each is', async () => {
    const response = await asked({ format: 'original', filter: {} })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="harrier-files-20251120-130511.zip"')
    const entries = await entriesOf(app, new Uint8Array(await response.arrayBuffer()))
    expect([...entries.keys()]).toEqual([TREADMILL, `${WATCH}.fit`, `${WATCH}.gpx`, 'runs.csv'])
    expect(entries.get(`${WATCH}.fit`)).toEqual(new Uint8Array(fitRun()))
    const lines = textOf(entries, 'runs.csv').split('\r\n')
    expect([lines[0], lines.length]).toEqual([HEADER, 5])
    const values = '"\'=cmd, ""x""",Race,1800,600,600,0,140,7,Hoka Mach 6'
    expect(lines[2]).toBe(`${ids.watch},2025-11-01T07:00:00Z,2025-11-01T08:00:00,${values},"${WATCH}.fit",`)
  })

  test('equal names are made distinct; what the format cannot hold is its original, with the reason', async () => {
    const both = await files({ format: 'tcx', ids: [ids.watch, ids.phone] })
    expect([...both.keys()]).toEqual([`${WATCH}.tcx`, `${WATCH}-2.tcx`, 'runs.csv'])
    const early = await files({ format: 'gpx', filter: { endDate: '2024-12-31' } })
    expect([...early.keys()]).toEqual([TREADMILL, 'runs.csv'])
    const reason = 'This run has no route, which a GPX file needs; FIT and TCX do not'
    expect(textOf(early, 'runs.csv')).toEndWith(`,${TREADMILL},"${reason}"\r\n`)
  })

  test('a filter as of the list, and ids that are none', async () => {
    const filtered = await files({ format: 'fit', filter: { runType: 'Race', minDistanceM: 1900 } })
    expect(textOf(filtered, 'runs.csv').split('\r\n')[1]).toStartWith(ids.phone)
    const nothing = await files({ format: 'fit', filter: { keyword: 'nowhere' } })
    expect([[...nothing.keys()], textOf(nothing, 'runs.csv')]).toEqual([['runs.csv'], `${HEADER}\r\n`])
    const half = await files({ format: 'fit', ids: [UNKNOWN, ids.watch, ids.watch] })
    expect([...half.keys()]).toHaveLength(2)
    expect(textOf(half, 'runs.csv')).toContain(`${UNKNOWN},,,,,,,,,,,,,There is no such run\r\n`)
  })

  test.each([
    [404, 'Workout not found', { ids: [UNKNOWN] }],
    [400, 'Send either ids or filter', {}],
    [400, 'Send either ids or filter', { ids: [UNKNOWN], filter: {} }],
  ])('%d: %s', async (status, error, runs) => {
    const response = await asked({ format: 'fit', ...runs })
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error })])
  })

  test('a lost or damaged file affects itself only', async () => {
    const bytes = fitRun({ startMs: START_MS + DAY_MS })
    const lost = await app.run(bytes, 'd.fit')
    const spoil = spoiler(app, lost)
    await spoil.loseOriginal()
    const original = await files({ format: 'original', ids: [lost, ids.watch] })
    expect([...original.keys()]).toEqual([`${WATCH}.fit`, 'runs.csv'])
    expect(textOf(original, 'runs.csv')).toContain(',,The original file of this run is lost\r\n')
    await spoil.restoreOriginal(bytes)
    spoil.damageSamples()
    const damaged = await files({ format: 'fit', ids: [lost] })
    expect(damaged.get('2025/2025-11-02-0800-run.fit')).toEqual(new Uint8Array(bytes))
    expect(textOf(damaged, 'runs.csv')).toContain(',The samples of this run cannot be read\r\n')
    expect(app.logged.filter((line) => line.includes(lost))).toHaveLength(1)
  })
})
