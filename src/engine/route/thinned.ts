/** Most units east and south, or north, from one point of a thinned line to the next: one byte each. */
export const MOST_STEP = 127

/** Points of a line, whole units of length, and how far from it points that are left out may lie. */
interface Line {
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number>
  readonly off: number
}

/**
 * A line with fewer points as its steps: an x and a y each, both of i8. Longer ones, between positions far apart, are
 * several of the same length.
 * @param most numbers after which the rest is left out
 */
export function thinnedSteps(line: Line, most = Number.POSITIVE_INFINITY): number[] {
  const { xs, ys } = line
  const steps: number[] = []
  for (let from = 0; from < xs.length - 1 && steps.length <= most; ) {
    const to = furthestStraight(line, from)
    const [x, y] = [xs[to]! - xs[from]!, ys[to]! - ys[from]!]
    const pieces = Math.ceil(Math.max(Math.abs(x), Math.abs(y), 1) / MOST_STEP)
    let [doneX, doneY] = [0, 0]
    for (let piece = 1; piece <= pieces && steps.length <= most; piece += 1) {
      const [toX, toY] = [Math.round((x * piece) / pieces), Math.round((y * piece) / pieces)]
      steps.push(toX - doneX, toY - doneY)
      doneX = toX
      doneY = toY
    }
    from = to
  }
  return steps
}

/**
 * The last point that one step leads to, along which all points between are in order; at least the next one. Each point
 * allows the directions that pass it within `off`; the step has to be one of those that all points allow.
 */
function furthestStraight({ xs, ys, off }: Line, from: number): number {
  // the outermost directions that are still allowed
  let leftX = 0
  let leftY = 0
  let rightX = 0
  let rightY = 0
  let furthest = 0
  let to = from
  for (let k = from + 1; k < xs.length; k += 1) {
    const x = xs[k]! - xs[from]!
    const y = ys[k]! - ys[from]!
    if (x > MOST_STEP || x < -MOST_STEP || y > MOST_STEP || y < -MOST_STEP) break
    if (rightX * y < rightY * x || leftX * y > leftY * x) break
    const away = Math.sqrt(x * x + y * y)
    // so that a step never hides a way back
    if (away < furthest - off / 2) break
    to = k
    if (away > furthest) furthest = away
    if (away <= off) continue
    const sine = off / away
    const cosine = Math.sqrt(1 - sine * sine)
    const isFirst = leftX === 0 && leftY === 0
    const toLeftX = x * cosine - y * sine
    const toLeftY = x * sine + y * cosine
    const toRightX = x * cosine + y * sine
    const toRightY = y * cosine - x * sine
    if (isFirst || toLeftX * leftY > toLeftY * leftX) {
      leftX = toLeftX
      leftY = toLeftY
    }
    if (isFirst || rightX * toRightY > rightY * toRightX) {
      rightX = toRightX
      rightY = toRightY
    }
  }
  return Math.max(to, from + 1)
}
