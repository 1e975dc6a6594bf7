import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { recordings, samples, workoutSplits, workouts } from '../../src/db/schema.ts'
import { settings } from '../../src/db/schema-account.ts'
import type { Said } from '../../src/engine/numbers.ts'
import { untimedTrack } from '../../src/engine/run/archived-route.ts'
import { packTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitFile } from '../fixtures/fit.ts'
import { replaceSamples } from '../fixtures/recordings.ts'
import { onGlobe } from '../fixtures/routes.ts'
import { fitRun, gpxRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const DAY_MS = 86_400_000
/** Zone 5 from 100 bpm on: an hour of running scores 300. */
const LOW_ZONES = {
  calculationMethod: 'Custom',
  zones: [60, 70, 80, 90, 100].map((minBpm) => ({ minBpm, maxBpm: minBpm + 10 })),
}
const NOT_OBJECTS = ['[]', '"x"', '5', 'null', 'true', '{"a"']

async function detail(app: TestApp, id: string) {
  return (await app.call('GET', `/workouts/${id}?includeRaw=false`)).json
}

/** As a Strava row without a file leaves a run: an average, or not, and no samples. */
function withoutSamples(app: TestApp, id: string, totals: Said): void {
  app.deps.db.delete(samples).where(eq(samples.recordingId, id)).run()
  app.deps.db.update(recordings).set({ kind: 'row', totals }).where(eq(recordings.id, id)).run()
  app.deps.db
    .update(workouts)
    .set({ hasTimeSeriesHr: false, hasRawHr: false, routePreview: null })
    .where(eq(workouts.id, id))
    .run()
}

/** What a broken disk leaves. */
function breakSamples(app: TestApp, id: string): void {
  replaceSamples(app.deps, id, { timeHr: Buffer.from('no samples') })
}

describe('refusals', () => {
  test('efforts without stored zones, whatever other settings are stored', async () => {
    const { app, id } = await withRun(fitRun())
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    for (const path of [`/workouts/${id}/recalculate-effort`, '/workouts/recalculate-relative-effort']) {
      const { status, json } = await app.call('POST', path)
      expect([status, json]).toEqual([400, { error: expect.stringMatching(/zones/) }])
    }
    expect((await app.ok('GET', '/settings/heart-rate-zones')).zones[0]).toEqual({
      zoneNumber: 1,
      minBpm: 95,
      maxBpm: 114,
    })
  })

  test('a body that is not a JSON object is refused', async () => {
    await app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES)
    const headers = { 'content-type': 'application/json' }
    for (const what of ['relative-effort', 'splits']) {
      for (const body of NOT_OBJECTS) {
        const { status } = await app.call('POST', `/workouts/recalculate-${what}`, { body, headers })
        expect([what, body, status]).toEqual([what, body, 400])
      }
      for (const body of [undefined, '', '{}', '{"any":1}']) {
        const { status } = await app.call('POST', `/workouts/recalculate-${what}`, {
          headers,
          ...(body === undefined ? {} : { body }),
        })
        expect([what, body, status]).toEqual([what, body, 200])
      }
    }
    for (const body of [...NOT_OBJECTS, '']) {
      const { status } = await app.call('POST', '/settings/heart-rate-zones/update-with-recalc', { body, headers })
      expect([body, status]).toEqual([body, 400])
    }
  })

  test('splits without a route', async () => {
    const { app, id } = await withRun(indoorRun(START_MS))
    const { status, json } = await app.call('POST', `/workouts/${id}/recalculate-splits`)
    expect([status, json.error]).toEqual([400, 'The workout has no route, so its splits cannot be recalculated'])
  })
})

