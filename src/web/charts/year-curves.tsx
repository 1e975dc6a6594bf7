import type { ComponentChildren } from 'preact'
import { date, number, roughDistance, text, unitLengthM } from '../format.ts'
import { useUnits } from '../state.ts'
import { Levels, Line, Plot, useFrame } from './plot.tsx'
import { linePath, ticks } from './scale.ts'
import type { TableViewProps } from './table-view.tsx'
import { cumulated, DAYS, YEAR_STEPS, type YearSums, yearPlace } from './year-place.ts'

interface YearCurvesProps {
  readonly year: number
  readonly sums: YearSums
  /** Description of a day of the year for screen readers; null: today. */
  readonly textAt: (day: number | null) => string
  readonly caption: (day: number | null) => ComponentChildren
  readonly table: TableViewProps
  /** Called on Enter and click on a day. */
  readonly onOpen: (day: number) => void
}

const HEIGHT = 230
const TOP = 12
const BOTTOM = 26
const MONTHS = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}-01`)

/** Cumulative distance over the year, compared with another year; every day can be pointed at. */
export function YearCurves({ year, sums, textAt, caption, table, onOpen }: YearCurvesProps) {
  const units = useUnits()
  const { against, currentM, againstM, shareOfYear } = sums
  const current = cumulated(currentM)
  const other = cumulated(againstM)
  const today = Math.floor(shareOfYear * DAYS) - 1
  const unit = unitLengthM(units)
  const marks = ticks(Math.max(current.at(-1) ?? 0, other.at(-1) ?? 0) / unit)
  const max = (marks.at(-1) ?? 1) * unit
  const digits = (marks[1] ?? 1) >= 1 ? 0 : 2
  const y = (metres: number) => TOP + (1 - metres / max) * (HEIGHT - TOP - BOTTOM)
  const label = `${year}: ${text(roughDistance(current.at(-1) ?? 0, units))} so far${
    against === null ? '' : `; ${against}: ${text(roughDistance(other.at(-1) ?? 0, units))} for the full year`
  }. Arrow keys move between weeks, Enter shows the runs until then`
  return (
    <Plot
      class="year-curves"
      label={label}
      height={HEIGHT}
      left={44}
      // without another year there is nothing to show for future days
      count={against === null ? Math.max(1, today + 1) : DAYS}
      start={today}
      steps={YEAR_STEPS}
      textAt={(day) => textAt(day === today ? null : day)}
      caption={caption}
      table={table}
      onOpen={onOpen}
      isOpenedByMouse
      shareOf={(day) => (day + 1) / DAYS}
      of={[sums, units]}
      draw={({ x }) => {
        const line = (totals: readonly number[], untilShare: number) =>
          totals.flatMap((total, index) => {
            const share = index / (totals.length - 1)
            return share <= untilShare ? [[x(share), y(total)] as const] : []
          })
        const now = [x(shareOfYear), y(current.at(-1) ?? 0)] as const
        const drawn = linePath([...line(current, shareOfYear), now])
        return (
          <>
            <Levels at={marks} y={(mark) => y(mark * unit)} text={(mark) => number(mark, digits)} />
            <Months />
            <path class="line other" d={linePath(line(other, 1))} />
            <path class="area" d={`${drawn}L${now[0]} ${y(0)}L${x(0)} ${y(0)}Z`} />
            <path class="line" d={drawn} />
            <circle class="dot" cx={now[0]} cy={now[1]} r={5} />
          </>
        )
      }}
      point={({ x }, day) => {
        const at = yearPlace(sums, day)
        return (
          <>
            <Line at={x(at.share)} />
            {against !== null && <circle class="dot other" cx={x(at.share)} cy={y(at.againstM)} r={4.5} />}
            {at.currentM !== null && <circle class="dot" cx={x(at.share)} cy={y(at.currentM)} r={5} />}
          </>
        )
      }}
    />
  )
}

function Months() {
  const { width, height, x } = useFrame()
  return (
    <g>
      {MONTHS.map((first, month) => (
        <text key={first} class="tick" x={x((month + 0.5) / 12)} y={height - 6} text-anchor="middle">
          {date(first, 'month').slice(0, width < 520 ? 1 : undefined)}
        </text>
      ))}
    </g>
  )
}
