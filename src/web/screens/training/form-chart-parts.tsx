import { date } from '../../format.ts'
import type { FormSeries } from './form-series.ts'

/** Left edge of the chart's parts, pixels. */
export const LEFT = 34

/** Patterns that distinguish areas without colour. */
export function Patterns() {
  return (
    <defs>
      <pattern id="tc-pace" width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="tc-fill" width={2} height={4} />
      </pattern>
      <pattern id="tc-rough" width={4} height={4} patternUnits="userSpaceOnUse">
        <circle class="tc-fill" cx={2} cy={2} r={1.1} />
      </pattern>
      <pattern id="tc-warming" width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="tc-hatch" width={1.5} height={8} />
      </pattern>
    </defs>
  )
}

/** The name of a part, above it. */
export function PartName({ y, text }: { readonly y: number; readonly text: string }) {
  return (
    <text class="tick strong" x={LEFT} y={y - 8}>
      {text}
    </text>
  )
}

interface MarkProps {
  readonly y: number
  readonly right: number
  readonly text: string
  readonly isBase?: boolean
}

/** A grid line with its number. */
export function Mark({ y, right, text, isBase = false }: MarkProps) {
  return (
    <g>
      <line class={isBase ? 'base' : 'grid'} x1={LEFT} x2={right} y1={y} y2={y} />
      <text class="tick" x={LEFT - 6} y={y + 4} text-anchor="end">
        {text}
      </text>
    </g>
  )
}

interface MonthsProps {
  readonly series: FormSeries
  readonly x: (index: number) => number
  readonly width: number
  readonly y: number
}

/** Possible distances between shown month names; each includes January. */
const EVERY = [1, 2, 3, 4, 6, 12, 24, 60] as const

/** Names of months at their first days, as many as fit; years alone when only one month of each fits. */
export function Months({ series: { days, rest }, x, width, y }: MonthsProps) {
  const firsts = [...days, ...rest].flatMap(({ date: day }, index) => (day.endsWith('-01') ? [{ day, index }] : []))
  const fitting = Math.max(1, Math.floor((width - LEFT) / 56))
  const every = EVERY.find((months) => firsts.length / months <= fitting) ?? 120
  return (
    <g>
      {firsts.map(
        ({ day, index }) =>
          (12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1) % every === 0 &&
          x(index) < width - 24 && (
            <text key={day} class="tick" x={x(index)} y={y}>
              {every >= 12
                ? day.slice(0, 4)
                : date(day, day.endsWith('-01-01') && width > 500 ? 'shortMonthYear' : 'month')}
            </text>
          ),
      )}
    </g>
  )
}
