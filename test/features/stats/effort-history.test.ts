// Ranks, medals and progress of efforts, held against a brute force over everything that is stored.
import { beforeEach, expect, test } from 'bun:test'
import { isoTime } from '../../../src/engine/calendar/timestamp.ts'
import { STANDARD_DISTANCES } from '../../../src/engine/run/best-efforts.ts'
import { statsRoutes } from '../../../src/features/stats/routes.ts'
import { runEfforts } from '../../../src/features/workouts/efforts/ranks.ts'
import { effortsInOrder } from '../../../src/library/effort-ranks.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { addWorkout, type FeatureApp, featureApp, NOW_MS } from '../../library/feature-app.ts'
import { addArchived, addEffort, runId, sayRecord } from './library.ts'

const DAY_MS = 86_400_000
const RUNS = 150
const [FIVE, TEN] = [5, 6]

interface Known {
  readonly id: string
  readonly startedAtMs: number
  readonly offset: number | null
  readonly leftOut: boolean
  readonly times: { readonly distanceIndex: number; readonly timeMs: number; readonly counts: boolean }[]
}

let app: FeatureApp
let known: Known[]

beforeEach(() => {
  app = featureApp(statsRoutes)
  known = library()
})

/** Runs of five years at 5K and 10K: some impossible, some with a word of the runner, some of an archive, some left out. */
function library(): Known[] {
  const random = seededRandom(77)
  return Array.from({ length: RUNS }, (_, n) => {
    const id = runId(n)
    const startedAtMs = NOW_MS - Math.floor(random() * 5 * 365) * DAY_MS - n * 1000
    const offset = random() < 0.2 ? null : [-480, 0, 60, 780][Math.floor(random() * 4)]!
    const leftOut = random() < 0.1
    addWorkout(app.deps, { id, startedAt: startedAtMs, utcOffsetMinutes: offset, leftOut })
    const times = [FIVE, TEN].flatMap((distanceIndex) => {
      const seconds = Math.floor((distanceIndex === FIVE ? 1200 : 2600) + random() * 40)
      const reason = random() < 0.1 ? 'gap' : null
      const word = random() < 0.1 ? random() < 0.5 : null
      const of = { id, index: distanceIndex }
      if (word !== null) sayRecord(app.deps, of, word)
      const own = { timeMs: seconds * 1000, counts: !leftOut && (word ?? reason === null) }
      const archived = { timeMs: (seconds + Math.floor(random() * 20) - 10) * 1000, counts: !leftOut && (word ?? true) }
      const isArchived = random() < 0.2
      if (isArchived) addArchived(app.deps, { ...of, timeMs: archived.timeMs })
      addEffort(app.deps, { ...of, timeMs: own.timeMs }, reason)
      return [own, ...(isArchived ? [archived] : [])].map((effort) => ({ distanceIndex, ...effort }))
    })
    return { id, startedAtMs, offset, leftOut, times }
  })
}

/** Of each run the fastest that counts, fastest first. */
function ranked(distanceIndex: number, runs: readonly Known[] = known) {
  return runs
    .flatMap((run) => {
      const counting = run.times.filter((time) => time.distanceIndex === distanceIndex && time.counts)
      const times = counting.map(({ timeMs }) => timeMs)
      return times.length === 0 ? [] : [{ run, timeMs: Math.min(...times) }]
    })
    .toSorted((a, b) => a.timeMs - b.timeMs || a.run.startedAtMs - b.run.startedAtMs || (a.run.id < b.run.id ? -1 : 1))
}

const yearOf = ({ startedAtMs, offset }: Known) => new Date(startedAtMs + (offset ?? 0) * 60_000).getUTCFullYear()
const stated = ({ run, timeMs }: { run: Known; timeMs: number }) => {
  const { id: workoutId, startedAtMs, offset: utcOffsetMinutes } = run
  const workoutDate = isoTime(startedAtMs)
  return { timeS: timeMs / 1000, timeMs, workoutId, workoutDate, utcOffsetMinutes, isRaceResult: false }
}

