import { COOL, ladder, repeated, STEADY, WARM } from '../test/fixtures/interval-runs.ts'
import type { SessionOptions, Step } from '../test/fixtures/sessions.ts'

// Sessions as training plans have them, and runs that look like some of them: paces, rests and hills differ with every
// number of `random`, the repetitions are known. Strides are none.

type Made = readonly [readonly Step[], SessionOptions]

/** One kind of session. */
interface PlannedSession {
  readonly family: string
  readonly title: string
  readonly make: (random: () => number) => Made
}

/** A planned repetition, `m` metres or `s` seconds. */
type Length = { readonly m: number } | { readonly s: number }

const m = (metres: number): Length => ({ m: metres })
const s = (seconds: number): Length => ({ s: seconds })

/** How one runner runs on one day. */
function runner(random: () => number) {
  const level = 0.85 + 0.25 * random()
  const between = (low: number, high: number) => low + (high - low) * random()
  const warm: Step = { ...WARM, s: Math.round(between(480, 1200)), mps: 2.9 * level }
  const cool: Step = { ...COOL, s: Math.round(between(300, 900)), mps: 2.8 * level }
  const jog = (seconds: number): Step => ({ s: seconds, mps: between(2.1, 2.6) * level })
  /** All that one can hold in repetitions: about 5 % slower for twice the time. */
  const hard = (length: Length): Step => {
    const seconds = 's' in length ? length.s : length.m / 4.4
    return { ...length, mps: level * (4.7 - 0.22 * Math.log(seconds / 60)) * between(0.96, 1.02) }
  }
  const rest = (work: Length): Step => {
    const seconds = 's' in work ? work.s : work.m / 4.4
    const restS = Math.min(240, Math.max(45, 15 * Math.round((seconds * between(0.4, 1)) / 15)))
    const kind = random()
    if (kind < 0.1) return { s: restS, mps: 0, stopped: true }
    if (kind < 0.2) return { s: restS, mps: 0 }
    return kind < 0.4 ? { s: restS, mps: between(1.2, 1.6) } : jog(restS)
  }
  return { level, between, warm, cool, jog, hard, rest }
}

type Runner = ReturnType<typeof runner>

/** With warm-up and cool-down, and hills where the recording has any. */
function session(family: string, title: string, steps: (runner: Runner) => readonly Step[]): PlannedSession {
  return { family, title, make: (random) => [around(runner(random), steps), {}] }
}

function around(of: Runner, steps: (runner: Runner) => readonly Step[]): Step[] {
  return [of.warm, ...steps(of), of.cool]
}

const equal = (count: number, length: Length) => (of: Runner) => repeated(count, of.hard(length), of.rest(length))

/** Sets of equal repetitions with longer rests between the sets. */
const sets = (parts: readonly (readonly [number, Length])[]) => (of: Runner) => {
  const rest = of.jog(of.between(50, 90))
  const setRest = of.jog((rest.s ?? 0) + of.between(90, 180))
  return parts.flatMap(([count, length], k) => [...(k > 0 ? [setRest] : []), ...repeated(count, of.hard(length), rest)])
}

const rungs = (lengths: readonly Length[]) => (of: Runner) =>
  ladder(
    lengths.map((length) => of.hard(length)),
    of.jog(30 * Math.round(of.between(3, 6))),
  )

const tempo = (count: number, length: Length) => (of: Runner) =>
  repeated(count, { ...length, mps: of.level * of.between(3.4, 3.8) }, of.jog(30 * Math.round(of.between(4, 10))))

const strides = (of: Runner): Step[] => [
  ...Array.from({ length: 3 + Math.floor(of.between(0, 4)) }, (): Step[] => [
    { s: of.between(14, 26), mps: of.level * of.between(4.8, 5.6) },
    { s: of.between(40, 80), mps: of.between(1.3, 2.4) },
  ]).flat(),
  of.jog(of.between(90, 240)),
]

/** Faster and slower than threshold in turn, without a rest. */
const overUnders = (count: number, over: Length, under: Length) => (of: Runner) => {
  const mps = of.level * of.between(3.9, 4.2)
  return repeated(count, { ...over, mps }, { ...under, mps: mps / of.between(1.11, 1.18) })
}

const fartlek = (count: number) => (of: Runner) =>
  Array.from({ length: count }, (): Step[] => {
    const work = s(of.between(40, 220))
    return [{ ...of.hard(work), work: true }, of.jog(of.between(45, 130))]
  }).flat()

const CLASSICAL_M = [
  [200, [8, 10, 12, 24]],
  [300, [8, 10]],
  [400, [6, 8, 10, 20]],
  [500, [6, 8]],
  [600, [5, 6, 8]],
  [800, [4, 5, 6, 10]],
  [1000, [3, 4, 5, 6, 10]],
  [1200, [4, 6]],
  [1600, [3, 5]],
  [2000, [3, 5]],
  [3000, [3]],
] as const
const CLASSICAL_S = [
  [30, [15, 20]],
  [45, [16]],
  [60, [8, 12, 20]],
  [90, [12]],
  [120, [6, 12]],
  [180, [5, 8]],
  [240, [4, 6]],
  [300, [3, 5]],
  [360, [4]],
  [480, [3]],
  [600, [3]],
] as const
const LADDERS_M = [
  [200, 400, 600, 800, 600, 400, 200],
  [400, 800, 1200, 800, 400],
  [1200, 1000, 800, 600, 400],
  [2000, 1600, 1200, 800, 400],
  [400, 600, 800, 1000, 1200],
]
const LADDERS_S = [
  [60, 120, 180, 120, 60],
  [60, 120, 180, 240, 180, 120, 60],
  [300, 240, 180, 120, 60],
]

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
const metresTitle = (metres: number) => (metres >= 3000 ? `${metres / 1000} km` : `${metres} m`)

