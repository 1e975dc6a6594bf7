import { MonthNames } from '../../charts/month-names.tsx'
import type { FormSeries } from './form-series.ts'

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

interface MonthsProps {
  readonly series: FormSeries
  readonly x: (index: number) => number
}

/** Names of the months of the days that are drawn. */
export function Months({ series: { days, rest }, x }: MonthsProps) {
  const firsts = [...days, ...rest].flatMap(({ date: day }, index) =>
    day.endsWith('-01') ? [{ day, x: x(index) }] : [],
  )
  return <MonthNames firsts={firsts} />
}
