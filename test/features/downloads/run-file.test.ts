import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Answer, type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { spoiler } from '../../library/spoil.ts'

let app: TestApp
let runId: string
beforeAll(async () => {
  app = await testApp()
  runId = await app.run(fitRun(), 'folder/Mein Lauf.FIT')
  await app.ok('PATCH', `/workouts/${runId}`, { name: 'Früh/spät: "10 km"\u202e ' })
})
afterAll(() => app.close())

const exported = (format: string, id = runId): Promise<Answer> =>
  app.call('GET', `/workouts/${id}/export?format=${format}`)
const refused = async (format: string, id = runId) => {
  const { status, json } = await exported(format, id)
  return [status, json.error]
}

test.each([
  ['fit', 'application/vnd.ant.fit'],
  ['gpx', 'application/gpx+xml'],
  ['tcx', 'application/vnd.garmin.tcx+xml'],
])('%s is a download of its own type, named by local time and name', async (format, type) => {
  const { status, headers, text } = await exported(format)
  const head = ['content-type', 'x-content-type-options'].map((name) => headers.get(name))
  expect([status, ...head]).toEqual([200, type, 'nosniff'])
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
  const id = await app.run(gpxRun({ startMs: START_MS + 5 * 864e5 }), 'a.gpx')
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100, removeFromEndSeconds: 100 })
  const { text } = await exported('gpx', id)
  expect(text.split('<trkpt')).toHaveLength(402)
  expect(text).toContain('<time>2025-11-06T07:01:40Z</time>')
  expect((await exported('original', id)).text.split('<trkpt')).toHaveLength(602)
})

test('a row of a table is one lap as FIT and TCX, and nothing else', async () => {
  const row = { 'Activity ID': 77, 'Activity Date': 'Nov 3, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const bytes = stravaCsv([{ ...row, 'Elapsed Time': 1800, 'Distance#2': 5000 }])
  await app.upload('/workouts/import', [{ name: 'activities.csv', bytes }])
  const [{ id }] = (await app.ok('GET', '/workouts?startDate=2025-11-03&endDate=2025-11-03')).items
  const { text } = await exported('tcx', id)
  expect(text.match(/<Lap /g)).toHaveLength(1)
  expect(text).toContain('<TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>5000</DistanceMeters>')
})

test('an original that was lost or is not kept, and a trim of nothing, are refused', async () => {
  const id = await app.run(fitRun({ startMs: START_MS + 7 * 864e5 }), 'b.fit')
  const spoil = spoiler(app, id)
  await spoil.loseOriginal()
  expect(await refused('original', id)).toEqual([404, 'The original file of the workout is lost'])
  spoil.forgetOriginal()
  expect(await refused('original', id)).toEqual([400, 'This run has no original file'])
  expect((await exported('fit', id)).status).toBe(200)
  const error = 'There is nothing to trim: no place is hidden, and trimEndsM is 0'
  expect(await refused('gpx&trim=true')).toEqual([400, error])
})
