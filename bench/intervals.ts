import { type Intervals, intervals, type Repetition } from '../src/engine/intervals/intervals.ts'
import { type PlacedLap, placedLaps } from '../src/engine/run/laps.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import type { Activity } from '../src/formats/format.ts'
import { kilometres, VARIANTS } from '../test/fixtures/interval-runs.ts'
import { seededRandom } from '../test/fixtures/knots.ts'
import { OPTIONS } from '../test/fixtures/recording.ts'
import { type MadeSession, madeSession, type SessionOptions } from '../test/fixtures/sessions.ts'
import { PLANNED, UNPLANNED } from './interval-sets.ts'

// How many repetitions of planned sessions are recognised, how far off they are, and which runs without any are taken for
// sessions: printed, never judged. The tests hold sessions that must all be recognised.

type Truth = MadeSession['truth']
type Found = Pick<Repetition, 'startElapsedS' | 'endElapsedS' | 'distanceM'>

/** Repetitions that were recognised against those that were run. */
export interface IntervalFigures {
  readonly sessions: number
  /** Sessions of which every repetition is found, and no other. */
  readonly whole: number
  /** Sessions whose summary has their title. */
  readonly titled: number
  /** Repetitions that were run. */
  readonly repetitions: number
  readonly found: number
  readonly missed: number
  /** Recognised where none was run. */
  readonly extra: number
  /** Largest error of a start, seconds. */
  readonly startS: number
  /** Largest error of a distance, metres. */
  readonly distanceM: number
}

export const NO_FIGURES: IntervalFigures = {
  sessions: 0,
  whole: 0,
  titled: 0,
  repetitions: 0,
  found: 0,
  missed: 0,
  extra: 0,
  startS: 0,
  distanceM: 0,
}

/** A repetition is found by the one that shares more than half of the time that either takes. */
export function compared(truth: Truth, repetitions: readonly Found[]) {
  const pairs = truth.flatMap((run) => {
    const same = repetitions.find((one) => 2 * sharedS(run, one) > Math.max(run.endS - run.startS, lengthS(one)))
    return same === undefined ? [] : [{ run, same }]
  })
  return {
    repetitions: truth.length,
    found: pairs.length,
    missed: truth.length - pairs.length,
    extra: repetitions.length - pairs.length,
    startS: most(pairs.map(({ run, same }) => same.startElapsedS - run.startS)),
    distanceM: most(pairs.map(({ run, same }) => (same.distanceM ?? 0) - run.distanceM)),
  }
}

const lengthS = ({ startElapsedS, endElapsedS }: Found) => endElapsedS - startElapsedS
const sharedS = (run: Truth[number], one: Found) =>
  Math.min(run.endS, one.endElapsedS) - Math.max(run.startS, one.startElapsedS)
const most = (errors: readonly number[]) => Math.max(0, ...errors.map(Math.abs))

/** Counts are added up; of errors the larger counts. */
export function together(a: IntervalFigures, b: IntervalFigures): IntervalFigures {
  return {
    sessions: a.sessions + b.sessions,
    whole: a.whole + b.whole,
    titled: a.titled + b.titled,
    repetitions: a.repetitions + b.repetitions,
    found: a.found + b.found,
    missed: a.missed + b.missed,
    extra: a.extra + b.extra,
    startS: Math.max(a.startS, b.startS),
    distanceM: Math.max(a.distanceM, b.distanceM),
  }
}

/** How a planned session is recorded: as in the tests, or with the lap button pressed at every change. */
const RECORDED: Readonly<Record<string, SessionOptions>> = { ...VARIANTS, 'with the lap button': {} }

/** Every planned session as each kind of recording has it. */
export function sessionFigures(seed: number) {
  return PLANNED.flatMap(({ family, title, make }, k) =>
    Object.entries(RECORDED).map(([variant, options], n) => {
      const [steps, own] = make(seededRandom(7919 * seed + 101 * k + n))
      const made = madeSession(steps, { seed: 1000 * seed + 10 * k + n, ...options, ...own })
      const laps = made.laps.map((lap): PlacedLap => ({ ...lap, intensity: null }))
      const { sets, summary } = recognised(made, variant === 'with the lap button' ? laps : [])
      const counts = compared(
        made.truth,
        sets.flatMap((set) => set.repetitions),
      )
      const figures: IntervalFigures = {
        sessions: 1,
        whole: counts.missed + counts.extra === 0 ? 1 : 0,
        titled: summary?.title === title ? 1 : 0,
        ...counts,
      }
      return { family, title, variant, found: summary?.title ?? null, figures }
    }),
  )
}

