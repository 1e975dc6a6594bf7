import type { FormSeries } from './form-series.ts'
import { MonthNames } from './month-names.tsx'

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

/** Names of the months of the days that are drawn. */
export function Months({ series: { days, rest }, x, width, y }: MonthsProps) {
  const firsts = [...days, ...rest].flatMap(({ date: day }, index) =>
    day.endsWith('-01') ? [{ day, x: x(index) }] : [],
  )
  return <MonthNames firsts={firsts} left={LEFT} width={width} y={y} />
}
