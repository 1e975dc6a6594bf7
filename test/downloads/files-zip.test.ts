import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { type Entries, entriesOf, textOf } from '../archive/archives.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { spoiler } from '../library/spoil.ts'

const DAY_MS = 86_400_000

let app: TestApp
/** A watch's run, a phone's of the same minute and name, one without route, all with originals. */
let ids: { watch: string; phone: string; treadmill: string }

beforeAll(async () => {
  app = await testApp()
  const stored = async (name: string, bytes: Uint8Array) =>
    (await app.upload('/workouts/import', [{ name, bytes }])).json.id as string
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: 3 * t, hr: 140 }))
  ids = {
    watch: await stored('a.fit', fitRun()),
    phone: await stored('b.gpx', gpxRun({ startMs: START_MS + 20_000, seconds: 700 })),
    treadmill: await stored('c.fit.gz', Bun.gzipSync(fitFile({ startMs: START_MS - 365 * DAY_MS, samples }).slice())),
  }
  for (const id of [ids.watch, ids.phone]) {
    await app.call('PATCH', `/workouts/${id}`, { json: { name: '=cmd, "x"', rpe: 7, runType: 'Race' } })
  }
  const { json: shoe } = await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 6' } })
  await app.call('PATCH', `/workouts/${ids.watch}`, { json: { shoeId: shoe.id } })
})

afterAll(() => app.close())

async function ask(json: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(json) }
  return await app.handle(new Request('http://localhost/workouts/export/files', init))
}

async function files(json: unknown): Promise<Entries> {
  const response = await ask(json)
  expect(response.status).toBe(200)
  return await entriesOf(app, new Uint8Array(await response.arrayBuffer()))
}

const HEADER =
  'id,started_at,local_start,name,type,distance_m,duration_s,moving_s,elev_gain_m,avg_hr,rpe,shoe,file,error\r\n'

