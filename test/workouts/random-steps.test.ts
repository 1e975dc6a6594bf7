// A thousand things a runner may do, in a seeded order; afterwards everything derived is what a rebuild gives.
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { routeIndexes, workouts } from '../../src/db/schema.ts'
import { workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { analyzeRun } from '../../src/engine/analyze.ts'
import { numberColumns, previewColumn } from '../../src/library/add-workout.ts'
import { splitObjects } from '../../src/library/numbers.ts'
import { activeRepairs, recordingsOf, samplesOf } from '../../src/library/recordings.ts'
import { zonesOrDefault } from '../../src/library/settings.ts'
import { unpackTrack } from '../../src/workers/pack.ts'
import { routeIndex } from '../../src/workers/route-index.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { START_MS } from '../fixtures/runs.ts'

const STEPS = 1000
const DAY_MS = 86_400_000
const UNITS = ['metric', 'imperial'] as const

interface Library {
  readonly app: TestApp
  readonly random: () => number
  readonly ids: string[]
  readonly shoes: string[]
  day: number
}

type Step = (library: Library) => Promise<void>

/** How often each is done. */
const STEPS_OF_TEN: readonly [number, Step][] = [
  [0.3, importRun],
  [0.45, cropRun],
  [0.6, patchRun],
  [0.68, deleteRun],
  [0.74, importAgain],
  [0.8, changeZones],
  [0.85, changeUnit],
  [0.9, recalculateOne],
  [0.95, changeShoes],
  [1, recalculateAll],
]

test('after 1,000 random steps every derived number is that of a rebuild from the stored samples', async () => {
  await using app = await testApp()
  const library: Library = { app, random: seededRandom(2024), ids: [], shoes: [], day: 0 }
  for (let k = 0; k < STEPS; k += 1) {
    const kind = library.random()
    const [, step] = STEPS_OF_TEN.find(([upTo]) => kind < upTo)!
    await step(library)
  }
  expect(library.ids.length).toBeGreaterThan(50)

  // zones may have been stored without scoring: the last word is that of a recalculation
  expect((await app.call('PUT', '/settings/heart-rate-zones', { json: zones(40) })).status).toBe(200)
  const { json } = await app.call('POST', '/workouts/recalculate-relative-effort')
  expect(json.errorCount).toBe(0)
  expectRebuilt(app)
  await expectSums(library)
}, 120_000)

async function send(app: TestApp, method: string, path: string, body?: unknown) {
  const answer = await app.call(method, path, body === undefined ? {} : { json: body })
  expect([200, 204], `${method} ${path}: ${answer.text}`).toContain(answer.status)
  return answer.json
}

function one<T>({ random }: Library, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)]
}

/** The file of a day: FIT, FIT indoors or GPX, 2 to 10 minutes. */
function madeFile(day: number): { name: string; bytes: Uint8Array } {
  const random = seededRandom(day)
  const seconds = 120 + Math.floor(random() * 480)
  const startMs = START_MS - day * DAY_MS
  const speedMps = 2.5 + random() * 2
  if (day % 3 === 0) {
    const points = straightPoints({ n: seconds, startMs, speedMps, hr: 100 + Math.floor(random() * 80) })
    const hilly = points.map((point, t) => ({ ...point, ele: 400 + Math.round(80 * Math.sin(t / 40)) / 10 }))
    return { name: 'a.gpx', bytes: gpxFile({ points: hilly.filter(() => random() < 0.9) }) }
  }
  const isIndoor = day % 7 === 1
  const samples = Array.from({ length: seconds + 1 }, (_, t) => ({
    t,
    distanceM: Math.min(t, seconds - 20) * speedMps,
    hr: 120 + Math.floor(40 * Math.sin(t / 50)),
    cadence: 85,
    elevM: 400 + 5 * Math.sin(t / 60),
    ...(isIndoor ? {} : { lat: 47 + (t * speedMps) / 111_170, lon: 8 }),
  }))
  const timer = [
    [0, 0],
    [40, 4],
    [50, 0],
  ] as const
  const session = { calories: 300, totalDistanceM: seconds * speedMps + 5, avgHr: 141, subSport: isIndoor ? 1 : 0 }
  return { name: 'a.fit', bytes: fitFile({ startMs, samples, timer, session }) }
}

async function importRun(library: Library): Promise<void> {
  const { app, ids, random } = library
  library.day += 1
  const fields = random() < 0.3 ? { unitPreference: one(library, UNITS)! } : {}
  const { json, text } = await app.upload('/workouts/import', [madeFile(library.day)], fields)
  expect(json.action, text).toBe('created')
  ids.push(json.id)
}

/** A file that is known, cropped or not, or one whose workout was deleted. */
async function importAgain(library: Library): Promise<void> {
  if (library.day === 0) return
  const day = 1 + Math.floor(library.random() * library.day)
  const { json } = await library.app.upload('/workouts/import', [madeFile(day)])
  if (json.action === 'created') library.ids.push(json.id)
  else expect(library.ids).toContain(json.id)
}

async function cropRun(library: Library): Promise<void> {
  const id = one(library, library.ids)
  if (id === undefined) return
  const body = {
    removeFromStartSeconds: Math.floor(library.random() * 40_000) / 1000,
    removeFromEndSeconds: Math.floor(library.random() * 40),
  }
  const { status, json } = await library.app.call('POST', `/workouts/${id}/crop`, { json: body })
  if (status === 400) expect(json.error).toMatch(/route|must be left/)
  else expect(status).toBe(200)
}

