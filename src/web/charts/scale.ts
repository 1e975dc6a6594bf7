/**
 * Round values for the grid lines of a chart, from 0 up to the first that is at least `max`.
 * @param count approximate number of steps
 * @param isWhole for values that are shown without decimals
 */
export function ticks(max: number, count = 3, isWhole = false): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = isWhole ? Math.max(1, max / count) : max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const factors = isWhole && power === 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  const step = (factors.find((factor) => factor * power >= rough) ?? 10) * power
  const found = [0]
  while ((found.at(-1) ?? 0) < max) found.push(found.length * step)
  return found
}

type Path = readonly (readonly [x: number, y: number])[]

/** A line through points, as the `d` of an SVG path. */
export function linePath(points: Path): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}

/** The area between two lines from left to right. */
export function bandPath(upper: Path, lower: Path): string {
  return `${linePath([...upper, ...lower.toReversed()])}Z`
}

/** An effort this much slower than the middle one does not set the axis. */
const MOST_SLOWER = 1.35

/** The slowest time that the axis shows. */
export function slowestShown(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return sorted.findLast((timeS) => timeS <= MOST_SLOWER * middle) ?? middle
}
