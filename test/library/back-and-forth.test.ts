// What is undone is as it was, and what is redone as it became, whatever else the library does of itself.
import { describe, expect, test } from 'bun:test'
import { createWeatherQueue } from '../../src/features/weather/queue.ts'
import type { WeatherClient } from '../../src/library/deps.ts'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { seen } from '../features/repair/repairing.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { jpeg } from '../fixtures/media.ts'
import { hourlyWeather } from '../fixtures/open-meteo.ts'
import { fitRun, hillyRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { butUpdated } from '../fixtures/updated.ts'
import { expectGroundAnew } from './grounds.ts'
import { done, live, receiptOf, stored } from './ledger.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Everything that is answered of every run and shoe. */
async function everything(app: TestApp) {
  const runs = await live(app)
  const ofRun = async ({ id }: { id: string }) => ({
    ...(await seen(app, id)),
    media: await done(app, `GET /workouts/${id}/media`),
    training: await done(app, `GET /workouts/${id}/training`),
    numbers: (await done(app, `GET /workouts/${id}/sources`)).numbers,
  })
  return butUpdated({
    runs: await Promise.all(runs.map(ofRun)),
    shoes: await done(app, 'GET /shoes'),
    efforts: await done(app, 'GET /stats/best-efforts'),
    ground: await expectGroundAnew(app),
  })
}

async function undone(app: TestApp, receipt: string): Promise<string> {
  app.pass(MINUTE_MS)
  const answer = await done(app, `POST /receipts/${receipt}/undo`, {})
  expect(answer.kept).toEqual([])
  return answer.receiptId
}

const whole = (app: TestApp) => stored(app, 'whole.fit', hillyRun(START_MS, { calories: 300, totalDistanceM: 4300 }))
const half = { 'Activity ID': 7, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }

const REPAIRS: Readonly<Record<string, readonly [path: string, body: object]>> = {
  crop: ['crop', { removeFromStartSeconds: 100 }],
  cut: ['cut', { fromElapsedS: 200, toElapsedS: 500 }],
  'closed cut': ['cut', { fromElapsedS: 200, toElapsedS: 500, closeGap: true }],
  mend: ['mend', { fromElapsedS: 50, toElapsedS: 290, channel: 'all', fill: 'gap' }],
  distance: ['distance', { distanceM: 5000 }],
  'distance of a treadmill': ['distance', { distanceM: 2000 }],
  shift: ['shift', { offsetSeconds: 86_400 }],
  'time zone': ['shift', { timeZone: 'Asia/Tokyo' }],
}

const BY_HAND = { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000, avgHeartRateBpm: 150 }

type Prepared = (app: TestApp) => Promise<() => Promise<string>>

/** Each prepares a library, and then changes it. @returns the receipt of the change */
const CHANGES: Readonly<Record<string, Prepared>> = {
  'a split': async (app) => {
    const id = await whole(app)
    await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(300) }])
    await done(app, `PATCH /workouts/${id}`, { name: 'Whole', notes: 'n', rpe: 5 })
    return () => receiptOf(app, `POST /workouts/${id}/split`, { atElapsedS: [300, 900.5] })
  },
  'a join': async (app) => {
    const first = await whole(app)
    const second = await stored(app, 'b.fit', fitRun({ startMs: START_MS + HOUR_MS }))
    await done(app, `POST /workouts/${first}/crop`, { removeFromStartSeconds: 50 })
    await done(app, `PATCH /workouts/${second}`, { notes: 'two', rpe: 6 })
    await app.upload(`/workouts/${second}/media`, [{ name: 'b.jpg', bytes: jpeg(400) }])
    return () => receiptOf(app, 'POST /workouts/join', { ids: [first, second] })
  },
  'a join of the parts of a split': async (app) => {
    const { workouts } = await done(app, `POST /workouts/${await whole(app)}/split`, { atElapsedS: [700] })
    return () => receiptOf(app, 'POST /workouts/join', { ids: workouts.map(({ id }: { id: string }) => id) })
  },
  'a revert of several repairs': async (app) => {
    const id = await whole(app)
    await done(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 50 })
    await done(app, `POST /workouts/${id}/shift`, { offsetSeconds: 3600 })
    return () => receiptOf(app, `POST /workouts/${id}/revert`, {})
  },
  'a run by hand': async (app) => () => receiptOf(app, 'POST /workouts', BY_HAND),
  'numbers of a run by hand': async (app) => {
    const { id } = await done(app, 'POST /workouts', BY_HAND)
    return () => receiptOf(app, `PATCH /workouts/${id}/numbers`, { distanceM: 9000, avgHeartRateBpm: null })
  },
  'a bulk edit': async (app) => {
    const ids = [await whole(app), await stored(app, 'b.fit', fitRun({ startMs: START_MS + HOUR_MS }))]
    const { id: shoeId } = await done(app, 'POST /shoes', { brand: 'Hoka', model: 'Mach' })
    return () => receiptOf(app, 'POST /workouts/bulk-edit', { ids, set: { shoeId, rpe: 3, notesAppend: 'x' } })
  },
  'the deletion of a repaired run': async (app) => {
    const id = await whole(app)
    await done(app, `POST /workouts/${id}/cut`, { fromElapsedS: 300, toElapsedS: 400 })
    await done(app, `PATCH /workouts/${id}`, { loadSource: 'manual', loadManual: 80 })
    await done(app, `PATCH /workouts/${id}/best-efforts/400`, { isRecord: false })
    return () => receiptOf(app, `DELETE /workouts/${id}`)
  },
  'the deletion of a shoe': async (app) => {
    const { id: shoeId } = await done(app, 'POST /shoes', { brand: 'Hoka', model: 'Mach' })
    await done(app, `PATCH /workouts/${await whole(app)}`, { shoeId })
    return () => receiptOf(app, `DELETE /shoes/${shoeId}`)
  },
  'a file that completes a row': async (app) => {
    const row = stravaCsv([{ ...half, 'Elapsed Time': 600, Distance: 1.8 }])
    await app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': row })])
    const bytes = fitRun({ startMs: Date.UTC(2025, 10, 5, 7) })
    return async () => (await app.upload('/workouts/import', [{ name: 'row.fit', bytes }])).json.receiptId
  },
  'an import of several files': async (app) => {
    await whole(app)
    const files = [1, 2].map((day) => ({ name: `${day}.fit`, bytes: fitRun({ startMs: START_MS + day * DAY_MS }) }))
    return async () => (await app.upload('/workouts/import', files)).json.receiptId
  },
  'the restore of an archive': async (app) => {
    await using other = await testApp()
    const { workouts } = await done(other, `POST /workouts/${await whole(other)}/split`, { atElapsedS: [700] })
    await done(other, `POST /workouts/${workouts[1].id}/crop`, { removeFromStartSeconds: 20 })
    const zip = await exported(other)
    return async () => (await restored(app, zip)).json.receiptId
  },
}

