// What a runner may do, by chance: each step may be refused, none may fail.
import { cleanUp } from '../../../src/jobs.ts'
import { purgeUndo } from '../../../src/library/purge.ts'
import type { Answer, TestApp, TestFile } from '../../app.ts'
import { corpusDir, corpusFile } from '../../corpus.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { jpeg } from '../../fixtures/media.ts'
import { asked, done, type Listed, live, trashed } from '../ledger.ts'
import { indoorFile, liveStretches, madeFile, type Stretch, uncoveredM } from './stretches.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Of real watches, with and without positions, heart rate, barometer, timer and steps; none of them long. */
const REAL_FILES = [
  'fit/FR70-intervals-compressed-timestamps.fit',
  'fit/garmin-fenix-5-run.fit',
  'fit/2067489619.fit',
  'fit/10kUNLP2014-Garmin15-hr255.fit',
  'fit/2013-02-06-12-11-14.fit',
  'fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz',
  'gpx/hr-not-always-there.gpx',
  'gpx/garmin-connect.gpx',
] as const

export interface Library {
  readonly app: TestApp
  readonly random: () => number
  /** Files that were imported. */
  readonly files: Set<number>
  /** Files of which a stretch was cut out, at one time or another. */
  readonly cut: Set<number>
  /** Files of which a stretch was removed permanently: what is left of them is not asked. */
  readonly removed: Set<number>
  /** Where runs that are no longer live were when they last were. */
  readonly known: Map<string, readonly Stretch[]>
  readonly receipts: string[]
}

type Step = (library: Library) => Promise<unknown>

export function one<T>({ random }: Pick<Library, 'random'>, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)]
}

async function called(library: Library, call: string, json?: object): Promise<Answer> {
  const answer = await asked(library.app, call, json)
  const receipt = answer.headers.get('harrier-receipt')
  if (receipt !== null) library.receipts.push(receipt)
  library.app.pass(MINUTE_MS)
  return answer
}

async function uploaded({ app, receipts }: Library, ...files: readonly TestFile[]): Promise<void> {
  const { json, text, status } = await app.upload('/workouts/import', files)
  if (status !== 200) throw new Error(text)
  if (json.receiptId !== null) receipts.push(json.receiptId)
}

/** Files of these numbers, in one call. */
export async function made(library: Library, ...places: readonly number[]): Promise<void> {
  await uploaded(library, ...places.map(madeFile))
  for (const place of places) library.files.add(place)
}

/** A run of the library; null in an empty one. */
async function run(library: Library): Promise<Listed | null> {
  return one(library, await live(library.app)) ?? null
}

/** A step on one run. */
const onRun =
  (step: (library: Library, run: Listed) => Promise<unknown>): Step =>
  async (library) => {
    const chosen = await run(library)
    if (chosen !== null) await step(library, chosen)
  }

const cutting = (path: string, body: (random: () => number, run: Listed) => object) =>
  onRun(async (library, run) => {
    for (const { place } of library.known.get(run.id) ?? []) library.cut.add(place)
    await called(library, `POST /workouts/${run.id}/${path}`, body(library.random, run))
  })

const repair = (path: string, body: (random: () => number, run: Listed) => object) =>
  onRun((library, { id, ...rest }) =>
    called(library, `POST /workouts/${id}/${path}`, body(library.random, { id, ...rest })),
  )

/** A split or a join makes what was cut out before part of the run: a revert does not bring it back. */
function settled({ known, cut, removed }: Library, ids: readonly string[]): void {
  for (const { place } of ids.flatMap((id) => known.get(id) ?? [])) if (cut.has(place)) removed.add(place)
}

const stretch = (random: () => number, { durationS }: Listed) => {
  const fromElapsedS = Math.floor(random() * durationS)
  return { fromElapsedS, toElapsedS: fromElapsedS + 5 + Math.floor(random() * 60) }
}

