// How many repetitions of planned sessions are recognised, how far off they are, and which runs without any are taken for
// sessions: printed, never judged. The tests hold sessions that must all be recognised.
import { type Intervals, intervals, type Repetition } from '../src/engine/intervals/intervals.ts'
import { type PlacedLap, placedLaps } from '../src/engine/run/laps.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import type { Activity } from '../src/formats/format.ts'
import { COOL, kilometres, ladder, repeated, STEADY, VARIANTS, WARM } from '../test/fixtures/interval-runs.ts'
import { seededRandom } from '../test/fixtures/knots.ts'
import { OPTIONS } from '../test/fixtures/recording.ts'
import { type MadeSession, madeSession, type SessionOptions, type Step } from '../test/fixtures/sessions.ts'

/** The rules were made with the first seed; none was changed for the others. */
const SEEDS = [1, 2, 3, 4]
const ALARM_SEEDS = [1, 2, 3, 4, 5, 6]

/** A planned repetition, `m` metres or `s` seconds. */
type Length = { readonly m: number } | { readonly s: number }

/** How one runner runs on one day. */
function runner(random: () => number) {
  const level = 0.85 + 0.25 * random()
  const between = (low: number, high: number) => low + (high - low) * random()
  const warm: Step = { ...WARM, s: Math.round(between(480, 1200)), mps: 2.9 * level }
  const cool: Step = { ...COOL, s: Math.round(between(300, 900)), mps: 2.8 * level }
  const jog = (seconds: number): Step => ({ s: seconds, mps: between(2.1, 2.6) * level })
  const secondsOf = (length: Length) => ('s' in length ? length.s : length.m / 4.4)
  /** All that one can hold in repetitions: about 5 % slower for twice the time. */
  const hard = (length: Length): Step => ({
    ...length,
    mps: level * (4.7 - 0.22 * Math.log(secondsOf(length) / 60)) * between(0.96, 1.02),
  })
  const rest = (work: Length): Step => {
    const restS = Math.min(240, Math.max(45, 15 * Math.round((secondsOf(work) * between(0.4, 1)) / 15)))
    const kind = random()
    if (kind < 0.1) return { s: restS, mps: 0, stopped: true }
    if (kind < 0.2) return { s: restS, mps: 0 }
    return kind < 0.4 ? { s: restS, mps: between(1.2, 1.6) } : jog(restS)
  }
  return { level, between, warm, cool, jog, hard, rest }
}

type Runner = ReturnType<typeof runner>
type Plan = (title: string, of: Runner) => readonly Step[]

/** `400 m`, `3 km`, `4:00` */
function lengthOf(text: string): Length {
  const [minutes = '', seconds] = text.split(':')
  if (seconds !== undefined) return { s: 60 * Number(minutes) + Number(seconds) }
  return { m: Number.parseInt(text, 10) * (text.endsWith('km') ? 1000 : 1) }
}

/** `5 × 1000 m` */
function countOf(title: string): readonly [count: number, length: Length] {
  const [count, length = ''] = title.split(' × ')
  return [Number(count), lengthOf(length)]
}

const equal: Plan = (title, of) => {
  const [count, length] = countOf(title)
  return repeated(count, of.hard(length), of.rest(length))
}

/** Sets of equal repetitions with longer rests between the sets: `3 × (4 × 300 m)`, `3 × 1000 m + 4 × 200 m`. */
const sets: Plan = (title, of) => {
  const same = /^(\d+) × \((.*)\)$/.exec(title)
  const parts = same === null ? title.split(' + ') : Array<string>(Number(same[1])).fill(same[2]!)
  const rest = of.jog(of.between(50, 90))
  const setRest = of.jog((rest.s ?? 0) + of.between(90, 180))
  return parts.map(countOf).flatMap(([count, length], k) => {
    return [...(k > 0 ? [setRest] : []), ...repeated(count, of.hard(length), rest)]
  })
}

/** `400-800-400 m`, `1:00-2:00-1:00` */
const rungs: Plan = (title, of) =>
  ladder(
    title.split('-').map((rung) => of.hard(lengthOf(rung))),
    of.jog(30 * Math.round(of.between(3, 6))),
  )

