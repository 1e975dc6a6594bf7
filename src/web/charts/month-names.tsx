import { shiftedDay } from '../days.ts'
import { date } from '../format.ts'
import { Ends, useFrame } from './plot.tsx'

/** Possible distances between shown month names; each includes January. */
const EVERY = [1, 2, 3, 4, 6, 12, 24, 60] as const
/** Room for one name, and for the last one before the right edge, pixels. */
const NAME_PX = 56
const LAST_PX = 24

interface MonthNamesProps {
  /** First days of months, and their places on the axis in pixels. */
  readonly firsts: readonly { readonly day: string; readonly x: number }[]
}

/** Names of months at their first days, as many as fit; years alone when only one month of each fits. */
export function MonthNames({ firsts }: MonthNamesProps) {
  const { left, width, height } = useFrame()
  const fitting = Math.max(1, Math.floor((width - left) / NAME_PX))
  const every = EVERY.find((months) => firsts.length / months <= fitting) ?? 120
  return (
    <g>
      {firsts.map(
        ({ day, x }) =>
          (12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1) % every === 0 &&
          x < width - LAST_PX && (
            <text key={day} class="tick" x={x} y={height - 6}>
              {every >= 12
                ? day.slice(0, 4)
                : date(day, day.endsWith('-01-01') && width > 500 ? 'shortMonthYear' : 'month')}
            </text>
          ),
      )}
    </g>
  )
}

interface DayAxisProps {
  /** First and last day, ISO. */
  readonly from: string
  readonly to: string
  /** The place of a day between them. */
  readonly x: (day: string) => number
}

/** The axis of a chart over days: names of months, and both ends where there are too few of them. */
export function DayAxis({ from, to, x }: DayAxisProps) {
  const firsts: { day: string; x: number }[] = []
  for (let day = from; day <= to; day = nextMonth(day)) if (day.endsWith('-01')) firsts.push({ day, x: x(day) })
  if (firsts.length > 1) return <MonthNames firsts={firsts} />
  return <Ends from={date(from, 'day')} to={date(to, 'day')} />
}

/** The first day of the month after that of a day. */
function nextMonth(day: string): string {
  return `${shiftedDay(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
}