/** 97 kinds with 676 repetitions: 4,056 in 582 sessions when each is recorded in six ways. */
export const PLANNED: readonly PlannedSession[] = [
  ...CLASSICAL_M.flatMap(([metres, counts]) =>
    counts.map((count) => session('equal', `${count} × ${metresTitle(metres)}`, equal(count, m(metres)))),
  ),
  ...CLASSICAL_S.flatMap(([seconds, counts]) =>
    counts.map((count) => session('equal', `${count} × ${clock(seconds)}`, equal(count, s(seconds)))),
  ),
  ...LADDERS_M.map((metres) => session('ladder', `${metres.join('-')} m`, rungs(metres.map(m)))),
  ...LADDERS_S.map((seconds) => session('ladder', seconds.map(clock).join('-'), rungs(seconds.map(s)))),
  session('sets', '2 × (6 × 200 m)', sets([6, 6].map((count) => [count, m(200)]))),
  session('sets', '3 × (4 × 300 m)', sets([4, 4, 4].map((count) => [count, m(300)]))),
  session('sets', '2 × (5 × 400 m)', sets([5, 5].map((count) => [count, m(400)]))),
  session('sets', '3 × (3 × 600 m)', sets([3, 3, 3].map((count) => [count, m(600)]))),
  session('sets', '2 × (8 × 0:30)', sets([8, 8].map((count) => [count, s(30)]))),
  session(
    'sets',
    '3 × 1000 m + 4 × 200 m',
    sets([
      [3, m(1000)],
      [4, m(200)],
    ]),
  ),
  ...[5, 6, 8, 9].map((count) => session('fartlek', `Fartlek × ${count}`, fartlek(count))),
  session('sets of two', '3 × (2 × 800 m)', sets([2, 2, 2].map((count) => [count, m(800)]))),
  session('sets of two', '4 × (2 × 400 m)', sets([2, 2, 2, 2].map((count) => [count, m(400)]))),
  session('sets of two', '5 × (2 × 300 m)', sets([2, 2, 2, 2, 2].map((count) => [count, m(300)]))),
  session('sets of two', '3 × (2 × 3:00)', sets([2, 2, 2].map((count) => [count, s(180)]))),
  session('sets of two', '2 × 800 m + 2 × 400 m + 2 × 200 m', sets([800, 400, 200].map((metres) => [2, m(metres)]))),
  ...(
    [
      ['5 × 1000 m', 5, m(1000)],
      ['8 × 400 m', 8, m(400)],
      ['6 × 800 m', 6, m(800)],
      ['4 × 5:00', 4, s(300)],
      ['10 × 1:00', 10, s(60)],
    ] as const
  ).map(([title, count, length]) =>
    session('strides before', title, (of) => [...strides(of), ...equal(count, length)(of)]),
  ),
  ...[600, 720, 900, 1080, 1200].map((seconds) => session('two long', `2 × ${clock(seconds)}`, tempo(2, s(seconds)))),
  ...(
    [
      ['3 × 10:00', 3, s(600)],
      ['3 × 8:00', 3, s(480)],
      ['4 × 6:00', 4, s(360)],
      ['3 × 3 km', 3, m(3000)],
      ['4 × 2000 m', 4, m(2000)],
    ] as const
  ).map(
    ([title, count, length]): PlannedSession => ({
      family: 'hilly tempo',
      title,
      make: (random) => {
        const of = runner(random)
        return [
          around(of, tempo(count, length)),
          { hills: { heightM: of.between(8, 18), lengthM: of.between(900, 2200) } },
        ]
      },
    }),
  ),
  ...[
    [3000, 2000, 1000],
    [1600, 1200, 800],
    [1200, 800, 400],
  ].map((metres) => session('ladder of three', `${metres.join('-')} m`, rungs(metres.map(m)))),
  ...[
    [180, 120, 60],
    [300, 240, 180],
  ].map((seconds) => session('ladder of three', seconds.map(clock).join('-'), rungs(seconds.map(s)))),
  session('over-unders', '6 × 2:00', overUnders(6, s(120), s(120))),
  session('over-unders', '5 × 3:00', overUnders(5, s(180), s(180))),
  session('over-unders', '8 × 1:00', overUnders(8, s(60), s(120))),
  session('over-unders', '10 × 1:00', overUnders(10, s(60), s(60))),
  session('over-unders', '5 × 1000 m', overUnders(5, m(1000), m(1000))),
]

/** Runs without a session, those that resemble two long repetitions included. */
export const UNPLANNED: typeof STEADY = {
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
