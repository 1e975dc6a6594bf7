// What a runner may do, in seeded orders: whatever came before, no metre is lost or counts twice, nothing fails, every number
// is what its recordings give, and an archive holds all of it.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../src/commands/jobs.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { type TestApp, testApp } from '../app.ts'
import { contentOf, exported, restored } from '../archive/archives.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { butUpdated } from '../fixtures/updated.ts'
import { danglingRows, setRows } from './as-stored.ts'
import { NEVER } from './falsified.ts'
import { asked, done, live, trashed } from './ledger.ts'
import { type Library, made, step } from './sequences/steps.ts'
import { expectOnce, liveStretches, madeFile, type Stretch, uncoveredM } from './sequences/stretches.ts'

/**
 * SEQUENCES=500 for as many as the promises were made with, FIRST=137 to begin with another seed, CLIENTS=4 for so many at
 * the same time; each takes half a second of a processor.
 */
const SEQUENCES = Number(process.env.SEQUENCES ?? 30)
const FIRST = Number(process.env.FIRST ?? 0)
const CLIENTS = Number(process.env.CLIENTS ?? 1)
const STEPS = 16
const MINUTE_MS = 60_000

test(
  `${SEQUENCES} sequences of ${STEPS} steps keep what they promise`,
  async () => {
    for (let seed = FIRST; seed < FIRST + SEQUENCES; seed += 1) await sequence(seed)
  },
  SEQUENCES * MINUTE_MS,
)

