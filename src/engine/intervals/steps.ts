import type { Span } from '../track.ts'
import { type EffortSeries, meanMps, smoothMps } from './effort-series.ts'

/** Width of the histogram bins of the speed, up to the greatest speed that is distinguished. */
const BIN_MPS = 0.05
const FASTEST_MPS = 9
/** Most levels of speed that are distinguished: standing or walking, jogging, warming up, repetitions. */
const MOST_LEVELS = 4
/** Levels whose ratio is smaller than this are merged. */
const LEAST_RATIO = 1.05
/** A change of level costs as much as this many seconds spent wholly at the wrong level. */
const CHANGE_COST_S = 5
const SMOOTHING_HALF_S = 2
/** Shorter stretches of work and shorter rests are ignored. */
const SHORTEST_WORK_S = 20
const SHORTEST_REST_S = 10
/** Seconds around a first estimate in which the exact time of a change is searched. */
const SEARCH_S = 25

/**
 * Stretches of a run that are faster than their surroundings. For each way of sorting the speeds into slow and fast,
 * these are the fast stretches that explain the run with the fewest changes (Viterbi over two levels); each end is then
 * moved to where a step of the speed fits best.
 */
export function fastStretches(series: EffortSeries): Span[][] {
  const speeds = smoothMps(series, SMOOTHING_HALF_S)
  const found: Span[][] = []
  for (const levels of speedLevels(speeds, MOST_LEVELS)) {
    for (let k = 1; k < levels.length; k += 1) {
      const [slow, fast] = [levels[k - 1]!, levels[k]!]
      if (fast < slow * LEAST_RATIO) continue
      const spans = withoutShort(stretchesAbove(speeds, slow, fast))
      found.push(refined(series, spans))
    }
  }
  return found
}

/** Means of the natural classes of the speeds (Fisher-Jenks on a histogram), ascending: of two classes, of three, and so on. */
function speedLevels(speeds: Float64Array, most: number): number[][] {
  const bins = new Float64Array(Math.round(FASTEST_MPS / BIN_MPS))
  for (const speed of speeds) bins[Math.min(bins.length - 1, Math.max(0, Math.floor(speed / BIN_MPS)))]! += 1
  // empty bins are left out: a cut among them is the same as one beside them
  const [n, sum, squares] = [[0], [0], [0]]
  for (const [bin, here] of bins.entries()) {
    if (here === 0) continue
    const middle = (bin + 0.5) * BIN_MPS
    n.push(n.at(-1)! + here)
    sum.push(sum.at(-1)! + here * middle)
    squares.push(squares.at(-1)! + here * middle * middle)
  }
  const spread = (from: number, to: number) => {
    const size = n[to]! - n[from]!
    return size === 0 ? 0 : squares[to]! - squares[from]! - (sum[to]! - sum[from]!) ** 2 / size
  }
  let best = n.map((_, to) => spread(0, to))
  const cuts: number[][] = []
  const levels: number[][] = []
  while (cuts.length < most - 1) {
    const next: number[] = []
    const cut: number[] = []
    for (let to = 0; to < n.length; to += 1) {
      next[to] = Number.POSITIVE_INFINITY
      for (let from = 0; from <= to; from += 1) {
        const cost = best[from]! + spread(from, to)
        if (cost < next[to]!) {
          next[to] = cost
          cut[to] = from
        }
      }
    }
    best = next
    cuts.push(cut)
    const edges = [n.length - 1]
    for (const cut of cuts.toReversed()) edges.unshift(cut[edges[0]!]!)
    edges.unshift(0)
    levels.push(
      edges.slice(1).flatMap((to, k) => {
        const from = edges[k]!
        return n[to]! > n[from]! ? (sum[to]! - sum[from]!) / (n[to]! - n[from]!) : []
      }),
    )
  }
  return levels
}

/** The fast stretches in the cheapest sequence of levels. */
function stretchesAbove(speeds: Float64Array, slow: number, fast: number): Span[] {
  const from = new Uint8Array(2 * speeds.length)
  let [slowCost, fastCost] = [0, CHANGE_COST_S]
  for (const [second, speed] of speeds.entries()) {
    const x = Math.min(1, Math.max(0, (speed - slow) / (fast - slow)))
    const isFromFast = fastCost + CHANGE_COST_S < slowCost
    const isFromSlow = slowCost + CHANGE_COST_S < fastCost
    const nextSlow = (isFromFast ? fastCost + CHANGE_COST_S : slowCost) + x * x
    fastCost = (isFromSlow ? slowCost + CHANGE_COST_S : fastCost) + (1 - x) ** 2
    slowCost = nextSlow
    from[2 * second] = isFromFast ? 1 : 0
    from[2 * second + 1] = isFromSlow ? 0 : 1
  }
  const spans: { startS: number; endS: number }[] = []
  let level = fastCost < slowCost ? 1 : 0
  for (let second = speeds.length - 1; second >= 0; second -= 1) {
    const last = spans.at(-1)
    if (level === 1 && last?.startS === second + 1) last.startS = second
    else if (level === 1) spans.push({ startS: second, endS: second + 1 })
    level = from[2 * second + level]!
  }
  return spans.reverse()
}

function withoutShort(spans: readonly Span[]): Span[] {
  const joined: { startS: number; endS: number }[] = []
  for (const { startS, endS } of spans) {
    const last = joined.at(-1)
    if (last !== undefined && startS - last.endS < SHORTEST_REST_S) last.endS = endS
    else joined.push({ startS, endS })
  }
  return joined.filter(({ startS, endS }) => endS - startS >= SHORTEST_WORK_S)
}

/** Moves each end to where a step between the speeds on both sides of it fits best. */
function refined(series: EffortSeries, spans: readonly Span[]): Span[] {
  const edges = spans.flatMap(({ startS, endS }) => [startS, endS])
  const moved = edges.map((edge, k) => {
    const before = edges[k - 1] ?? Math.max(0, edge - 4 * SEARCH_S)
    const after = edges[k + 1] ?? Math.min(series.seconds, edge + 4 * SEARCH_S)
    // too short on one side to fit a step: the stretch begins or ends with the run
    if (edge - before < 2 || after - edge < 2) return edge
    return bestStep(series, { before, edge, after })
  })
  return spans.map((_, k) => ({ startS: moved[2 * k]!, endS: moved[2 * k + 1]! }))
}

/** At most this many seconds on each side of an end give the two speeds between which the step is fitted. */
const LEVEL_S = 60

function bestStep(
  series: EffortSeries,
  { before, edge, after }: { before: number; edge: number; after: number },
): number {
  const { effortM } = series
  const [shortest, longest] = [Math.min(edge - before, LEVEL_S), Math.min(after - edge, LEVEL_S)]
  const a = meanMps(series, edge - 0.8 * shortest, edge - 0.2 * shortest)
  const c = meanMps(series, edge + 0.2 * longest, edge + 0.8 * longest)
  const from = Math.ceil(Math.max(edge - SEARCH_S, (before + edge) / 2))
  const to = Math.floor(Math.min(edge + SEARCH_S, (edge + after) / 2))
  let best = edge
  let least = Number.POSITIVE_INFINITY
  let cost = 0
  // cost of a step at each second, relative to that of a step at the first
  for (let second = from; second <= to; second += 1) {
    if (cost < least) {
      least = cost
      best = second
    }
    const speed = effortM[Math.min(series.seconds, second + 1)]! - effortM[second]!
    cost += (speed - a) ** 2 - (speed - c) ** 2
  }
  return best
}
