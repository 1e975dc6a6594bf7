import { date, number, roughDistance, text, type Units, unitLengthM } from '../format.ts'
import { linePath, ticks } from './scale.ts'
import { useWidth } from './useWidth.ts'
import './charts.css'

interface YearCurvesProps {
  readonly year: number
  readonly against: number | null
  /** Metres of each of the 52 parts of the years. */
  readonly currentM: readonly number[]
  readonly againstM: readonly number[]
  /** How much of the year is over, 0 to 1. */
  readonly shareOfYear: number
  readonly units: Units
}

const HEIGHT = 230
const TOP = 12
const BOTTOM = 26
const LEFT = 44
const RIGHT = 10
const MONTHS = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}-01`)

/** Distance as it adds up over the year, against another year. */
export function YearCurves({ year, against, currentM, againstM, shareOfYear, units }: YearCurvesProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const current = cumulated(currentM)
  const other = cumulated(againstM)
  const unit = unitLengthM(units)
  const marks = ticks(Math.max(current.at(-1) ?? 0, other.at(-1) ?? 0) / unit)
  const max = (marks.at(-1) ?? 1) * unit
  const inner = width - LEFT - RIGHT
  const x = (share: number) => LEFT + share * inner
  const y = (metres: number) => TOP + (1 - metres / max) * (HEIGHT - TOP - BOTTOM)
  const line = (sums: readonly number[], untilShare: number) =>
    sums.flatMap((sum, index) => (index / 52 <= untilShare ? [[x(index / 52), y(sum)] as const] : []))
  const drawn = [...line(current, shareOfYear), [x(shareOfYear), y(current.at(-1) ?? 0)] as const]
  const end = drawn.at(-1)
  const label = `${year}: ${text(roughDistance(current.at(-1) ?? 0, units))} so far${
    against === null ? '' : `; ${against}: ${text(roughDistance(other.at(-1) ?? 0, units))} in the whole year`
  }`
  return (
    <div ref={ref} class="chart" style={{ height: `${HEIGHT}px` }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {marks.map((mark) => (
            <g key={mark}>
              <line
                class={mark === 0 ? 'base' : 'grid'}
                x1={LEFT}
                x2={width - RIGHT}
                y1={y(mark * unit)}
                y2={y(mark * unit)}
              />
              <text class="tick" x={LEFT - 8} y={y(mark * unit) + 4} text-anchor="end">
                {number(mark)}
              </text>
            </g>
          ))}
          {MONTHS.map((first, month) => (
            <text key={first} class="tick" x={x((month + 0.5) / 12)} y={HEIGHT - 6} text-anchor="middle">
              {width < 520 ? date(first, 'month').slice(0, 1) : date(first, 'month')}
            </text>
          ))}
          <path class="line other" d={linePath(line(other, 1))} />
          <path class="area" d={`${linePath(drawn)}L${x(shareOfYear)} ${y(0)}L${x(0)} ${y(0)}Z`} />
          <path class="line" d={linePath(drawn)} />
          {end !== undefined && <circle class="dot" cx={end[0]} cy={end[1]} r={5} />}
        </svg>
      )}
    </div>
  )
}

/** 53 sums: before the first part and after each. */
function cumulated(parts: readonly number[]): number[] {
  const sums = [0]
  for (const part of parts) sums.push((sums.at(-1) ?? 0) + part)
  return sums
}

/** What was run of a year when `share` of it was over, metres. */
export function sumAt(parts: readonly number[], share: number): number {
  const sums = cumulated(parts)
  const at = Math.min(share * parts.length, parts.length)
  const whole = Math.floor(at)
  return (sums[whole] ?? 0) + (at - whole) * (parts[whole] ?? 0)
}