describe('undone it is what it was, redone what it became, and so once more', () => {
  const repairs = Object.entries(REPAIRS).map(([name, [path, body]]): [string, Prepared] => [
    `a ${name}`,
    async (app) => {
      const id = await (name.includes('treadmill') ? stored(app, 'in.fit', indoorRun(START_MS)) : whole(app))
      return () => receiptOf(app, `POST /workouts/${id}/${path}`, body)
    },
  ])
  for (const [name, prepared] of [...repairs, ...Object.entries(CHANGES)])
    test(name, async () => {
      await using app = await testApp()
      const change = await prepared(app)
      const before = await everything(app)
      app.pass(HOUR_MS)
      let receipt = await change()
      const after = await everything(app)
      expect(after).not.toEqual(before)
      for (const state of [before, after, before, after]) {
        receipt = await undone(app, receipt)
        expect(await everything(app)).toEqual(state)
      }
    })
})

test('a crop is undone after any recalculation has passed over the run', async () => {
  await using app = await testApp()
  await done(app, 'PUT /settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 30 })
  const id = await whole(app)
  const { durationS, distanceM } = await done(app, `GET /workouts/${id}`)
  for (const [call, body] of [
    [`POST /workouts/${id}/recalculate-splits`, undefined],
    [`POST /workouts/${id}/recalculate-effort`, undefined],
    ['POST /workouts/recalculate-splits', undefined],
    ['POST /stats/best-efforts/recalculate', undefined],
    [
      'POST /settings/heart-rate-zones/update-with-recalc',
      { calculationMethod: 'AgeBased', age: 50, recalculateExisting: true },
    ],
  ] as const) {
    const receipt = await receiptOf(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 100 })
    app.pass(HOUR_MS)
    await done(app, call, body)
    await undone(app, receipt)
    expect([call, await done(app, `GET /workouts/${id}`)]).toMatchObject([call, { durationS, distanceM }])
  }
})

/** A run of 20 min from 06:55 on, and how often the service was asked by then. */
async function lookedUp() {
  let requests = 0
  const hours: WeatherClient['hours'] = async (query) => {
    requests += 1
    return await hourlyWeather.hours(query)
  }
  const app = await testApp({ weather: { hours } })
  const queue = createWeatherQueue(app.deps)
  const settled = async () => {
    for (let nextMs: number | null = 0; nextMs !== null && nextMs <= app.clock.nowMs + MINUTE_MS; ) {
      app.clock.nowMs = Math.max(app.clock.nowMs, nextMs)
      nextMs = await queue.step()
    }
  }
  const id = await stored(app, 'a.fit', fitRun({ startMs: START_MS - 5 * MINUTE_MS, seconds: 1200 }))
  await settled()
  const weatherNow = async () => (await done(app, `GET /workouts/${id}`)).weather
  const before = await weatherNow()
  expect(before).toMatchObject({ source: 'open_meteo' })
  return { app, id, before, weatherNow, settled, requests: () => requests, [Symbol.asyncDispose]: app.close }
}

test('the weather of a shifted run is asked again; undone, that of before is back without a request', async () => {
  await using run = await lookedUp()
  const receipt = await receiptOf(run.app, `POST /workouts/${run.id}/shift`, { offsetSeconds: -10 * 86_400 })
  expect(await run.weatherNow()).toBeNull()
  await run.settled()
  const requests = run.requests()
  expect([await run.weatherNow(), requests > 1]).toEqual([expect.not.objectContaining(run.before), true])
  await undone(run.app, receipt)
  expect(await run.weatherNow()).toEqual(run.before)
  await run.settled()
  expect([await run.weatherNow(), run.requests()]).toEqual([run.before, requests])
})