const tempo: Plan = (title, of) => {
  const [count, length] = countOf(title)
  return repeated(
    count,
    { ...length, mps: of.level * of.between(3.4, 3.8) },
    of.jog(30 * Math.round(of.between(4, 10))),
  )
}

const afterStrides: Plan = (title, of) => [
  ...Array.from({ length: 3 + Math.floor(of.between(0, 4)) }, (): Step[] => [
    { s: of.between(14, 26), mps: of.level * of.between(4.8, 5.6) },
    { s: of.between(40, 80), mps: of.between(1.3, 2.4) },
  ]).flat(),
  of.jog(of.between(90, 240)),
  ...equal(title, of),
]

/** Faster and slower than threshold in turn, without a rest; after one minute over of eight come two minutes under. */
const overUnders: Plan = (title, of) => {
  const [count, over] = countOf(title)
  const mps = of.level * of.between(3.9, 4.2)
  const under = title === '8 × 1:00' ? { s: 120 } : over
  return repeated(count, { ...over, mps }, { ...under, mps: mps / of.between(1.11, 1.18) })
}

const fartlek: Plan = (title, of) =>
  Array.from({ length: Number(title.split(' × ')[1]) }, (): Step[] => {
    const work = { s: of.between(40, 220) }
    return [{ ...of.hard(work), work: true }, of.jog(of.between(45, 130))]
  }).flat()

const many = (counts: string, length: string) => counts.split(' ').map((count) => `${count} × ${length}`)

/** Sessions as training plans have them, by the titles that they must be given. */
const FAMILIES: readonly (readonly [family: string, plan: Plan, titles: readonly string[]])[] = [
  [
    'equal',
    equal,
    [
      ...[...many('8 10 12 24', '200 m'), ...many('8 10', '300 m'), ...many('6 8 10 20', '400 m')],
      ...[...many('6 8', '500 m'), ...many('5 6 8', '600 m'), ...many('4 5 6 10', '800 m')],
      ...[...many('3 4 5 6 10', '1000 m'), ...many('4 6', '1200 m'), ...many('3 5', '1600 m')],
      ...[...many('3 5', '2000 m'), '3 × 3 km', ...many('15 20', '0:30'), '16 × 0:45', ...many('8 12 20', '1:00')],
      ...['12 × 1:30', ...many('6 12', '2:00'), ...many('5 8', '3:00'), ...many('4 6', '4:00')],
      ...[...many('3 5', '5:00'), '4 × 6:00', '3 × 8:00', '3 × 10:00'],
    ],
  ],
  [
    'ladder',
    rungs,
    [
      ...['200-400-600-800-600-400-200 m', '400-800-1200-800-400 m', '1200-1000-800-600-400 m'],
      ...['2000-1600-1200-800-400 m', '400-600-800-1000-1200 m', '1:00-2:00-3:00-2:00-1:00'],
      ...['1:00-2:00-3:00-4:00-3:00-2:00-1:00', '5:00-4:00-3:00-2:00-1:00'],
    ],
  ],
  [
    'sets',
    sets,
    [
      ...['2 × (6 × 200 m)', '3 × (4 × 300 m)', '2 × (5 × 400 m)', '3 × (3 × 600 m)', '2 × (8 × 0:30)'],
      '3 × 1000 m + 4 × 200 m',
    ],
  ],
  ['fartlek', fartlek, [5, 6, 8, 9].map((count) => `Fartlek × ${count}`)],
  [
    'sets of two',
    sets,
    [
      ...['3 × (2 × 800 m)', '4 × (2 × 400 m)', '5 × (2 × 300 m)', '3 × (2 × 3:00)'],
      '2 × 800 m + 2 × 400 m + 2 × 200 m',
    ],
  ],
  ['strides before', afterStrides, ['5 × 1000 m', '8 × 400 m', '6 × 800 m', '4 × 5:00', '10 × 1:00']],
  ['two long', tempo, many('2', '10:00').concat(['2 × 12:00', '2 × 15:00', '2 × 18:00', '2 × 20:00'])],
  ['hilly tempo', tempo, ['3 × 10:00', '3 × 8:00', '4 × 6:00', '3 × 3 km', '4 × 2000 m']],
  [
    'ladder of three',
    rungs,
    ['3000-2000-1000 m', '1600-1200-800 m', '1200-800-400 m', '3:00-2:00-1:00', '5:00-4:00-3:00'],
  ],
  ['over-unders', overUnders, ['6 × 2:00', '5 × 3:00', '8 × 1:00', '10 × 1:00', '5 × 1000 m']],
]
/** 97 kinds with 676 repetitions: 4,056 in 582 sessions when each is recorded in six ways. */
const PLANNED = FAMILIES.flatMap(([family, plan, titles]) => titles.map((title) => ({ family, plan, title })))