test('an effort of a run is ranked among all runs and those of its year', () => {
  for (const run of known) {
    const { year, distances } = runEfforts(app.deps.db, run.id)
    expect(year).toBe(yearOf(run))
    expect(distances.map(({ distance }) => distance)).toEqual(['5K', '10K'])
    for (const effort of distances) {
      const index = STANDARD_DISTANCES.findIndex(({ distanceM }) => distanceM === effort.distanceM)
      const faster = (others: ReturnType<typeof ranked>) =>
        others.filter(
          (other) =>
            other.run.id !== run.id &&
            (other.timeMs < effort.timeMs ||
              (other.timeMs === effort.timeMs && other.run.startedAtMs < run.startedAtMs)),
        ).length
      const ever = faster(ranked(index))
      const sameYear = known.filter((other) => yearOf(other) === year)
      const ranks = [ever < 100 ? ever + 1 : null, faster(ranked(index, sameYear)) + 1]
      expect([effort.rankEver, effort.rankYear]).toEqual(effort.counts ? ranks : [null, null])
      const best = ranked(index).find((other) => other.run.id !== run.id)!
      const { timeS: _, isRaceResult: __, ...expected } = stated(best)
      expect(effort.best).toEqual({ ...expected, utcOffsetMinutes: best.run.offset })
      expect(effort.behindBestMs).toBe(effort.timeMs - best.timeMs)
    }
  }
})

test('medals are the first three of a distance, each of another run', async () => {
  const { body: json } = await app.ask('GET', '/stats/best-efforts/medals')
  const expected = [FIVE, TEN].flatMap((index) =>
    ranked(index)
      .slice(0, 3)
      .map(({ run }, place) => {
        const { label, distanceM } = STANDARD_DISTANCES[index]!
        return { workoutId: run.id, distance: label, distanceM, rank: place + 1 }
      }),
  )
  expect(json).toEqual({ medals: expected })
})

test('records of the year and of twelve months are those of the runs in it', async () => {
  const today = Math.floor(NOW_MS / DAY_MS) * DAY_MS
  const year = new Date(NOW_MS).getUTCFullYear()
  const before = new Date(today)
  before.setUTCFullYear(year - 1)
  for (const [period, fromMs] of [
    ['year', Date.UTC(year, 0, 1)],
    ['12months', before.getTime() + DAY_MS],
  ] as const) {
    const { body } = await app.ask('GET', `/stats/best-efforts?period=${period}`)
    const within = known.filter(({ startedAtMs }) => startedAtMs >= fromMs && startedAtMs < today + DAY_MS)
    expect(within.length).toBeGreaterThan(10)
    const expected = [FIVE, TEN].map((index) => ({ ...stated(ranked(index, within)[0]!) }))
    expect(body).toEqual({ distances: expected.map((effort) => expect.objectContaining(effort)) })
  }
  const { body: ever } = await app.ask('GET', '/stats/best-efforts?period=ever')
  expect(ever).toEqual((await app.ask('GET', '/stats/best-efforts')).body)
})

test('progress is each effort that was faster than all before it, and the fastest of each year', async () => {
  const { body: json } = await app.ask('GET', '/stats/best-efforts/5000/progress')
  const inOrder = ranked(FIVE).toSorted((a, b) => a.run.startedAtMs - b.run.startedAtMs)
  const records = inOrder.filter(({ timeMs }, at) => inOrder.slice(0, at).every((earlier) => earlier.timeMs > timeMs))
  const years = Map.groupBy(ranked(FIVE), ({ run }) => yearOf(run))
  expect(json).toEqual({
    ...{ distance: '5K', distanceM: 5000, runs: inOrder.length },
    records: records.map(stated),
    years: [...years]
      .toSorted(([a], [b]) => a - b)
      .map(([year, all]) => ({ year, runs: all.length, ...stated(all[0]!) })),
    top: ranked(FIVE)
      .slice(0, 10)
      .map((effort, place) => ({ rank: place + 1, name: null, ...stated(effort), isUnconfirmed: false })),
  })
  expect(records.length).toBeGreaterThan(2)
})

test('efforts of a span of time are those of all that began within it, by time', () => {
  const byTime = ranked(TEN).toSorted((a, b) => a.run.startedAtMs - b.run.startedAtMs)
  const starts = byTime.map(({ run }) => run.startedAtMs)
  for (const [fromMs, toMs] of [
    [starts[20]!, starts[70]!],
    [starts[20]! + 1, starts[70]! + 1],
    [0, NOW_MS + 1],
    [starts[5]!, starts[5]!],
  ] as const) {
    const within = byTime.filter(({ run }) => run.startedAtMs >= fromMs && run.startedAtMs < toMs)
    expect(
      effortsInOrder(app.deps.db, TEN, { fromMs, toMs }).map(({ workoutId, timeMs }) => [workoutId, timeMs]),
    ).toEqual(within.map(({ run, timeMs }) => [run.id, timeMs]))
  }
  expect(effortsInOrder(app.deps.db, TEN)).toEqual(effortsInOrder(app.deps.db, TEN, { fromMs: 0, toMs: NOW_MS + 1 }))
  expect(byTime.length).toBeGreaterThan(80)
})
