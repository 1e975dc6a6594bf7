import { fittedRoute } from '../../engine/route/box.ts'
import { METRES_PER_DEGREE } from '../../engine/route/geo.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { type Html, html } from './html.ts'

const WIDTH = 720
const MAP = { height: 420, margin: 36 } as const
/** Longest scale. */
const MOST_SCALE = 150
/** With room for the letters of narrow screens (style.ts). */
const CHART = { height: 180, top: 12, bottom: 34, left: 84, right: 12 } as const

/** Steps of a scale or an axis. */
const STEPS = [1, 2, 5] as const

/** The greatest of 1, 2, 5, 10, 20 … that is not above a value. */
function stepBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * (STEPS.findLast((step) => step * power <= value * (1 + 1e-9)) ?? 1)
}

interface Unit {
  /** Metres of a km or mile. */
  readonly unitM: number
  readonly name: string
}

/** A route on plain ground, north up, with a scale. @param coordinates [longitude, latitude], at least two */
export function mapDrawing(coordinates: readonly (readonly number[])[], { unitM, name }: Unit): Html {
  const { margin, height } = MAP
  const box = { x: margin, y: margin, width: WIDTH - 2 * margin, height: height - 2 * margin }
  const { points, perDegree } = fittedRoute(coordinates, box)
  const spots = points.map((spot) => spot.map(fixed))
  const [start = [], finish = []] = [spots[0], spots.at(-1)]
  const line = `M${spots.map((spot) => spot.join(' ')).join('L')}`
  const scale = perDegree / METRES_PER_DEGREE
  const mostM = MOST_SCALE / scale
  const isShort = mostM < unitM
  const barM = isShort ? stepBelow(mostM) : stepBelow(mostM / unitM) * unitM
  const bar = isShort ? `${barM} m` : `${barM / unitM} ${name}`
  const at = WIDTH - margin / 2
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Map of the route">
<path class="halo" d="${line}"/><path class="route" d="${line}"/>
<circle class="start" cx="${start[0]!}" cy="${start[1]!}" r="7"/><rect class="finish" x="${finish[0]! - 6}" y="${finish[1]! - 6}" width="12" height="12" rx="2"/>
${mostM < 1 ? null : html`<path class="scale" d="M${fixed(at - barM * scale)} ${height - 20}v6H${at}v-6"/><text x="${at}" y="${height - 26}" text-anchor="end">${bar}</text>`}
</svg>`
}

interface Chart extends Unit {
  readonly title: string
  readonly kind: 'pace' | 'heart' | 'elevation'
  /** Metres at each value; null: unknown. */
  readonly distanceM: readonly (number | null)[]
  readonly values: readonly (number | null)[]
  readonly words: (value: number) => string
}

/** A line over the distance, faster paces above; null for fewer than two values. */
export function chartDrawing({ title, kind, distanceM, values, words, unitM, name }: Chart): Html | null {
  const points = distanceM.flatMap((metres, k) => {
    const value = values[k] ?? null
    return metres === null || value === null ? [] : [{ metres, value }]
  })
  const endM = distanceM.findLast((metres) => metres !== null) ?? 0
  if (points.length < 2 || endM <= 0) return null
  const [low, high] = rangeOf(
    points.map(({ value }) => value),
    kind,
  )
  const bottom = CHART.height - CHART.bottom
  const x = (metres: number) => fixed(CHART.left + (metres / endM) * (WIDTH - CHART.left - CHART.right))
  const y = (value: number) => {
    const share = (Math.min(Math.max(value, low), high) - low) / (high - low)
    return fixed(CHART.top + (kind === 'pace' ? share : 1 - share) * (bottom - CHART.top))
  }
  const line = points.map(({ metres, value }) => `${x(metres)} ${y(value)}`).join('L')
  const stepM = stepBelow(endM / unitM / 3) * unitM
  const ticks = Array.from({ length: Math.floor(endM / stepM + 1e-9) + 1 }, (_, k) => k * stepM)
  const labels = [low, (low + high) / 2, high].map(
    (value) =>
      html`<path class="grid" d="M${CHART.left} ${y(value)}H${WIDTH - CHART.right}"/><text x="${CHART.left - 8}" y="${y(value) + 4}" text-anchor="end">${words(value)}</text>`,
  )
  const area =
    kind === 'elevation'
      ? html`<path class="area" d="M${x(points[0]!.metres)} ${bottom}L${line}L${x(points.at(-1)!.metres)} ${bottom}Z"/>`
      : null
  return html`<h2>${title}</h2><svg class="${kind}" viewBox="0 0 ${WIDTH} ${CHART.height}" role="img" aria-label="${title} over the distance">
${labels}${ticks.map((metres) => html`<text x="${x(metres)}" y="${CHART.height - 6}" text-anchor="${metres === 0 ? 'start' : 'middle'}">${fixed(metres / unitM)}${metres === 0 ? ` ${name}` : ''}</text>`)}
${area}<path class="line" d="M${line}"/>
</svg>`
}

/** Least ranges that a chart shows: bpm, metres, seconds per km. */
const LEAST: Readonly<Record<Chart['kind'], number>> = { pace: 60, heart: 20, elevation: 20 }
/** The slowest shares of paces are left out of the range: standing at a light is no pace. */
const SLOWEST_SHARE = 0.03

function rangeOf(values: readonly number[], kind: Chart['kind']): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[0]!
  const high = sorted[Math.ceil((sorted.length - 1) * (kind === 'pace' ? 1 - SLOWEST_SHARE : 1))]!
  const missing = Math.max(0, LEAST[kind] - (high - low)) / 2
  return [low - missing, high + missing]
}

function fixed(value: number): number {
  return roundHalfUp(value, 1)
}