/** Runs without a session, those that resemble two long repetitions included. */
const UNPLANNED: typeof STEADY = {
  ...STEADY,
  'with a drink half way': (random) => [halves(random, 1, { s: 20 + random() * 160, mps: 0 }), {}],
  'at tempo with one stop to walk': (random) => [halves(random, 1.25, { s: 15 + random() * 60, mps: 1.4 }), {}],
  'over long hills that the watch does not know': (random) => [
    [{ s: 3600, mps: 2.8 + random() }],
    { hills: { heightM: 15 + random() * 30, lengthM: 2500 + random() * 2500 }, hasNoAltitude: true },
  ],
  'a race, fast at the start and at the end': (random) => [
    [
      { s: 60 + random() * 120, mps: 4.4 },
      { s: 1500 + random() * 1500, mps: 3.8 },
      { s: 60 + random() * 180, mps: 4.3 },
    ],
    {},
  ],
  'at tempo over hills that the watch does not know': (random) => [
    [WARM, { s: 1500 + random() * 1200, mps: 3.6 + 0.3 * random() }, COOL],
    { hills: { heightM: 5 + random() * 20, lengthM: 400 + random() * 1600 }, hasNoAltitude: true },
  ],
}

/** Two stretches of unequal length at one pace with something between. */
function halves(random: () => number, faster: number, between: Step): Step[] {
  const mps = faster * (2.7 + 0.3 * random())
  return [WARM, { s: 500 + random() * 900, mps }, between, { s: 500 + random() * 900, mps }, COOL]
}

/** Repetitions that were recognised against those that were run; errors are the largest. */
const NO_FIGURES = { sessions: 0, whole: 0, titled: 0, true: 0, found: 0, missed: 0, extra: 0, startS: 0, distanceM: 0 }
type Figures = typeof NO_FIGURES

/** A repetition is found by the one that shares more than half of the time that either takes. */
function compared(truth: MadeSession['truth'], repetitions: readonly Repetition[]) {
  const pairs = truth.flatMap((run) => {
    const same = repetitions.find((one) => {
      const sharedS = Math.min(run.endS, one.endElapsedS) - Math.max(run.startS, one.startElapsedS)
      return 2 * sharedS > Math.max(run.endS - run.startS, one.endElapsedS - one.startElapsedS)
    })
    return same === undefined ? [] : [{ run, same }]
  })
  const most = (errors: readonly number[]) => Math.max(0, ...errors.map(Math.abs))
  return {
    ...{ true: truth.length, found: pairs.length },
    ...{ missed: truth.length - pairs.length, extra: repetitions.length - pairs.length },
    startS: most(pairs.map(({ run, same }) => same.startElapsedS - run.startS)),
    distanceM: most(pairs.map(({ run, same }) => (same.distanceM ?? 0) - run.distanceM)),
  }
}

/** How a planned session is recorded: as in the tests, or with the lap button pressed at every change. */
const RECORDED: Readonly<Record<string, SessionOptions>> = { ...VARIANTS, 'with the lap button': {} }