async function patchRun(library: Library): Promise<void> {
  const id = one(library, library.ids)
  if (id === undefined) return
  const { random } = library
  const shoeId = one(library, library.shoes) ?? null
  await send(library.app, 'PATCH', `/workouts/${id}`, {
    name: `Run ${random()}`,
    rpe: 1 + Math.floor(random() * 10),
    shoeId,
  })
}

async function deleteRun(library: Library): Promise<void> {
  const id = one(library, library.ids)
  if (id === undefined) return
  await send(library.app, 'DELETE', `/workouts/${id}`)
  library.ids.splice(library.ids.indexOf(id), 1)
}

async function changeShoes(library: Library): Promise<void> {
  const { app, shoes, random } = library
  if (shoes.length < 3) {
    shoes.push((await send(app, 'POST', '/shoes', { brand: 'B', model: `M${random()}` })).id)
    return
  }
  await send(app, 'PUT', '/settings/default-shoe', { defaultShoeId: one(library, shoes) })
  await send(app, 'DELETE', `/shoes/${shoes.shift()}`)
}

async function changeZones(library: Library): Promise<void> {
  const body = zones(20 + Math.floor(library.random() * 60))
  if (library.random() < 0.3) await send(library.app, 'PUT', '/settings/heart-rate-zones', body)
  else
    await send(library.app, 'POST', '/settings/heart-rate-zones/update-with-recalc', {
      ...body,
      recalculateExisting: true,
    })
}

function zones(age: number) {
  return { calculationMethod: 'AgeBased', age }
}

async function changeUnit(library: Library): Promise<void> {
  await send(library.app, 'PUT', '/settings/unit-preference', { unitPreference: one(library, UNITS) })
}

async function recalculateOne(library: Library): Promise<void> {
  const id = one(library, library.ids)
  if (id === undefined) return
  const what = one(library, ['recalculate-effort', 'recalculate-splits'])
  const { status } = await library.app.call('POST', `/workouts/${id}/${what}`)
  expect([200, 400]).toContain(status)
}

async function recalculateAll(library: Library): Promise<void> {
  const what = one(library, ['recalculate-splits', 'recalculate-relative-effort'])
  const { status } = await library.app.call('POST', `/workouts/${what}`)
  // only when no zones were stored yet
  expect(what === 'recalculate-splits' ? [200] : [200, 400]).toContain(status)
  await send(library.app, 'POST', '/stats/best-efforts/recalculate')
}

function expectRebuilt({ deps: { db, config } }: TestApp): void {
  const elevation = { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
  for (const stored of db.select().from(workouts).all()) {
    const recordings = recordingsOf(db, stored.id).map(({ id, kind, totals }) => {
      return { kind, said: totals, track: unpackTrack(samplesOf(db, id)!) }
    })
    const options = { zones: zonesOrDefault(db), splitLengthM: stored.splitUnitM, elevation }
    const inputs = { recordings, repairs: activeRepairs(db, stored.id), primary: 0, ours: { effort: false } }
    const { settled, analysis: rebuilt } = analyzeRun({ ...inputs, ...options })
    const track = settled.track!
    expect(stored).toMatchObject(numberColumns(rebuilt))
    expect(stored.routePreview).toEqual(previewColumn(rebuilt.preview))
    expect(stored.startedAt).toBe(track.startMs)
    expect(splitObjects(db, stored.id)).toEqual([...rebuilt.splits])
    const efforts = db.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, stored.id)).all()
    const found = efforts.map(({ distanceIndex, timeMs, startMs, implausibleReason }) => {
      return { distanceIndex, timeMs, startMs, implausibleReason }
    })
    expect(found).toEqual([...rebuilt.bestEfforts])

    const row = db.select().from(routeIndexes).where(eq(routeIndexes.workoutId, stored.id)).get()
    const index = routeIndex(track)
    expect(row === undefined).toBe(index === null)
    if (row === undefined || index === null) continue
    expect([row.startedAt, row.lengthM]).toEqual([stored.startedAt, index.lengthM])
    expect(Buffer.compare(row.path, index.path) + Buffer.compare(row.sketch, index.sketch)).toBe(0)
  }
}

/** What is added up over the library is the sum of what is stored. */
async function expectSums({ app, ids, shoes }: Library): Promise<void> {
  expect((await send(app, 'GET', '/workouts')).totalCount).toBe(ids.length)
  const metres = (await Promise.all(ids.map((id) => send(app, 'GET', `/workouts/${id}?includeRaw=false`)))).filter(
    ({ shoeId }) => shoeId === shoes[0],
  )
  const { unitPreference } = await send(app, 'GET', '/settings/unit-preference')
  const sum = metres.reduce((total: number, { distanceM }: { distanceM: number }) => total + distanceM, 0)
  const { totalMileage } = await send(app, 'GET', `/shoes/${shoes[0]}/mileage`)
  expect(totalMileage).toBeCloseTo(sum / (unitPreference === 'metric' ? 1000 : 1609.344), 6)
  for (const table of ['recording', 'repair', 'workout_split', 'workout_best_effort', 'workout_route']) {
    const orphans = `SELECT count(*) AS n FROM ${table} WHERE workout_id NOT IN (SELECT id FROM workout)`
    expect(app.deps.db.$client.query(orphans).get()).toEqual({ n: 0 })
  }
  const lost = 'SELECT count(*) AS n FROM samples WHERE recording_id NOT IN (SELECT id FROM recording)'
  expect(app.deps.db.$client.query(lost).get()).toEqual({ n: 0 })
}