async function sequence(seed: number): Promise<void> {
  await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
  const places = { files: new Set<number>(), cut: new Set<number>(), removed: new Set<number>() }
  const library: Library = { app, random: seededRandom(seed + 1), ...places, known: new Map(), receipts: [] }
  await done(app, 'PUT /settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 40 })
  await made(library, 0, 1)
  await expectCounted(library)
  const steps: string[] = []
  try {
    for (let k = 0; k < STEPS; k += CLIENTS) {
      await Promise.all(
        Array.from({ length: CLIENTS }, () => step(library, (name) => steps.push(name)).catch(isOvertaken)),
      )
      await expectCounted(library)
    }
    await expectFiles(app)
    await expectSums(app)
    await expectSources(app)
    await expectReceipts(app)
    if (seed % 2 === 0) await expectDerived(app)
    else await expectRecalculated(app)
    if (seed % 5 === 0) await expectArchived(app)
    await expectNothingLost(library)
  } catch (cause) {
    throw new Error(`Seed ${seed}, ${steps.join(', ')}\n${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** What one of several clients looks at, another may have deleted. */
function isOvertaken(error: Error): void {
  if (CLIENTS === 1 || !/not found|was deleted while/.test(error.message)) throw error
}

/** Live runs count each metre once; where each run is, is noted for when it is not live any more. */
async function expectCounted({ app, known }: Library): Promise<void> {
  const stretches = await liveStretches(app)
  for (const [id, of] of stretches) known.set(id, of)
  expectOnce(stretches)
}

/** Every file on disk is named by something, and every named file is there. */
async function expectFiles(app: TestApp): Promise<void> {
  await cleanUp(app.deps, { olderThanMs: Date.now() + MINUTE_MS })
  const { found, missing } = await done(app, 'GET /settings/files')
  expect({ found: found.count, missing: missing.files }).toEqual({ found: 0, missing: [] })
}

/** What is added up over the library is the sum of its runs. */
async function expectSums(app: TestApp): Promise<void> {
  const runs = await live(app)
  for (const { id } of await done(app, 'GET /shoes')) {
    const sumM = runs.reduce((sum, { shoeId, distanceM }) => sum + (shoeId === id ? distanceM : 0), 0)
    const { totalMileage } = await done(app, `GET /shoes/${id}/mileage?unitPreference=metric`)
    expect(totalMileage).toBeCloseTo(sumM / 1000, 6)
  }
  expect(danglingRows(app.deps)).toEqual([])
}

/** What the sources say of a number is what the run says, and who says it is one of its recordings. */
async function expectSources(app: TestApp): Promise<void> {
  for (const { id } of await live(app)) {
    const run = await done(app, `GET /workouts/${id}?includeRaw=false`)
    const { numbers, recordings } = await done(app, `GET /workouts/${id}/sources`)
    const ids = recordings.map((recording: { id: string }) => recording.id)
    for (const [name, { value, origin, recordingId }] of Object.entries<Source>(numbers)) {
      const isKnown = value === null || origin === 'derived' || origin === 'runner' || ids.includes(recordingId)
      expect([id, name, value, isKnown]).toEqual([id, name, run[name], true])
    }
  }
}

interface Source {
  readonly value: unknown
  readonly origin: string
  readonly recordingId: string | null
}

const WHY_KEPT =
  /^(It belongs to a run that stays: )?(It was edited later|The same run is stored again|The run no longer exists|It was added again)/

/** What a receipt offers to undo is there, and is undone unless something has changed since. */
async function expectReceipts(app: TestApp): Promise<void> {
  const gone = (await trashed(app)).map(({ workoutId }) => workoutId)
  const there = new Set([...(await live(app)).map(({ id }) => id), ...gone])
  const { items: receipts } = await done(app, 'GET /receipts?pageSize=100')
  for (const { id, title } of receipts) {
    const { items } = await done(app, `GET /receipts/${id}?pageSize=100`)
    const all: readonly { canUndo: boolean; workoutId: string | null }[] = items.items
    const open = all.filter(({ canUndo }) => canUndo)
    const lost = open.filter(({ workoutId }) => workoutId !== null && !there.has(workoutId))
    expect({ title, lost }).toEqual({ title, lost: [] })
    if (open.length === 0) continue
    const { status, json } = await asked(app, `POST /receipts/${id}/undo`, { dryRun: true })
    expect({ title, status, isMore: json.undone > open.length }).toEqual({ title, status: 200, isMore: false })
    for (const { workoutId, reason } of json.kept) {
      const isOpen = open.some((item) => item.workoutId === workoutId)
      if (isOpen) expect([title, reason]).toEqual([title, expect.stringMatching(WHY_KEPT)])
    }
  }
}

/** Everything that is answered of a run. */
async function answersOf(app: TestApp, id: string) {
  const answers: Record<string, unknown> = {}
  for (const path of ['', '/samples', '/best-efforts', '/similar-routes', '/training']) {
    answers[path] = (await asked(app, `GET /workouts/${id}${path}`)).json
  }
  return butUpdated({ ...answers, numbers: (await done(app, `GET /workouts/${id}/sources`)).numbers })
}

async function everything(app: TestApp) {
  const runs = []
  for (const { id } of await live(app)) runs.push(await answersOf(app, id))
  return { runs, efforts: await done(app, 'GET /stats/best-efforts') }
}

/** Derived again from what was recorded, every number is the same. */
async function expectDerived(app: TestApp): Promise<void> {
  const before = await everything(app)
  setRows(app.deps, 'workout', { engine_version: 0 })
  await upgradeWorkouts(app.deps, NEVER)
  expect(await everything(app)).toEqual(before)
}

/** So it is when it is recalculated by hand a second time. */
async function expectRecalculated(app: TestApp): Promise<void> {
  const recalculated = async () => {
    await done(app, 'POST /workouts/recalculate-splits')
    await done(app, 'POST /workouts/recalculate-relative-effort')
    await done(app, 'POST /stats/best-efforts/recalculate')
    return await everything(app)
  }
  expect(await recalculated()).toEqual(await recalculated())
}

/** Export, restore, export: every file of the archive is equal. */
async function expectArchived(app: TestApp): Promise<void> {
  await using other = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
  other.clock.nowMs = app.clock.nowMs
  expect((await restored(other, await exported(app))).json).toMatchObject({ success: true, errors: [], warnings: [] })
  const [before, after] = [await contentOf(app), await contentOf(other)]
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
  for (const [name, text] of before) expect(`${name}: ${shownFrom(text, after.get(name)!)}`).toBe(`${name}: `)
}

/** Where two texts differ, and a little of both; empty when they do not. */
function shownFrom(before: string, after: string): string {
  if (before === after) return ''
  let at = 0
  while (before[at] === after[at]) at += 1
  return [before, after].map((text) => text.slice(Math.max(0, at - 120), at + 80)).join(' now ')
}

/** With the trash emptied into the library and all repairs reverted, every file is there as it came. */
async function expectNothingLost({ app, files, removed, cut, known }: Library): Promise<void> {
  const inTrash: Stretch[] = []
  for (const { workoutId } of await trashed(app)) {
    const { status, json } = await asked(app, `POST /trash/${workoutId}/restore`)
    if (status === 200) continue
    expect([status, json.error]).toEqual([400, 'The same run is stored again'])
    inTrash.push(...(known.get(workoutId) ?? []))
  }
  for (const { id } of await live(app)) await asked(app, `POST /workouts/${id}/revert`, {})
  const stretches = await liveStretches(app)
  expectOnce(stretches)
  const counted = [...inTrash, ...[...stretches.values()].flat()]
  for (const place of files) {
    // whether a split of another client was before or after the cut is not known
    const isCut = cut.has(place) && (CLIENTS > 1 || inTrash.some((one) => one.place === place))
    const lostM =
      removed.has(place) || isCut ? 0 : uncoveredM({ place, fromM: 0, toM: madeFile(place).wholeM }, counted)
    // ends of parts meet to within a few centimetres
    expect({ place, lostM: lostM < 1 ? 0 : lostM }).toEqual({ place, lostM: 0 })
  }
}
