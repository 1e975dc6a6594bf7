// Where photos are on the map: by their own position, by the time of the run, or nowhere.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { endlessVideo, photo, photoAt, png } from '../../fixtures/media.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { done, receiptOf, stored } from '../../library/ledger.ts'
import { said } from '../../rows.ts'

/** South and west: near Santiago de Chile. */
const START = { lat: -33.86, lon: -70.5 }

/** East for 600 s, a point a second, from 2025-11-01T07:00 UTC. */
async function runEast(app: TestApp): Promise<string> {
  const points = Array.from({ length: 601 }, (_, t) => {
    return { ...START, lon: START.lon + t * 0.00003, timeMs: START_MS + t * 1000 }
  })
  return await stored(app, 'run.gpx', gpxFile({ points }))
}

/** By the first byte. */
const ENDINGS: Readonly<Record<number, string>> = { 137: 'png', 255: 'jpg', 0: 'mp4' }

async function placed(app: TestApp, id: string, ...files: readonly Uint8Array[]) {
  const sent = files.map((bytes, k) => ({ name: `${k}.${ENDINGS[bytes[0]!]}`, bytes }))
  return said((await app.upload(`/workouts/${id}/media`, sent)).json, 'lat', 'lon', 'placedBy')
}

const NOWHERE = [null, null, null]
const WORLD = 'west=-180&south=-90&east=180&north=90'
const onMap = async (app: TestApp, query = WORLD) => await done(app, `GET /map/photos?${query}`)

test('a photo is placed by its position near the route, else by its time, else not at all, also beside a damaged video', async () => {
  await using app = await testApp()
  const id = await runEast(app)
  // the clock there is 3 hours behind in November
  const during = photo('2025:11:01 04:05:00')
  const [near, byTime, ...others] = await placed(
    ...([app, id, photoAt(START.lat + 0.01, START.lon), during, photo('2025:11:01 03:50:00')] as const),
    ...[photoAt(START.lat + 3, START.lon), photoAt(0, 0), photoAt(91, 0), png(2)],
  )
  const [video, beside] = await placed(app, id, endlessVideo(), photoAt(START.lat, START.lon))
  expect([video, beside?.at(-1)]).toEqual([NOWHERE, 'gps'])
  expect(near).toEqual([-33.85, -70.5, 'gps'])
  expect(byTime).toEqual([-33.86, -70.491, 'time'])
  expect(others).toEqual(Array(5).fill(NOWHERE))
  // 4 min before the start it is at the start
  expect(await placed(app, id, photo('2025:11:01 07:56:00', '+01:00'))).toEqual([[-33.86, -70.5, 'time']])
})

test('the map has photos within bounds of what is there, after a crop, an undo and a deletion', async () => {
  await using app = await testApp()
  const id = await runEast(app)
  await placed(app, id, photo('2025:11:01 04:05:00'))
  const before = await onMap(app)
  expect(before).toMatchObject({ count: 1, photos: [{ workoutId: id, takenAt: '2025-11-01T07:05:00Z' }] })
  // the west of the second is beyond the antimeridian
  const counts = ['west=-70.49', 'west=179', 'west=-71'].map(async (west) => {
    return (await onMap(app, `${west}&south=-34&east=-70.48&north=-33`)).count
  })
  expect(await Promise.all(counts)).toEqual([0, 1, 1])
  // the photo is 4 min before the start of what is left, then 9
  const receipt = await receiptOf(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 540 })
  const media = await done(app, `GET /workouts/${id}/media`)
  expect([media[0].placedBy, media[0].lon]).toEqual(['time', -70.4838])
  app.pass(60_000)
  await done(app, `POST /receipts/${receipt}/undo`, {})
  expect(await onMap(app)).toEqual(before)
  await done(app, `PATCH /workouts/${id}`, { leftOut: true })
  expect((await onMap(app)).count).toBe(0)
  await done(app, `PATCH /workouts/${id}`, { leftOut: false })
  await done(app, `DELETE /workouts/${id}`)
  expect((await onMap(app)).count).toBe(0)
})
