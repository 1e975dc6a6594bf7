import { date, number, roughDistance, text, type Units, unitLengthM } from '../format.ts'
import { linePath, ticks } from './scale.ts'
import { useWidth } from './use-width.ts'
import { cumulated, INSETS, type useYearPlace, type YearSums } from './use-year-place.ts'
import './charts.css'

interface YearCurvesProps {
  readonly year: number
  readonly sums: YearSums
  readonly units: Units
  readonly place: ReturnType<typeof useYearPlace>
  /** Description of the place for screen readers. */
  readonly told: string
}

const HEIGHT = 230
const TOP = 12
const BOTTOM = 26
const MONTHS = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}-01`)

/** Cumulative distance over the year, compared with another year; every day can be pointed at. */
export function YearCurves({ year, sums, units, place, told }: YearCurvesProps) {
  const { against, currentM, againstM, shareOfYear } = sums
  const { shown, isPointed } = place
  const [ref, width] = useWidth<HTMLDivElement>()
  const current = cumulated(currentM)
  const other = cumulated(againstM)
  const unit = unitLengthM(units)
  const marks = ticks(Math.max(current.at(-1) ?? 0, other.at(-1) ?? 0) / unit)
  const max = (marks.at(-1) ?? 1) * unit
  const digits = (marks[1] ?? 1) >= 1 ? 0 : 2
  const right = width - INSETS.right
  const x = (share: number) => INSETS.left + share * (right - INSETS.left)
  const y = (metres: number) => TOP + (1 - metres / max) * (HEIGHT - TOP - BOTTOM)
  const line = (totals: readonly number[], untilShare: number) =>
    totals.flatMap((total, index) => (index / 52 <= untilShare ? [[x(index / 52), y(total)] as const] : []))
  const drawn = [...line(current, shareOfYear), [x(shareOfYear), y(current.at(-1) ?? 0)] as const]
  const label = `${year}: ${text(roughDistance(current.at(-1) ?? 0, units))} so far${
    against === null ? '' : `; ${against}: ${text(roughDistance(other.at(-1) ?? 0, units))} in the whole year`
  }. Arrow keys go through the weeks`
  return (
    <div
      ref={ref}
      class="chart pointable"
      style={{ height: `${HEIGHT}px` }}
      role="slider"
      tabIndex={0}
      {...place.handlers}
      aria-valuemin={1}
      aria-valuemax={place.days}
      aria-valuenow={place.day}
      aria-label={label}
      aria-valuetext={told}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {marks.map((mark) => (
            <g key={mark}>
              <line
                class={mark === 0 ? 'base' : 'grid'}
                x1={INSETS.left}
                x2={right}
                y1={y(mark * unit)}
                y2={y(mark * unit)}
              />
              <text class="tick" x={INSETS.left - 8} y={y(mark * unit) + 4} text-anchor="end">
                {number(mark, digits)}
              </text>
            </g>
          ))}
          {MONTHS.map((first, month) => (
            <text key={first} class="tick" x={x((month + 0.5) / 12)} y={HEIGHT - 6} text-anchor="middle">
              {width < 520 ? date(first, 'month').slice(0, 1) : date(first, 'month')}
            </text>
          ))}
          {isPointed && <line class="pointer" x1={x(shown.share)} x2={x(shown.share)} y1={TOP} y2={HEIGHT - BOTTOM} />}
          <path class="line other" d={linePath(line(other, 1))} />
          <path class="area" d={`${linePath(drawn)}L${x(shareOfYear)} ${y(0)}L${x(0)} ${y(0)}Z`} />
          <path class="line" d={linePath(drawn)} />
          {isPointed && against !== null && (
            <circle class="dot other" cx={x(shown.share)} cy={y(shown.againstM)} r={4.5} />
          )}
          {shown.currentM !== null && <circle class="dot" cx={x(shown.share)} cy={y(shown.currentM)} r={5} />}
        </svg>
      )}
    </div>
  )
}
