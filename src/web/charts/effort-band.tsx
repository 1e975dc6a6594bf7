import { shiftedDay } from '../days.ts'
import { date, number } from '../format.ts'
import type { RelativeEffort } from '../types.ts'
import { linePath } from './scale.ts'
import { useWidth } from './use-width.ts'
import './charts.css'

const HEIGHT = 184
const TOP = 14
const BOTTOM = 24
const SIDE = 6

interface EffortBandProps {
  readonly stats: RelativeEffort
  /** 0 is Monday. */
  readonly today: number
  /** No run of the week has a heart rate, so no line is drawn. */
  readonly isUnknown: boolean
}

/** Cumulative effort of the week, with the range and the average of the three weeks before. */
export function EffortBand({ stats, today, isUnknown }: EffortBandProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { currentWeek, rangeMin, rangeMax, threeWeekAverage, weekStart } = stats
  const max = Math.max(rangeMax, ...currentWeek, 1)
  const x = (day: number) => SIDE + (day * (width - 2 * SIDE)) / 6
  const y = (value: number) => TOP + (1 - value / max) * (HEIGHT - TOP - BOTTOM)
  const known = isUnknown ? [] : currentWeek.slice(0, today + 1)
  const points = known.map((value, day) => [x(day), y(value)] as const)
  const last = points.at(-1)
  const soFar = isUnknown ? 'unknown' : number(currentWeek.at(-1) ?? 0)
  const label = `Relative effort so far ${soFar}; the three weeks before were between ${number(rangeMin)} and ${number(rangeMax)}, on average ${number(threeWeekAverage, 0)}`
  const day = (index: number) => date(shiftedDay(weekStart, index), 'weekday')
  return (
    <div ref={ref} class="chart" style={{ height: `${HEIGHT}px` }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {rangeMax > 0 && (
            <>
              <rect
                class="band"
                x={0}
                width={width}
                y={y(rangeMax)}
                height={Math.max(2, y(rangeMin) - y(rangeMax))}
                rx={6}
              />
              <line class="band-average" x1={0} x2={width} y1={y(threeWeekAverage)} y2={y(threeWeekAverage)} />
            </>
          )}
          <line class="base" x1={0} x2={width} y1={y(0)} y2={y(0)} />
          <path class="line" d={linePath(points)} />
          {last !== undefined && <circle class="dot" cx={last[0]} cy={last[1]} r={5} />}
          {Array.from({ length: 7 }, (_, index) => (
            <text
              key={day(index)}
              class={index === today ? 'tick strong' : 'tick'}
              x={x(index)}
              y={HEIGHT - 6}
              text-anchor={index === 0 ? 'start' : index === 6 ? 'end' : 'middle'}
              dx={index === 0 ? -SIDE : index === 6 ? SIDE : 0}
            >
              {day(index).slice(0, width < 260 ? 1 : 3)}
            </text>
          ))}
        </svg>
      )}
    </div>
  )
}
