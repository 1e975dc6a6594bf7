// What a runner may do, by chance: each step may be refused, none may fail.
import { cleanUp } from '../../../src/commands/jobs.ts'
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
  ...['fit/FR70-intervals-compressed-timestamps.fit', 'fit/garmin-fenix-5-run.fit', 'fit/2067489619.fit'],
  ...['fit/10kUNLP2014-Garmin15-hr255.fit', 'fit/2013-02-06-12-11-14.fit', 'gpx/garmin-connect.gpx'],
  ...['fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz', 'gpx/hr-not-always-there.gpx'],
]

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

/** A split or a join makes what was cut out before part of the run: a revert does not bring it back. */
function settled({ known, cut, removed }: Library, ids: readonly string[]): void {
  for (const { place } of ids.flatMap((id) => known.get(id) ?? [])) if (cut.has(place)) removed.add(place)
}

const stretch = (random: () => number, { durationS }: Listed) => {
  const fromElapsedS = Math.floor(random() * durationS)
  return { fromElapsedS, toElapsedS: fromElapsedS + 5 + Math.floor(random() * 60) }
}

/** Runs in the trash go permanently: of their files nothing is asked any more, unless live runs have all of them. */
async function forgotten(library: Library, ids: readonly string[]): Promise<void> {
  const counted = [...(await liveStretches(library.app)).values()].flat()
  for (const gone of ids.flatMap((id) => library.known.get(id) ?? [])) {
    if (uncoveredM(gone, counted) > 0.1) library.removed.add(gone.place)
  }
}

type OfRun = (random: () => number, run: Listed) => object

/** Calls of a run of the library, with their weights. */
const RUN_CALLS: Readonly<Record<string, readonly [weight: number, call: string, body: OfRun]>> = {
  edit: [3, 'PATCH ', (random) => ({ name: `Named ${random()}`, rpe: 1 + Math.floor(random() * 10) })],
  crop: [
    2,
    'POST /crop',
    (random) => ({ removeFromStartSeconds: Math.floor(random() * 40), removeFromEndSeconds: random() * 20 }),
  ],
  cut: [2, 'POST /cut', (random, run) => ({ ...stretch(random, run), closeGap: random() < 0.5 })],
  mend: [1, 'POST /mend', (random, run) => ({ ...stretch(random, run), channel: 'heartRate', fill: 'gap' })],
  shift: [1, 'POST /shift', (random) => (random() < 0.5 ? { offsetSeconds: 30 } : { timeZone: 'Asia/Tokyo' })],
  'say the distance': [
    1,
    'POST /distance',
    (random, { distanceM }) => ({ distanceM: distanceM * (0.8 + random() * 0.4) }),
  ],
  revert: [1, 'POST /revert', () => ({})],
  split: [
    4,
    'POST /split',
    (random, { durationS }) => {
      const at = [durationS * (0.2 + random() * 0.2), durationS * (0.5 + random() * 0.3)]
      return { atElapsedS: random() < 0.5 ? at : at.slice(1) }
    },
  ],
  'recalculate its splits': [0.5, 'POST /recalculate-splits', () => ({})],
  'recalculate its effort': [0.5, 'POST /recalculate-effort', () => ({})],
  'delete a run': [2, 'DELETE ', () => ({})],
  'delete a run for good': [0.5, 'DELETE ?forever=true', () => ({})],
}

/** What else is to be noted of a call of a run. */
const noted = (library: Library, name: string, id: string) => {
  const places = (library.known.get(id) ?? []).map(({ place }) => place)
  if (name === 'crop' || name === 'cut') for (const place of places) library.cut.add(place)
  if (name === 'split') settled(library, [id])
  if (name === 'delete a run for good') for (const place of places) library.removed.add(place)
}

type Step = (library: Library) => Promise<unknown>