/** Runs of one kind that have no session, and how many of them are taken for one. */
export interface FalseAlarms {
  readonly kind: string
  readonly runs: number
  /** From the pace alone. */
  readonly byPace: number
  /** With a lap at every change of speed. */
  readonly withLaps: number
  /** With a lap every kilometre. */
  readonly withKilometres: number
}

/** Every kind of run without a session, with these seeds. */
export function falseAlarms(seeds: readonly number[]): FalseAlarms[] {
  return Object.entries(UNPLANNED).map(([kind, make]) => {
    const runs = seeds.map((seed) => {
      const [steps, options] = make(seededRandom(977 * seed))
      return madeSession(steps, { seed, ...options })
    })
    const alarms = (laps: (made: MadeSession) => readonly PlacedLap[]) =>
      runs.filter((made) => recognised(made, laps(made)).source !== null).length
    return {
      kind,
      runs: runs.length,
      byPace: alarms(() => []),
      withLaps: alarms(({ laps }) => laps),
      withKilometres: alarms(kilometres),
    }
  })
}

function recognised({ track }: MadeSession, laps: readonly PlacedLap[] = []): Intervals {
  return intervals(track, laps, OPTIONS.elevation)
}

/** The session of a recorded run, as `laps: 4 × 1000 m`; null: it has none. */
export function sessionOf({ recording, laps }: Activity): string | null {
  const track = recording && cleanRecording(recording)
  if (track === null) return null
  const { source, summary } = intervals(track, placedLaps(track, laps), OPTIONS.elevation)
  return source === null ? null : `${source}: ${summary?.title}`
}

/** The rules were made with the first seed; none was changed for the others. */
const SEEDS = [1, 2, 3, 4]
const ALARM_SEEDS = [1, 2, 3, 4, 5, 6]

/** Prints what is found in planned sessions, in steady runs and in these recorded runs. */
export function printIntervals(recorded: readonly { readonly name: string; readonly run: Activity }[]): void {
  const row = (name: string, of: readonly { readonly figures: IntervalFigures }[]) => {
    const sum = of.reduce((a, { figures }) => together(a, figures), NO_FIGURES)
    const { sessions, whole, titled, repetitions, found, missed, extra, startS, distanceM } = sum
    const counts = [sessions, whole, titled, repetitions, found, missed, extra].map((n) => String(n).padStart(8))
    const share = `${((100 * found) / repetitions).toFixed(1)} %`.padStart(8)
    console.log(
      `  ${name.padEnd(34)}${counts.join('')}${share} ${startS.toFixed(1).padStart(6)} s ${distanceM.toFixed(1).padStart(6)} m`,
    )
  }
  console.log('repetitions of planned sessions; the errors are the largest of a start and of a distance')
  const heads = ['sessions', 'whole', 'titled', 'true', 'found', 'missed', 'extra', 'share']
  console.log(`  ${''.padEnd(34)}${heads.map((head) => head.padStart(8)).join('')}    start distance`)
  for (const seed of SEEDS) {
    const all = sessionFigures(seed)
    if (seed === SEEDS[0]) {
      for (const key of ['family', 'variant'] as const) {
        for (const [name, of] of Map.groupBy(all, (one) => one[key])) row(name, of)
      }
    }
    row(`all of seed ${seed}`, all)
  }

  console.log('runs without a session that are taken for one: by pace, with a lap at every change, with kilometres')
  const alarms = falseAlarms(ALARM_SEEDS)
  for (const { kind, runs, byPace, withLaps, withKilometres } of alarms) {
    console.log(`  ${kind.padEnd(46)} ${byPace}, ${withLaps}, ${withKilometres} of ${runs}`)
  }
  const sum = (of: (one: FalseAlarms) => number) => alarms.reduce((total, one) => total + of(one), 0)
  const counts = [sum((one) => one.byPace), sum((one) => one.withLaps), sum((one) => one.withKilometres)]
  console.log(`  ${'all'.padEnd(46)} ${counts.join(', ')} of ${sum(({ runs }) => runs)} each`)

  const sessions = recorded.flatMap(({ name, run }) => {
    const session = sessionOf(run)
    return session === null ? [] : [{ name, session }]
  })
  console.log(`recorded runs with intervals: ${sessions.length} of ${recorded.length}`)
  for (const { name, session } of sessions) console.log(`  ${name.padEnd(52)} ${session}`)
}
