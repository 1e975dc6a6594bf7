// What a runner may do with real files, in seeded orders; whatever came before, everything that is stored is what recordings
// and repairs give, a repair can be taken back, and an archive holds all of it.
import { expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { routeIndexes, workouts } from '../../src/db/schema.ts'
import { workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { NUMBER_NAMES } from '../../src/engine/numbers.ts'
import { voicesOf } from '../../src/engine/run/telling.ts'
import { numberColumns, previewColumn } from '../../src/library/add-workout.ts'
import { elevationOptions, runJob } from '../../src/library/inputs.ts'
import { areSplitsSaid, splitObjects } from '../../src/library/numbers.ts'
import { deriveRun } from '../../src/workers/derive.ts'
import { unpackTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { contentOf, exported, restored } from '../archive/archives.ts'
import { corpusFile, corpusTest } from '../corpus.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

/** SEQUENCES=500 for as many as the promises were once made with; each takes 0.3 s of a processor. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 30)
const GROUPS = 10
const STEPS = 4
/** A group takes 10 s; a busy machine takes its time. */
const PATIENCE_MS = 240_000

/** With and without positions, heart rate, barometer, timer and steps; short enough for 500 sequences. */
const FILES = [
  'fit/FR70-intervals-compressed-timestamps.fit',
  'fit/garmin-fenix-5-run.fit',
  'fit/2067489619.fit',
  'fit/10kUNLP2014-Garmin15-hr255.fit',
  'fit/2013-02-06-12-11-14.fit',
  'fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz',
  'gpx/hr-not-always-there.gpx',
  'gpx/garmin-connect.gpx',
] as const

interface Library {
  readonly app: TestApp
  readonly random: () => number
}

type Step = (library: Library) => Promise<void>

const WAYS_IN: readonly Step[] = [upload, rowThenFile, fileWithRow, fileThenRow]
const CHANGES: readonly Step[] = [edit, crop, crop, revert, cutAnew, scoreAnew, otherZones, otherUnit, throughArchive]

for (let group = 0; group < GROUPS; group += 1) {
  const first = (SEQUENCES / GROUPS) * group
  const name = `sequences ${first} to ${first + SEQUENCES / GROUPS - 1} keep what they promise`
  const kept = async () => {
    for (let seed = first; seed < first + SEQUENCES / GROUPS; seed += 1) await sequence(seed)
  }
  corpusTest(name, kept, PATIENCE_MS)
}

async function sequence(seed: number): Promise<void> {
  const random = seededRandom(seed + 1)
  await using app = await testApp()
  let library: Library = { app, random }
  const others: TestApp[] = []
  await one(library, WAYS_IN)(library)
  for (let k = 0; k < STEPS; k += 1) {
    const step = random() < 0.2 ? one(library, WAYS_IN) : one(library, CHANGES)
    if (step === throughArchive) {
      const other = await moved(library)
      others.push(other)
      library = { app: other, random }
    } else await step(library)
  }
  for (const id of ids(library)) {
    expectSettled(library, id, `seed ${seed}`)
    await expectSources(library, id, `seed ${seed}`)
    await expectTakenBack(library, id, `seed ${seed}`)
  }
  for (const other of others) await other.close()
}

function ids({ app }: Library): string[] {
  return app.deps.db
    .select({ id: workouts.id })
    .from(workouts)
    .orderBy(workouts.id)
    .all()
    .map(({ id }) => id)
}

function one<T>({ random }: Pick<Library, 'random'>, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!
}

/** (a) What is stored is what settling and analysing the stored recordings, repairs and inputs gives. */
function expectSettled({ app }: Library, id: string, said: string): void {
  const { db } = app.deps
  const job = runJob(db, id, elevationOptions(app.deps))!
  const { analysis, routeIndex, hasHeartRate } = deriveRun(job)
  const row = db.select().from(workouts).where(eq(workouts.id, id)).get()!
  expect(row, said).toMatchObject({
    ...numberColumns(analysis),
    routePreview: previewColumn(analysis.preview),
    hasTimeSeriesHr: hasHeartRate,
  })
  if (!areSplitsSaid(db, row)) expect(splitObjects(db, id), said).toEqual([...analysis.splits])
  expect(row.splitsCount, said).toBe(splitObjects(db, id).length)
  const efforts = db.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, id)).all()
  expect(
    efforts.map(({ distanceIndex, timeMs, startMs, implausibleReason }) => ({
      distanceIndex,
      timeMs,
      startMs,
      implausibleReason,
    })),
    said,
  ).toEqual([...analysis.bestEfforts])
  const index = db.select().from(routeIndexes).where(eq(routeIndexes.workoutId, id)).get()
  expect(index?.path === undefined ? null : Buffer.compare(index.path, routeIndex!.path), said).toBe(
    routeIndex === null ? null : 0,
  )
}

/** (d) Of every number that is not derived, the recording that is named says that value. */
async function expectSources({ app }: Library, id: string, said: string): Promise<void> {
  const { json, status, text } = await app.call('GET', `/workouts/${id}/sources`)
  expect(status, text).toBe(200)
  const { db } = app.deps
  const row = db.select().from(workouts).where(eq(workouts.id, id)).get()!
  const job = runJob(db, id, elevationOptions(app.deps))!
  const voices = job.recordings.map(({ kind, said, samples }) =>
    voicesOf({ kind, said, track: samples === null ? null : unpackTrack(samples) }, job),
  )
  for (const name of NUMBER_NAMES) {
    const { value, origin, recordingId } = json.numbers[name]
    expect(value, `${said} ${name}`).toBe(row[name])
    if (value === null || origin === 'derived') continue
    const of = voices[job.recordingIds.indexOf(recordingId)]
    expect(of?.filter((voice) => voice.name === name) ?? [], `${said} ${name}`).toContainEqual({ name, origin, value })
  }
}

/** (b) A crop that is taken back leaves nothing but the split unit and new ids of what no archive said. */
async function expectTakenBack(library: Library, id: string, said: string): Promise<void> {
  const { app, random } = library
  const active = (await app.call('GET', `/workouts/${id}/sources`)).json.repairs
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  if (active.some((repair: any) => repair.undoneAt === null)) return
  const { splitUnitM } = app.deps.db.select().from(workouts).where(eq(workouts.id, id)).get()!
  await app.call('PUT', '/settings/unit-preference', {
    json: { unitPreference: splitUnitM === 1000 ? 'metric' : 'imperial' },
  })
  const before = await whole(app, id)
  const { status } = await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: random() * 60 } })
  if (status !== 200) return
  expect((await app.call('POST', `/workouts/${id}/revert`)).status, said).toBe(200)
  expect(await whole(app, id), said).toEqual(before)
}