const STEPS: Readonly<Record<string, readonly [number, Step]>> = {
  'import a file': [4, (library) => made(library, library.files.size)],
  'import two files': [2, (library) => made(library, library.files.size, library.files.size + 1)],
  'import a file again': [
    2,
    async (library) => {
      const place = one(library, [...library.files])
      if (place !== undefined) await made(library, place)
    },
  ],
  'import a real file': [
    1,
    async (library) => {
      const name = one(library, REAL_FILES)!
      if (corpusDir !== null) await uploaded(library, { name, bytes: corpusFile(name) })
    },
  ],
  'import a run indoors': [1, (library) => uploaded(library, indoorFile(Math.floor(library.random() * 20)))],
  'import a row, then its file': [
    1,
    async (library) => {
      const { place, startMs, seconds, wholeM } = madeFile(library.files.size)
      const row = {
        'Activity ID': place,
        'Activity Date': new Date(startMs).toISOString().slice(0, 19).replace('T', ' '),
      }
      const csv = stravaCsv([{ ...row, 'Activity Type': 'Run', 'Elapsed Time': seconds, Distance: wholeM / 1000 }])
      await library.app.upload('/workouts/import', [{ name: 'activities.csv', bytes: csv }])
      // when its import is undone, the row stays
      library.removed.add(place)
      await made(library, place)
    },
  ],
  edit: [
    3,
    onRun((library, { id }) => {
      const words = { name: `Named ${Math.floor(library.random() * 100)}`, rpe: 1 + Math.floor(library.random() * 10) }
      return called(library, `PATCH /workouts/${id}`, words)
    }),
  ],
  'edit in bulk': [
    1,
    (library) => called(library, 'POST /workouts/bulk-edit', { filter: {}, set: { notesAppend: 'n' } }),
  ],
  'put on a shoe': [
    1,
    onRun(async (library, { id }) => {
      const { json } = await called(library, 'POST /shoes', { brand: 'B', model: `M${library.random()}` })
      await called(library, `PATCH /workouts/${id}`, { shoeId: json.id })
    }),
  ],
  'delete a shoe': [
    1,
    async (library) => {
      const shoe = one<{ id: string }>(library, await done(library.app, 'GET /shoes'))
      if (shoe) await called(library, `DELETE /shoes/${shoe.id}`)
    },
  ],
  'add a photo': [
    1,
    onRun(({ app, random }, { id }) =>
      app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(100 + Math.floor(random() * 500)) }]),
    ),
  ],
  'take a photo away': [
    1,
    onRun(async (library, { id }) => {
      const photo = one<{ id: string }>(library, await done(library.app, `GET /workouts/${id}/media`))
      if (photo) await called(library, `DELETE /workouts/${id}/media/${photo.id}`)
    }),
  ],
  crop: [
    2,
    cutting('crop', (random) => ({
      removeFromStartSeconds: Math.floor(random() * 40),
      removeFromEndSeconds: random() * 20,
    })),
  ],
  cut: [2, cutting('cut', (random, of) => ({ ...stretch(random, of), closeGap: random() < 0.5 }))],
  mend: [1, repair('mend', (random, of) => ({ ...stretch(random, of), channel: 'heartRate', fill: 'gap' }))],
  shift: [1, repair('shift', (random) => (random() < 0.5 ? { offsetSeconds: 30 } : { timeZone: 'Asia/Tokyo' }))],
  'say the distance': [
    1,
    repair('distance', (random, { distanceM }) => ({ distanceM: distanceM * (0.8 + random() * 0.4) })),
  ],
  revert: [1, repair('revert', () => ({}))],
  split: [
    4,
    onRun(async (library, { id, durationS }) => {
      const { random } = library
      settled(library, [id])
      const atElapsedS = [durationS * (0.2 + random() * 0.2), durationS * (0.5 + random() * 0.3)]
      const parts = random() < 0.5 ? atElapsedS : atElapsedS.slice(1)
      await called(library, `POST /workouts/${id}/split`, { atElapsedS: parts })
    }),
  ],
  join: [
    5,
    async (library) => {
      const runs = await live(library.app)
      const first = Math.floor(library.random() * (runs.length - 1))
      const ids = runs.slice(Math.max(0, first), Math.max(0, first) + 2).map(({ id }) => id)
      const gap = one(library, ['pause', 'straight', 'none'])
      if (ids.length < 2) return
      settled(library, ids)
      await called(library, 'POST /workouts/join', { ids, gap })
    },
  ],
  'undo or redo': [
    9,
    async (library) => {
      // mostly one of the latest
      const place = Math.floor(library.random() ** 3 * library.receipts.length)
      const receipt = library.receipts.at(-1 - place)
      if (receipt !== undefined)
        await called(library, `POST /receipts/${receipt}/undo`, { force: library.random() < 0.3 })
    },
  ],
  'delete a run': [2, onRun((library, { id }) => called(library, `DELETE /workouts/${id}`))],
  'delete a run for good': [
    0.5,
    onRun(async (library, { id }) => {
      for (const { place } of library.known.get(id) ?? []) library.removed.add(place)
      await called(library, `DELETE /workouts/${id}?forever=true`)
    }),
  ],
  'restore from the trash': [
    3,
    async (library) => {
      const gone = one(library, await trashed(library.app))
      if (gone !== undefined) await called(library, `POST /trash/${gone.workoutId}/restore`)
    },
  ],
  'remove from the trash': [
    1,
    async (library) => {
      const gone = one(library, await trashed(library.app))
      if (gone === undefined) return
      await forgotten(library, [gone.workoutId])
      await called(library, `DELETE /trash/${gone.workoutId}`)
    },
  ],
  'let the time for undoing pass': [
    0.3,
    async (library) => {
      await forgotten(
        library,
        (await trashed(library.app)).map(({ workoutId }) => workoutId),
      )
      // a longer pause would count as a leap of the clock
      for (let day = 0; day < 31; day += 1) {
        library.app.pass(DAY_MS)
        await purgeUndo(library.app.deps)
      }
      await cleanUp(library.app.deps)
    },
  ],
  'store other zones': [
    1,
    (library) =>
      called(library, 'POST /settings/heart-rate-zones/update-with-recalc', {
        ...{ calculationMethod: 'AgeBased', age: 20 + Math.floor(library.random() * 50) },
        recalculateExisting: library.random() < 0.7,
      }),
  ],
  'choose a unit': [
    1,
    (library) =>
      called(library, 'PUT /settings/unit-preference', { unitPreference: one(library, ['metric', 'imperial']) }),
  ],
  recalculate: [
    2,
    onRun((library, { id }) => {
      const ofOne = ['recalculate-splits', 'recalculate-effort'].map((name) => `POST /workouts/${id}/${name}`)
      const ofAll = ['/workouts/recalculate-splits', '/workouts/recalculate-relative-effort'].map(
        (path) => `POST ${path}`,
      )
      return called(library, one(library, [...ofOne, ...ofAll, 'POST /stats/best-efforts/recalculate'])!)
    }),
  ],
}

/** Runs in the trash go permanently: of their files nothing is asked any more, unless live runs have all of them. */
async function forgotten(library: Library, ids: readonly string[]): Promise<void> {
  const counted = [...(await liveStretches(library.app)).values()].flat()
  for (const id of ids) {
    for (const gone of library.known.get(id) ?? []) {
      if (uncoveredM(gone, counted) > 0.1) library.removed.add(gone.place)
    }
  }
}

const WEIGHT = Object.values(STEPS).reduce((sum, [weight]) => sum + weight, 0)

/** @param begun called with what is about to be done */
export async function step(library: Library, begun: (name: string) => void): Promise<void> {
  let at = library.random() * WEIGHT
  for (const [name, [weight, doStep]] of Object.entries(STEPS)) {
    at -= weight
    if (at > 0) continue
    begun(name)
    return void (await doStep(library))
  }
  throw new RangeError('No step')
}