describe('efforts', () => {
  test('one workout is scored with the zones that are stored now, and an empty body of any type is none', async () => {
    const { app, id } = await withRun(fitRun({ seconds: 1200 }))
    const zone3 = await detail(app, id)
    // 20 min in zone 3
    expect([zone3.relativeEffort, zone3.hrZoneSeconds]).toEqual([60, [0, 0, 1201, 0, 0]])
    await app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES)
    expect((await detail(app, id)).relativeEffort).toBe(60)
    const { status, json } = await app.call('POST', `/workouts/${id}/recalculate-effort`, {
      headers: { 'content-type': 'application/json' },
    })
    expect([status, json]).toEqual([200, { id, relativeEffort: 100 }])
    expect(await detail(app, id)).toMatchObject({ relativeEffort: 100, hrZoneSeconds: [0, 0, 0, 0, 1201] })
  })

  test('an effort that becomes null is stored as null', async () => {
    const { app, id } = await withRun(fitRun())
    await app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES)
    // the heart rate is only in the raw data, which says no more than that
    withoutSamples(app, id, { distanceM: 1800, durationS: 600 })
    app.deps.db.update(workouts).set({ avgHeartRateBpm: null, hasRawHr: true }).where(eq(workouts.id, id)).run()
    expect((await detail(app, id)).relativeEffort).toBe(30)
    expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toMatchObject({ updatedCount: 1 })
    expect(await detail(app, id)).toMatchObject({ relativeEffort: null, hrZoneSeconds: null })
    expect(await app.ok('POST', `/workouts/${id}/recalculate-effort`)).toEqual({ id, relativeEffort: null })
  })

  test('all with a heart rate in samples, raw data or as an average are counted and scored', async () => {
    const sampled = await app.run(fitRun({ seconds: 1200 }))
    const average = await app.run(fitRun({ startMs: START_MS + DAY_MS, hr: 150 }), 'b.fit')
    const without = await app.run(gpxRun({ startMs: START_MS + 2 * DAY_MS, hr: 0 }), 'c.gpx')
    withoutSamples(app, average, { distanceM: 1800, durationS: 600, avgHeartRateBpm: 150 })
    expect(await app.ok('GET', '/workouts/recalculate-relative-effort/count')).toEqual({ count: 2 })
    await app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES)
    expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toEqual({
      updatedCount: 2,
      totalQualifyingWorkouts: 2,
      errorCount: 0,
      errors: null,
      message: 'Recalculated the relative effort of 2 of 2 workouts',
    })
    const efforts = await Promise.all([sampled, average, without].map((id) => detail(app, id)))
    // 20 and 10 min in zone 5
    expect(efforts.map(({ relativeEffort }) => relativeEffort)).toEqual([100, 50, null])
  })

  test('a workout that cannot be read is an error of its own, without words of a library', async () => {
    const broken = await app.run(fitRun())
    const sound = await app.run(fitRun({ startMs: START_MS + DAY_MS }), 'b.fit')
    await app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES)
    breakSamples(app, broken)
    expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toMatchObject({
      updatedCount: 1,
      totalQualifyingWorkouts: 2,
      errorCount: 1,
      errors: [`Workout ${broken}: its stored heart rate could not be read`],
    })
    expect((await detail(app, sound)).relativeEffort).toBe(50)
    expect(await app.ok('POST', '/workouts/recalculate-splits')).toMatchObject({
      updatedCount: 1,
      totalWorkouts: 2,
      errorCount: 1,
      errors: [`Workout ${broken}: its stored points could not be read`],
    })
  })
})