async function whole(app: TestApp, id: string) {
  const row = app.deps.db.select().from(workouts).where(eq(workouts.id, id)).get()
  const answers = []
  for (const path of ['', '/samples', '/time-series?pageSize=5000', '/similar-routes']) {
    answers.push((await app.call('GET', `/workouts/${id}${path}`)).json)
  }
  return { ...row, revision: 0, inputsRevision: 0, answers }
}

async function upload({ app, random }: Library): Promise<void> {
  const name = one({ random }, FILES)
  const fields = random() < 0.3 ? { unitPreference: 'imperial' } : {}
  const { status, text } = await app.upload('/workouts/import', [{ name, bytes: corpusFile(name) }], fields)
  expect(status, `${name}: ${text}`).toBe(200)
}

interface Told {
  readonly startedAt: string
  readonly durationS: number
  readonly distanceM: number
}

const told = new Map<string, Told>()

/** What a table would say of a file: its own start, duration and distance, and some numbers of its own. */
async function rowOf(name: string, random: () => number): Promise<Record<string, string | number>> {
  if (!told.has(name)) {
    await using app = await testApp()
    told.set(name, (await app.upload('/workouts/import', [{ name, bytes: corpusFile(name) }])).json)
  }
  const { startedAt, durationS, distanceM } = told.get(name)!
  const maybe = (title: string, value: number) => (random() < 0.5 ? { [title]: value } : {})
  return {
    'Activity ID': 1,
    'Activity Date': startedAt.replace('Z', '').replace('T', ' '),
    'Activity Name': `Row of ${name}`,
    'Activity Type': 'Run',
    'Elapsed Time': durationS,
    Distance: distanceM / 1000,
    ...maybe('Moving Time', durationS - 5),
    ...maybe('Average Heart Rate', 140 + Math.floor(random() * 20)),
    ...maybe('Max Heart Rate', 180),
    ...maybe('Calories', 400),
    ...maybe('Elevation Gain', 55.5),
    ...maybe('Average Cadence', 84),
    ...maybe('Max Speed', 5.25),
  }
}

