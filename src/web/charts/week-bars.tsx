import { shiftedDay } from '../days.ts'
import { date, distance, text, type Units } from '../format.ts'
import './charts.css'

interface WeekBarsProps {
  /** Monday, `yyyy-MM-dd`. */
  readonly weekStart: string
  /** Metres of seven days. */
  readonly currentM: readonly number[]
  readonly previousM: readonly number[]
  /** 0 is Monday; null when the week is not the current one. */
  readonly today: number | null
  readonly units: Units
}

/** The days of this week as bars, in front of those of the last one. */
export function WeekBars({ weekStart, currentM, previousM, today, units }: WeekBarsProps) {
  const max = Math.max(...currentM, ...previousM, 1)
  const height = (metres: number) => `${(metres / max) * 100}%`
  const names = currentM.map((_, day) => dayName(weekStart, day))
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
      <ol class="week-bars" aria-label="Distance of each day, with the same day of last week">
        {currentM.map((metres, day) => {
          const before = previousM[day] ?? 0
          const said = `${dayText(metres, units)}, last week ${dayText(before, units)}`
          return (
            <li key={names[day]} class={day === today ? 'today' : ''} title={said}>
              <span class="column" aria-hidden="true">
                <span class="ghost" style={{ height: height(before) }} />
                <span class="bar" style={{ height: height(metres) }} />
                {metres > 0 && (
                  <span class="value" style={{ bottom: height(metres) }}>
                    {distance(metres, units, 1).value}
                  </span>
                )}
              </span>
              <span class="name">{names[day]}</span>
              <span class="hidden-text">{said}</span>
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