describe('while all workouts are scored', () => {
  /** Runs of an hour at 140 bpm, scored with age 30, of which the third cannot be read; and what happens after the second. */
  async function library(meanwhile: (app: TestApp, ids: readonly string[]) => Promise<unknown>): Promise<TestApp> {
    const app = await testApp()
    onTestFinished(app.close)
    const ids: string[] = []
    for (let day = 0; day < 4; day += 1) {
      ids.push(await app.run(fitRun({ seconds: 3600, startMs: START_MS - day * DAY_MS })))
    }
    await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 30 })
    breakSamples(app, ids[2]!)
    let scored = 0
    const { derive } = app.deps.analyzer
    app.deps.analyzer.derive = async (job) => {
      const derived = await derive(job)
      if (job.what === 'effort') scored += 1
      if (job.what === 'effort' && scored === 2) await meanwhile(app, ids)
      return derived
    }
    return app
  }

  test('zones that are stored are those of every one of them', async () => {
    const app = await library((app) => app.ok('PUT', '/settings/heart-rate-zones', LOW_ZONES))
    expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toMatchObject({
      ...{ updatedCount: 3, totalQualifyingWorkouts: 4, errorCount: 1 },
      errors: [expect.stringMatching(/^Workout .*: its stored heart rate could not be read$/)],
    })
    const { items } = await app.ok('GET', '/workouts')
    expect(items.map((run: { relativeEffort: number }) => run.relativeEffort)).toEqual([300, 300, 180, 300])
  })

  test('one that is deleted is not counted as processed', async () => {
    const app = await library((app, ids) => app.call('DELETE', `/workouts/${ids[0]}?forever=true`))
    expect(await app.ok('POST', '/workouts/recalculate-relative-effort')).toMatchObject({
      ...{ updatedCount: 2, totalQualifyingWorkouts: 4, errorCount: 1 },
      message: 'Recalculated the relative effort of 2 of 4 workouts',
    })
  })
})

describe('zones and all efforts at once', () => {
  const PATH = '/settings/heart-rate-zones/update-with-recalc'

  test('without being asked nothing is scored', async () => {
    const { app, id } = await withRun(fitRun())
    for (const recalculateExisting of [undefined, null, false]) {
      const answer = await app.ok('POST', PATH, { method: 'agebased', age: 40, recalculateExisting })
      expect(answer).toEqual({
        calculationMethod: 'AgeBased',
        age: 40,
        restingHeartRateBpm: null,
        maxHeartRateBpm: 180,
        zones: [90, 108, 126, 144, 162].map((minBpm, k) => ({ zoneNumber: k + 1, minBpm, maxBpm: minBpm + 18 })),
        isFirstTimeSetup: recalculateExisting === undefined,
        recalculatedCount: null,
        recalculatedErrorCount: null,
      })
    }
    expect((await detail(app, id)).relativeEffort).toBe(30)
  })

  test('asked for, every effort follows the zones', async () => {
    const ids = [await app.run(fitRun()), await app.run(indoorRun(START_MS + DAY_MS), 'b.fit')]
    await app.run(fitRun({ startMs: START_MS + 2 * DAY_MS, hr: 0 }), 'c.fit')
    const answer = await app.ok('POST', PATH, { ...LOW_ZONES, RecalculateAll: true })
    expect(answer).toMatchObject({ isFirstTimeSetup: true, recalculatedCount: 2, recalculatedErrorCount: 0 })
    for (const id of ids) {
      expect(await detail(app, id)).toMatchObject({ relativeEffort: 50, hrZoneSeconds: [0, 0, 0, 0, 601] })
    }
    expect((await app.ok('GET', '/settings/heart-rate-zones')).zones[4]).toEqual({
      zoneNumber: 5,
      minBpm: 100,
      maxBpm: 110,
    })
  })

  test('one that fails changes neither zones nor any effort', async () => {
    const ids = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS + DAY_MS }), 'b.fit')]
    await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 30 })
    const before = app.deps.db.select().from(settings).all()
    const fails = async () => {
      const { status, json } = await app.call('POST', PATH, { json: { ...LOW_ZONES, recalculateExisting: true } })
      expect([status, json]).toEqual([500, { error: 'Internal server error' }])
      expect(app.deps.db.select().from(settings).all()).toEqual(before)
      for (const id of ids) expect((await detail(app, id)).relativeEffort).toBe(30)
    }
    // one while the efforts are computed, one after the first of them was written
    breakSamples(app, ids[1]!)
    await fails()
    withoutSamples(app, ids[1]!, { distanceM: 1800, durationS: 600, avgHeartRateBpm: 140 })
    app.deps.db.$client.run(
      `CREATE TRIGGER broken BEFORE UPDATE OF relative_effort ON workout WHEN new.id = '${ids[1]}'
       BEGIN SELECT RAISE(ABORT, 'disk'); END`,
    )
    await fails()
    const { status } = await app.call('POST', PATH, { json: { calculationMethod: 'AgeBased', age: 0 } })
    expect(status).toBe(400)
  })

  test('what is imported, cropped or deleted while efforts are computed is scored with the new zones too', async () => {
    const ids: string[] = []
    for (let day = 0; day < 12; day += 1) {
      ids.push(await app.run(fitRun({ seconds: 7200, startMs: START_MS - day * DAY_MS })))
    }
    const [cropped, deleted] = [ids[0]!, ids[1]!]
    const update = app.call('POST', PATH, { json: { ...LOW_ZONES, recalculateExisting: true } })
    const crop = app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromEndSeconds: 6000 } })
    const remove = app.call('DELETE', `/workouts/${deleted}`)
    const added = app.upload('/workouts/import', [{ name: 'b.fit', bytes: indoorRun(START_MS + DAY_MS) }])
    const answers = await Promise.all([update, crop, remove, added])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200])
    // 20 min, and two hours, in zone 5
    expect((await detail(app, cropped)).relativeEffort).toBe(100)
    for (const id of ids.slice(2)) expect((await detail(app, id)).relativeEffort).toBe(600)
  })
})

