import { type Intervals, intervals, type Repetition } from '../src/engine/intervals/intervals.ts'
import { type PlacedLap, placedLaps } from '../src/engine/run/laps.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import type { Activity } from '../src/formats/format.ts'
import { kilometres, SESSIONS, STEADY, VARIANTS } from '../test/fixtures/interval-runs.ts'
import { seededRandom } from '../test/fixtures/knots.ts'
import { OPTIONS } from '../test/fixtures/recording.ts'
import { type MadeSession, madeSession } from '../test/fixtures/sessions.ts'

// How many repetitions of made sessions are recognised, how far off they are, and which runs without any are taken for
// sessions: printed, never judged. The tests hold the first three seeds.

type Truth = MadeSession['truth']
type Found = Pick<Repetition, 'startElapsedS' | 'endElapsedS' | 'distanceM'>

/** Repetitions that were recognised against those that were run. */
export interface IntervalFigures {
  readonly sessions: number
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
  titled: 0,
  repetitions: 0,
  found: 0,
  missed: 0,
  extra: 0,
  startS: 0,
  distanceM: 0,
}

/** A repetition is found by the one that shares more than half of the time that either takes. */
export function compared(truth: Truth, repetitions: readonly Found[]): Omit<IntervalFigures, 'sessions' | 'titled'> {
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
    titled: a.titled + b.titled,
    repetitions: a.repetitions + b.repetitions,
    found: a.found + b.found,
    missed: a.missed + b.missed,
    extra: a.extra + b.extra,
    startS: Math.max(a.startS, b.startS),
    distanceM: Math.max(a.distanceM, b.distanceM),
  }
}

/** Every made session as each kind of recording has it, with as many seeds. */
export function sessionFigures(seeds: number) {
  const of = (title: string, variant: string) =>
    numbers(seeds).map((seed): IntervalFigures => {
      const made = madeSession(SESSIONS[title]!, { seed, ...VARIANTS[variant]! })
      const { sets, summary } = recognised(made)
      const repetitions = sets.flatMap((set) => set.repetitions)
      return { sessions: 1, titled: summary?.title === title ? 1 : 0, ...compared(made.truth, repetitions) }
    })
  return Object.keys(SESSIONS).flatMap((title) =>
    Object.keys(VARIANTS).map((variant) => ({
      title,
      variant,
      figures: of(title, variant).reduce(together, NO_FIGURES),
    })),
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

/** Every kind of run without a session, with as many seeds. */
export function falseAlarms(seeds: number): FalseAlarms[] {
  return Object.entries(STEADY).map(([kind, make]) => {
    const runs = numbers(seeds).map((seed) => {
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

const numbers = (count: number) => Array.from({ length: count }, (_, k) => k + 1)

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

const SEEDS = 10

/** Prints what is found in made sessions, in steady runs and in these recorded runs. */
export function printIntervals(recorded: readonly { readonly name: string; readonly run: Activity }[]): void {
  const all = sessionFigures(SEEDS)
  const row = (name: string, of: readonly { readonly figures: IntervalFigures }[]) => {
    const sum = of.reduce((a, { figures }) => together(a, figures), NO_FIGURES)
    const { sessions, titled, repetitions, found, missed, extra, startS, distanceM } = sum
    const counts = [sessions, titled, repetitions, found, missed, extra].map((count) => String(count).padStart(8))
    console.log(
      `  ${name.padEnd(40)}${counts.join('')} ${startS.toFixed(1).padStart(7)} s ${distanceM.toFixed(1).padStart(6)} m`,
    )
  }
  console.log(`repetitions of made sessions, ${SEEDS} seeds; the errors are the largest of a start and of a distance`)
  const heads = ['sessions', 'titled', 'true', 'found', 'missed', 'extra'].map((head) => head.padStart(8))
  console.log(`  ${''.padEnd(40)}${heads.join('')}     start  distance`)
  for (const title of Object.keys(SESSIONS)) {
    row(
      title,
      all.filter((one) => one.title === title),
    )
  }
  for (const variant of Object.keys(VARIANTS)) {
    row(
      variant,
      all.filter((one) => one.variant === variant),
    )
  }
  row('all', all)

  console.log('runs without a session that are taken for one: by pace, with a lap at every change, with kilometres')
  const alarms = falseAlarms(SEEDS)
  for (const { kind, runs, byPace, withLaps, withKilometres } of alarms) {
    console.log(`  ${kind.padEnd(40)} ${byPace}, ${withLaps}, ${withKilometres} of ${runs}`)
  }
  const sum = (of: (one: FalseAlarms) => number) => alarms.reduce((total, one) => total + of(one), 0)
  const counts = [sum((one) => one.byPace), sum((one) => one.withLaps), sum((one) => one.withKilometres)]
  console.log(`  ${'all'.padEnd(40)} ${counts.join(', ')} of ${sum(({ runs }) => runs)}`)

  const sessions = recorded.flatMap(({ name, run }) => {
    const session = sessionOf(run)
    return session === null ? [] : [{ name, session }]
  })
  console.log(`recorded runs with intervals: ${sessions.length} of ${recorded.length}`)
  for (const { name, session } of sessions) console.log(`  ${name.padEnd(52)} ${session}`)
}
