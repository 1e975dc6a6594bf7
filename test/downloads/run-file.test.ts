import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { spoiler } from '../library/spoil.ts'

let app: TestApp
let runId: string

beforeAll(async () => {
  app = await testApp()
  runId = (await app.upload('/workouts/import', [{ name: 'folder/Mein Lauf.FIT', bytes: fitRun() }])).json.id
  await app.call('PATCH', `/workouts/${runId}`, { json: { name: 'Früh/spät: "10 km"\u202e ' } })
})

afterAll(() => app.close())

const exported = (format: string, id = runId): Promise<Answer> =>
  app.call('GET', `/workouts/${id}/export?format=${format}`)

async function csvRun(): Promise<string> {
  const csv = stravaCsv([
    {
      ...{ 'Activity ID': 77, 'Activity Date': 'Nov 3, 2025, 7:00:00 AM', 'Activity Type': 'Run' },
      ...{ 'Elapsed Time': 1800, 'Distance#2': 5000 },
    },
  ])
  const { json } = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: csv }])
  const { json: list } = await app.call('GET', '/workouts?startDate=2025-11-03&endDate=2025-11-03')
  expect(json.errors ?? []).toEqual([])
  return list.items[0].id
}

describe('GET /workouts/{id}/export', () => {
  test.each([
    ['fit', 'application/vnd.ant.fit'],
    ['gpx', 'application/gpx+xml'],
    ['tcx', 'application/vnd.garmin.tcx+xml'],
  ])('%s is a download of its own type, named by local time and name', async (format, type) => {
    const { status, headers, text } = await exported(format)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // 07:00 UTC at 8° E in November
    const name = `2025-11-01-0800-Früh-spät- -10 km.${format}`
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${name.replaceAll(/[üä]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    expect(text.length).toBeGreaterThan(10_000)
  })

  test('original is the file byte for byte, or a range of it', async () => {
    const path = `http://localhost/workouts/${runId}/export?format=original`
    const authorization = `Bearer ${app.token}`
    const whole = await app.handle(new Request(path, { headers: { authorization } }))
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(fitRun().slice())
    expect(whole.headers.get('content-disposition')).toContain('-10 km.fit"')
    const beyond = await app.handle(new Request(path, { headers: { authorization, range: 'bytes=99999999-' } }))
    expect(beyond.status).toBe(416)
  })

  test('what was cropped is written cropped, while the original stays whole', async () => {
    const bytes = gpxRun({ startMs: START_MS + 5 * 864e5 })
    const { json } = await app.upload('/workouts/import', [{ name: 'a.gpx', bytes }])
    const removed = { removeFromStartSeconds: 100, removeFromEndSeconds: 100 }
    expect((await app.call('POST', `/workouts/${json.id}/crop`, { json: removed })).status).toBe(200)
    const { text } = await exported('gpx', json.id)
    expect(text.split('<trkpt')).toHaveLength(402)
    expect(text).toContain('<time>2025-11-06T07:01:40Z</time>')
    expect((await exported('original', json.id)).text.split('<trkpt')).toHaveLength(602)
  })

  test('a row of a table is one lap as FIT and TCX, and nothing else', async () => {
    const id = await csvRun()
    const { text } = await exported('tcx', id)
    expect(text.match(/<Lap /g)).toHaveLength(1)
    expect(text).toContain('<TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>5000</DistanceMeters>')
    const gpx = await exported('gpx', id)
    expect([gpx.status, gpx.json.error]).toEqual([
      400,
      'This run has no route, which a GPX file needs; FIT and TCX do not',
    ])
  })

  test('an original that is not kept, or was lost', async () => {
    const bytes = fitRun({ startMs: START_MS + 7 * 864e5 })
    const { json } = await app.upload('/workouts/import', [{ name: 'b.fit', bytes }])
    const spoil = spoiler(app, json.id)
    await spoil.loseOriginal()
    const lost = await exported('original', json.id)
    expect([lost.status, lost.json.error]).toEqual([404, 'The original file of the workout is lost'])
    spoil.forgetOriginal()
    const none = await exported('original', json.id)
    expect([none.status, none.json.error]).toEqual([400, 'This run has no original file'])
    expect((await exported('fit', json.id)).status).toBe(200)
  })

  test('without anything to trim it is refused', async () => {
    const trimmed = await app.call('GET', `/workouts/${runId}/export?format=gpx&trim=true`)
    expect([trimmed.status, trimmed.json.error]).toEqual([
      400,
      'There is nothing to trim: no place is hidden, and trimEndsM is 0',
    ])
  })
})