describe('splits', () => {
  test('recalculated splits are those of an import in that unit, and a varying pace shows', async () => {
    const speed = (t: number) => 3 + Math.sin(t / 100)
    let alongM = 0
    const samples = Array.from({ length: 1801 }, (_, t) => {
      if (t > 0) alongM += speed(t)
      return { t, lat: 47 + alongM / 111_170, lon: 8, distanceM: alongM, hr: 140, elevM: 400 + 20 * Math.sin(t / 200) }
    })
    const metric = await app.run(fitFile({ startMs: START_MS, samples }))
    const fresh = await testApp()
    const { json } = await fresh.upload(
      '/workouts/import',
      [{ name: 'a.fit', bytes: fitFile({ startMs: START_MS, samples }) }],
      { unitPreference: 'imperial' },
    )
    const inMiles = (await detail(fresh, json.id)).splits
    await fresh.close()
    const inKm = (await detail(app, metric)).splits
    expect(new Set(inKm.map(({ paceS }: { paceS: number }) => paceS)).size).toBe(inKm.length)

    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    expect((await detail(app, metric)).splits).toEqual(inKm)
    const answer = await app.ok('POST', `/workouts/${metric}/recalculate-splits`)
    expect(answer).toEqual({ id: metric, splitsCount: inMiles.length })
    expect(await detail(app, metric)).toMatchObject({ splits: inMiles, splitsCount: inMiles.length })

    const idsOf = () => app.deps.db.select({ id: workoutSplits.id }).from(workoutSplits).all()
    const ids = idsOf()
    await app.ok('POST', `/workouts/${metric}/recalculate-splits`)
    expect(idsOf()).toEqual(ids)
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'metric' })
    await app.ok('POST', `/workouts/${metric}/recalculate-splits`)
    expect((await detail(app, metric)).splits).toEqual(inKm)
  })

  test('all with a route are counted and cut, an indoor run is not', async () => {
    expect(await app.ok('POST', '/workouts/recalculate-splits')).toEqual({
      updatedCount: 0,
      totalWorkouts: 0,
      errorCount: 0,
      errors: null,
      message: 'Recalculated the splits of 0 of 0 workouts',
    })
    const first = await app.run(fitRun())
    const { message } = await app.ok('POST', '/workouts/recalculate-splits')
    expect(message).toBe('Recalculated the splits of 1 of 1 workout')
    const ids = [first, await app.run(gpxRun({ startMs: START_MS + DAY_MS }), 'b.gpx')]
    const indoor = await app.run(indoorRun(START_MS + 2 * DAY_MS), 'c.fit')
    expect(await app.ok('GET', '/workouts/recalculate-splits/count')).toEqual({ count: 2 })
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    expect(await app.ok('POST', '/workouts/recalculate-splits')).toMatchObject({ updatedCount: 2, totalWorkouts: 2 })
    for (const id of ids) expect((await detail(app, id)).splits[0].distanceM).toBe(1609.344)
    expect((await detail(app, indoor)).splits[0].distanceM).toBe(1000)
  })

  test('what is cropped, changed or deleted while its splits are computed is cut as it is then', async () => {
    const ids: string[] = []
    for (let day = 0; day < 3; day += 1) {
      ids.push(await app.run(fitRun({ seconds: 3600, startMs: START_MS + day * DAY_MS }), `${day}.fit`))
    }
    const [cropped, deleted] = [ids[0]!, ids[1]!]
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    let asked = 0
    const { derive } = app.deps.analyzer
    app.deps.analyzer.derive = async (job) => {
      const splits = await derive(job)
      // the cut is computed there, too
      if (job.what !== 'splits') return splits
      asked += 1
      if (asked === 1) await app.ok('POST', `/workouts/${cropped}/crop`, { removeFromEndSeconds: 1800 })
      if (asked === 3) expect((await app.call('DELETE', `/workouts/${deleted}`)).status).toBe(204)
      return splits
    }
    const answer = await app.ok('POST', '/workouts/recalculate-splits')
    expect(answer).toMatchObject({ updatedCount: 2, totalWorkouts: 3, errorCount: 0 })
    expect(asked).toBe(4)
    const { splits, durationS } = await detail(app, cropped)
    expect(splits.at(-1).endElapsedS).toBe(durationS)
    expect(splits[0].distanceM).toBe(1609.344)
    expect((await detail(app, ids[2]!)).splits[0].distanceM).toBe(1609.344)
    const left = app.deps.db.select({ id: workoutSplits.workoutId }).from(workoutSplits).all()
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([cropped, ids[2]!]))
  })

  test('a route without any times gets times in proportion to distance', async () => {
    const { app, id } = await withRun(fitRun())
    // as an archive leaves it: 3 km north in 25 min, no samples
    const route = onGlobe(
      [
        [0, 0],
        [0, 1200],
        [0, 3000],
      ],
      47,
      8,
    )
    const track = untimedTrack(route, { startMs: START_MS, durationS: 1500 })!
    replaceSamples(app.deps, id, packTrack(track))
    expect(await app.ok('POST', `/workouts/${id}/recalculate-splits`)).toEqual({ id, splitsCount: 3 })
    const { splits, route: line } = await detail(app, id)
    expect(splits.map(({ durationS }: { durationS: number }) => durationS)).toEqual([500, 500, 500])
    expect(line.coordinates).toHaveLength(3)
    await app.ok('POST', '/stats/best-efforts/recalculate')
  })
})

test('events announce every recalculation', async () => {
  const { app, id } = await withRun(fitRun())
  const stated: unknown[] = []
  app.deps.events.subscribe(butReceipts((event) => stated.push(event)))
  await app.ok('POST', '/settings/heart-rate-zones/update-with-recalc', { ...LOW_ZONES, recalculateExisting: true })
  await app.ok('POST', `/workouts/${id}/recalculate-effort`)
  await app.ok('POST', `/workouts/${id}/recalculate-splits`)
  await app.ok('POST', '/workouts/recalculate-relative-effort')
  await app.ok('POST', '/workouts/recalculate-splits')
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 5 })
  const updated = (of: string | null) => ({ event: 'workout.updated', data: { id: of } })
  expect(stated).toEqual([{ event: 'settings.updated', data: {} }, ...[null, id, id, null, null, id].map(updated)])
})
