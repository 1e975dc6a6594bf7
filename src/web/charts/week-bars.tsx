import { shiftedDay } from '../days.ts'
import { date, distance, type Quantity, text, type Units } from '../format.ts'
import { Link } from '../router.ts'
import { daysPath } from '../screens/run-query.ts'
import './charts.css'

interface WeekBarsProps {
  /** Monday, `yyyy-MM-dd`. */
  readonly weekStart: string
  /** Values of seven days. */
  readonly current: readonly number[]
  readonly previous: readonly number[]
  /** 0 is Monday; null when the week is not the current one. */
  readonly today: number | null
  /** A value as text and unit. */
  readonly show: (value: number) => Quantity
}

/** The days of this week as bars, in front of those of the last one. */
export function WeekBars({ weekStart, current, previous, today, show }: WeekBarsProps) {
  const max = Math.max(...current, ...previous, 1)
  const height = (value: number) => `${(value / max) * 100}%`
  const words = (value: number) => (value > 0 ? text(show(value)) : 'no run')
  const names = current.map((_, day) => dayName(weekStart, day))
  return (
    <figure class="week-chart">
      <figcaption aria-hidden="true">
        <span>
          <span class="key-box" /> This week
        </span>
        <span>
          <span class="key-box before" /> Last week
        </span>
      </figcaption>
      <ol class="week-bars" aria-label="By day, compared with last week">
        {current.map((value, day) => {
          const before = previous[day] ?? 0
          const said = `${words(value)}, last week ${words(before)}`
          const own = shiftedDay(weekStart, day)
          return (
            <li key={names[day]} class={day === today ? 'today' : ''} title={said}>
              <span class="column" aria-hidden="true">
                <span class="ghost" style={{ height: height(before) }} />
                <span class="bar" style={{ height: height(value) }} />
                {value > 0 && (
                  <span class="value" style={{ bottom: height(value) }}>
                    {show(value).value}
                  </span>
                )}
              </span>
              {value > 0 ? (
                <Link class="name" href={daysPath(own, own)}>
                  {names[day]}
                  <span class="hidden-text">: {said}</span>
                </Link>
              ) : (
                <>
                  <span class="name">{names[day]}</span>
                  <span class="hidden-text">{said}</span>
                </>
              )}
            </li>
          )
        })}
      </ol>
    </figure>
  )
}

/** Such as `8.6 km`; a day without distance has no run. */
export function dayText(metres: number, units: Units): string {
  return metres > 0 ? text(distance(metres, units, 1)) : 'no run'
}

function dayName(weekStart: string, day: number): string {
  return date(shiftedDay(weekStart, day), 'weekday')
}