/** Every planned session as each kind of recording has it. */
function sessionFigures(seed: number) {
  return PLANNED.flatMap(({ family, plan, title }, k) =>
    Object.entries(RECORDED).map(([variant, options], n) => {
      const of = runner(seededRandom(7919 * seed + 101 * k + n))
      const steps = [of.warm, ...plan(title, of), of.cool]
      const isHilly = family === 'hilly tempo'
      const hills = isHilly ? { hills: { heightM: of.between(8, 18), lengthM: of.between(900, 2200) } } : {}
      const made = madeSession(steps, { seed: 1000 * seed + 10 * k + n, ...options, ...hills })
      const laps = made.laps.map((lap): PlacedLap => ({ ...lap, intensity: null }))
      const { sets: found, summary } = recognised(made, variant === 'with the lap button' ? laps : [])
      const repetitions = found.flatMap((set) => set.repetitions)
      const counts = compared(made.truth, repetitions)
      const [whole, titled] = [counts.missed + counts.extra === 0, summary?.title === title].map(Number)
      const figures: Figures = { sessions: 1, whole: whole!, titled: titled!, ...counts }
      return { family, variant, figures }
    }),
  )
}

function recognised({ track }: MadeSession, laps: readonly PlacedLap[]): Intervals {
  return intervals(track, laps, OPTIONS.elevation)
}

/** The session of a recorded run, as `laps: 4 × 1000 m`; null: it has none. */
function sessionOf({ recording, laps }: Activity): string | null {
  const track = recording && cleanRecording(recording)
  if (track === null) return null
  const { source, summary } = intervals(track, placedLaps(track, laps), OPTIONS.elevation)
  return source === null ? null : `${source}: ${summary?.title}`
}

function printRow(name: string, of: readonly { readonly figures: Figures }[]): void {
  const sum = { ...NO_FIGURES }
  for (const { figures } of of) {
    for (const key of Object.keys(sum) as (keyof Figures)[]) {
      const isError = key === 'startS' || key === 'distanceM'
      sum[key] = isError ? Math.max(sum[key], figures[key]) : sum[key] + figures[key]
    }
  }
  const { startS, distanceM, ...counts } = sum
  const shown = Object.values(counts).map((n) => String(n).padStart(8))
  const share = `${((100 * sum.found) / sum.true).toFixed(1)}%`.padStart(8)
  const errors = `${startS.toFixed(1).padStart(6)} s ${distanceM.toFixed(1).padStart(6)} m`
  console.log(`  ${name.padEnd(34)}${shown.join('')}${share} ${errors}`)
}

/** Prints what is found in planned sessions, in steady runs and in these recorded runs. */
export function printIntervals(recorded: readonly { readonly name: string; readonly run: Activity }[]): void {
  console.log('repetitions of planned sessions; the errors are the largest of a start and of a distance')
  const heads = [...Object.keys(NO_FIGURES).slice(0, 7), 'share'].map((head) => head.padStart(8))
  console.log(`  ${''.padEnd(34)}${heads.join('')}    start distance`)
  for (const seed of SEEDS) {
    const all = sessionFigures(seed)
    const keys = seed === SEEDS[0] ? (['family', 'variant'] as const) : []
    for (const key of keys) for (const [name, of] of Map.groupBy(all, (one) => one[key])) printRow(name, of)
    printRow(`all of seed ${seed}`, all)
  }
  console.log('runs without a session that are taken for one: by pace, with a lap at every change, with kilometres')
  for (const [kind, make] of Object.entries(UNPLANNED)) {
    const runs = ALARM_SEEDS.map((seed) => {
      const [steps, options] = make(seededRandom(977 * seed))
      return madeSession(steps, { seed, ...options })
    })
    const lapsOf = [() => [], ({ laps }: MadeSession) => laps, kilometres]
    const alarms = lapsOf.map((laps) => runs.filter((made) => recognised(made, laps(made)).source !== null).length)
    console.log(`  ${kind.padEnd(46)} ${alarms.join(', ')} of ${runs.length}`)
  }
  const sessions = recorded.flatMap(({ name, run }) => {
    const session = sessionOf(run)
    return session === null ? [] : [`  ${name.padEnd(52)} ${session}`]
  })
  console.log([`recorded runs with intervals: ${sessions.length} of ${recorded.length}`, ...sessions].join('\n'))
}