/** How often each is done, beside the others; absent: 1. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'import a file': 4,
  'import two files': 2,
  'import a file again': 2,
  'add a photo, or take one away': 2,
  join: 5,
  'undo or redo': 9,
  'restore from the trash': 3,
  'let the time for undoing pass': 0.3,
}

const OTHERS: Readonly<Record<string, Step>> = {
  'import a file': (library) => made(library, library.files.size),
  'import two files': (library) => made(library, library.files.size, library.files.size + 1),
  'import a file again': (library) => made(library, one(library, [...library.files])!),
  'import a real file': async (library) => {
    const name = one(library, REAL_FILES)!
    if (corpusDir !== null) await uploaded(library, { name, bytes: corpusFile(name) })
  },
  'import a run indoors': (library) => uploaded(library, indoorFile(Math.floor(library.random() * 20))),
  'import a row, then its file': async (library) => {
    const { place, startMs, seconds, wholeM } = madeFile(library.files.size)
    const day = new Date(startMs).toISOString().slice(0, 19).replace('T', ' ')
    const row = { 'Activity ID': place, 'Activity Date': day, 'Activity Type': 'Run' }
    const csv = stravaCsv([{ ...row, 'Elapsed Time': seconds, Distance: wholeM / 1000 }])
    await library.app.upload('/workouts/import', [{ name: 'activities.csv', bytes: csv }])
    // when its import is undone, the row stays
    library.removed.add(place)
    await made(library, place)
  },
  'edit in bulk': (library) => called(library, 'POST /workouts/bulk-edit', { filter: {}, set: { notesAppend: 'n' } }),
  'put on a shoe': async (library) => {
    const { json } = await called(library, 'POST /shoes', { brand: 'B', model: `M${library.random()}` })
    const run = one(library, await live(library.app))
    if (run) await called(library, `PATCH /workouts/${run.id}`, { shoeId: json.id })
  },
  'delete a shoe': async (library) => {
    const shoe = one<{ id: string }>(library, await done(library.app, 'GET /shoes'))
    if (shoe) await called(library, `DELETE /shoes/${shoe.id}`)
  },
  'add a photo, or take one away': async (library) => {
    const path = `/workouts/${one(library, await live(library.app))?.id}/media`
    const photo = one<{ id: string }>(library, (await asked(library.app, `GET ${path}`)).json ?? [])
    const bytes = jpeg(100 + Math.floor(library.random() * 500))
    if (photo?.id === undefined) await library.app.upload(path, [{ name: 'a.jpg', bytes }])
    else await called(library, `DELETE ${path}/${photo.id}`)
  },
  join: async (library) => {
    const runs = await live(library.app)
    const first = Math.max(0, Math.floor(library.random() * (runs.length - 1)))
    const ids = runs.slice(first, first + 2).map(({ id }) => id)
    if (ids.length < 2) return
    settled(library, ids)
    await called(library, 'POST /workouts/join', { ids, gap: one(library, ['pause', 'straight', 'none']) })
  },
  'undo or redo': async (library) => {
    // mostly one of the latest
    const place = Math.floor(library.random() ** 3 * library.receipts.length)
    const receipt = library.receipts.at(-1 - place)
    const force = library.random() < 0.3
    if (receipt !== undefined) await called(library, `POST /receipts/${receipt}/undo`, { force })
  },
  'restore from the trash': async (library) => {
    const gone = one(library, await trashed(library.app))
    if (gone) await called(library, `POST /trash/${gone.workoutId}/restore`)
  },
  'remove from the trash': async (library) => {
    const gone = one(library, await trashed(library.app))
    if (!gone) return
    await forgotten(library, [gone.workoutId])
    await called(library, `DELETE /trash/${gone.workoutId}`)
  },
  'let the time for undoing pass': async (library) => {
    const ids = (await trashed(library.app)).map(({ workoutId }) => workoutId)
    await forgotten(library, ids)
    library.app.pass(31 * DAY_MS)
    await cleanUp(library.app.deps)
  },
  'store other zones': (library) =>
    called(library, 'POST /settings/heart-rate-zones/update-with-recalc', {
      ...{ calculationMethod: 'AgeBased', age: 20 + Math.floor(library.random() * 50) },
      recalculateExisting: library.random() < 0.7,
    }),
  'choose a unit': (library) =>
    called(library, 'PUT /settings/unit-preference', { unitPreference: one(library, ['metric', 'imperial']) }),
  'recalculate all': (library) => {
    const paths = ['workouts/recalculate-splits', 'workouts/recalculate-relative-effort']
    return called(library, `POST /${one(library, [...paths, 'stats/best-efforts/recalculate'])}`)
  },
}

const STEPS: readonly (readonly [name: string, weight: number, step: Step])[] = [
  ...Object.entries(OTHERS).map(([name, step]) => [name, WEIGHTS[name] ?? 1, step] as const),
  ...Object.entries(RUN_CALLS).map(([name, [weight, call, body]]) => {
    const step: Step = async (library) => {
      const run = one(library, await live(library.app))
      if (!run) return
      noted(library, name, run.id)
      const [method, path] = call.split(' ')
      const sent = method === 'DELETE' ? undefined : body(library.random, run)
      await called(library, `${method} /workouts/${run.id}${path}`, sent)
    }
    return [name, weight, step] as const
  }),
]
const WEIGHT = STEPS.reduce((sum, [, weight]) => sum + weight, 0)

/** @param begun called with what is about to be done */
export async function step(library: Library, begun: (name: string) => void): Promise<void> {
  let at = library.random() * WEIGHT
  for (const [name, weight, doStep] of STEPS) {
    at -= weight
    if (at > 0) continue
    begun(name)
    return void (await doStep(library))
  }
  throw new RangeError('No step')
}