async function bulk(app: TestApp, row: Record<string, string | number>, file: string | null): Promise<void> {
  const path = file === null ? '' : `activities/${file.split('/').at(-1)}`
  const files = file === null ? {} : { [path]: corpusFile(file) }
  const zip = zipUpload({ 'activities.csv': stravaCsv([{ ...row, Filename: path }]), ...files })
  const { json, status, text } = await app.upload('/workouts/import/bulk', [zip])
  expect({ status, errors: json.errors, text }).toMatchObject({ status: 200, errors: 0 })
}

async function rowThenFile({ app, random }: Library): Promise<void> {
  const name = one({ random }, FILES)
  const row = await rowOf(name, random)
  await bulk(app, row, null)
  if (random() < 0.5) await app.upload('/workouts/import', [{ name, bytes: corpusFile(name) }])
  else await bulk(app, row, name)
}

async function fileWithRow({ app, random }: Library): Promise<void> {
  const name = one({ random }, FILES)
  await bulk(app, await rowOf(name, random), name)
}

async function fileThenRow(library: Library): Promise<void> {
  const name = one(library, FILES)
  const { status } = await library.app.upload('/workouts/import', [{ name, bytes: corpusFile(name) }])
  expect(status).toBe(200)
  await bulk(library.app, await rowOf(name, library.random), name)
}

async function edit(library: Library): Promise<void> {
  const name = library.random() < 0.5 ? null : 'Renamed'
  await library.app.call('PATCH', `/workouts/${one(library, ids(library))}`, { json: { name, rpe: 5 } })
}

/** What cannot be cropped is refused. */
async function crop(library: Library): Promise<void> {
  const { app, random } = library
  const json = { removeFromStartSeconds: Math.floor(random() * 90), removeFromEndSeconds: random() * 60 }
  const { status } = await app.call('POST', `/workouts/${one(library, ids(library))}/crop`, { json })
  expect([200, 400]).toContain(status)
}

async function revert(library: Library): Promise<void> {
  const { status } = await library.app.call('POST', `/workouts/${one(library, ids(library))}/revert`)
  expect([200, 400]).toContain(status)
}

async function cutAnew(library: Library): Promise<void> {
  await library.app.call('POST', `/workouts/${one(library, ids(library))}/recalculate-splits`)
}

async function scoreAnew({ app, random }: Library): Promise<void> {
  const json = { calculationMethod: 'AgeBased', age: 20 + Math.floor(random() * 50) }
  await app.call('PUT', '/settings/heart-rate-zones', { json })
  expect((await app.call('POST', '/workouts/recalculate-relative-effort')).status).toBe(200)
}

/** Storing zones scores nothing, unless asked to. */
async function otherZones({ app, random }: Library): Promise<void> {
  const json = {
    calculationMethod: 'AgeBased',
    age: 20 + Math.floor(random() * 50),
    recalculateExisting: random() < 0.5,
  }
  expect((await app.call('POST', '/settings/heart-rate-zones/update-with-recalc', { json })).status).toBe(200)
}

async function otherUnit({ app, random }: Library): Promise<void> {
  await app.call('PUT', '/settings/unit-preference', {
    json: { unitPreference: one({ random }, ['metric', 'imperial']) },
  })
}

/** Stands for `moved` among the changes. */
async function throughArchive(): Promise<void> {}

/** (c) Export, restore, export: every file of the archive is equal. */
async function moved({ app }: Library): Promise<TestApp> {
  const other = await testApp()
  const answer = await restored(other, await exported(app))
  expect(answer.json).toMatchObject({ success: true, errors: [] })
  expect(await contentOf(other)).toEqual(await contentOf(app))
  return other
}