describe('POST /workouts/export/files', () => {
  test('the whole library as originals, below their years, with what each is', async () => {
    const response = await ask({ format: 'original', filter: {} })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="harrier-files-20251120-130511.zip"')
    const entries = await entriesOf(app, new Uint8Array(await response.arrayBuffer()))
    expect([...entries.keys()]).toEqual([
      '2024/2024-11-01-0700-run.fit.gz',
      '2025/2025-11-01-0800-=cmd, -x.fit',
      '2025/2025-11-01-0800-=cmd, -x.gpx',
      'runs.csv',
    ])
    expect(entries.get('2025/2025-11-01-0800-=cmd, -x.fit')).toEqual(new Uint8Array(fitRun()))
    const lines = textOf(entries, 'runs.csv').split('\r\n')
    expect(`${lines[0]}\r\n`).toBe(HEADER)
    expect(lines).toHaveLength(5)
    expect(lines[2]).toBe(
      `${ids.watch},2025-11-01T07:00:00Z,2025-11-01T08:00:00,"'=cmd, ""x""",Race,1800,600,600,0,140,7,Hoka Mach 6,"2025/2025-11-01-0800-=cmd, -x.fit",`,
    )
  })

  test('equal names are made distinct', async () => {
    const entries = await files({ format: 'tcx', ids: [ids.watch, ids.phone] })
    expect([...entries.keys()]).toEqual([
      '2025/2025-11-01-0800-=cmd, -x.tcx',
      '2025/2025-11-01-0800-=cmd, -x-2.tcx',
      'runs.csv',
    ])
  })

  test('what the format cannot hold is its original, with the reason', async () => {
    const entries = await files({ format: 'gpx', filter: { endDate: '2024-12-31' } })
    expect([...entries.keys()]).toEqual(['2024/2024-11-01-0700-run.fit.gz', 'runs.csv'])
    expect(textOf(entries, 'runs.csv')).toEndWith(
      ',2024/2024-11-01-0700-run.fit.gz,"This run has no route, which a GPX file needs; FIT and TCX do not"\r\n',
    )
  })

  test('a filter as of the list, and ids that are none', async () => {
    const filtered = await files({ format: 'fit', filter: { runType: 'Race', minDistanceM: 1900 } })
    expect(textOf(filtered, 'runs.csv').split('\r\n')[1]).toStartWith(ids.phone)
    const nothing = await files({ format: 'fit', filter: { keyword: 'nowhere' } })
    expect([...nothing.keys()]).toEqual(['runs.csv'])
    expect(textOf(nothing, 'runs.csv')).toBe(HEADER)
    const unknown = '0198a000-0000-7000-8000-00000000ffff'
    const half = await files({ format: 'fit', ids: [unknown, ids.watch, ids.watch] })
    expect([...half.keys()]).toHaveLength(2)
    expect(textOf(half, 'runs.csv')).toContain(`${unknown},,,,,,,,,,,,,There is no such run\r\n`)
    const none = await ask({ format: 'fit', ids: [unknown] })
    expect([none.status, await none.json()]).toEqual([404, { error: 'Workout not found' }])
  })

  test.each([{}, { ids: ['0198a000-0000-7000-8000-00000000ffff'], filter: {} }])(
    '%j names runs in no way or in two',
    async (runs) => {
      const response = await ask({ format: 'fit', ...runs })
      expect([response.status, await response.json()]).toEqual([400, { error: 'Send either ids or filter' }])
    },
  )

  test('a lost or damaged file affects itself only', async () => {
    const bytes = fitRun({ startMs: START_MS + DAY_MS })
    const { json: lost } = await app.upload('/workouts/import', [{ name: 'd.fit', bytes }])
    const spoil = spoiler(app, lost.id)
    await spoil.loseOriginal()
    const original = await files({ format: 'original', ids: [lost.id, ids.watch] })
    expect([...original.keys()]).toEqual(['2025/2025-11-01-0800-=cmd, -x.fit', 'runs.csv'])
    expect(textOf(original, 'runs.csv')).toContain(',,The original file of this run is lost\r\n')
    await spoil.restoreOriginal(bytes)
    spoil.damageSamples()
    const damaged = await files({ format: 'fit', ids: [lost.id] })
    expect(damaged.get('2025/2025-11-02-0800-run.fit')).toEqual(new Uint8Array(bytes))
    expect(textOf(damaged, 'runs.csv')).toContain(',The samples of this run cannot be read\r\n')
    expect(app.logged.filter((line) => line.includes(lost.id))).toHaveLength(1)
    await app.call('DELETE', `/workouts/${lost.id}`)
  })
})

test('runs are written while they are sent, and writing ends when the client leaves', async () => {
  await using many = await testApp()
  const runs = Array.from({ length: 120 }, (_, k) => {
    return { name: `${k}.fit`, bytes: fitRun({ startMs: START_MS - k * DAY_MS }) }
  })
  await many.upload('/workouts/import', runs)
  let made = 0
  const { derive } = many.deps.analyzer
  Object.assign(many.deps.analyzer, {
    derive: (job: Parameters<typeof derive>[0]) => {
      made += 1
      return derive(job)
    },
  })
  const headers = { authorization: `Bearer ${many.token}`, 'content-type': 'application/json' }
  const client = new AbortController()
  const init = { method: 'POST', headers, body: JSON.stringify({ format: 'gpx', filter: {} }), signal: client.signal }
  const response = await many.handle(new Request('http://localhost/workouts/export/files', init))
  const reader = response.body!.getReader()
  await reader.read()
  await Bun.sleep(200)
  expect(made).toBeGreaterThan(0)
  expect(made).toBeLessThan(60)
  // as a server tells it: by the signal of the request, and to the body
  client.abort()
  await reader.cancel()
  const until = made
  await Bun.sleep(200)
  expect(made).toBeLessThanOrEqual(until + 1)
})
