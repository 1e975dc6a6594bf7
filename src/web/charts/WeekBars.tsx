import { date, distance, text, type Units } from '../format.ts'
import './charts.css'

interface WeekBarsProps {
  /** Monday, `yyyy-MM-dd`. */
  readonly weekStart: string
  /** Seven days each, metres. */
  readonly currentM: readonly number[]
  readonly previousM: readonly number[]
  /** 0 is Monday; null when the week is not the present one. */
  readonly today: number | null
  readonly units: Units
}

/** The days of this week, with those of the last one as shadows behind them. */
export function WeekBars({ weekStart, currentM, previousM, today, units }: WeekBarsProps) {
  const max = Math.max(...currentM, ...previousM, 1)
  const names = currentM.map((_, day) => dayName(weekStart, day))
  return (
    <ol class="week-bars" aria-label="Distance of each day, with the same day of last week">
      {currentM.map((metres, day) => {
        const before = previousM[day] ?? 0
        const said = `${text(distance(metres, units, 1))}, last week ${text(distance(before, units, 1))}`
        return (
          <li key={names[day]} class={day === today ? 'today' : ''} title={said}>
            <span class="value" aria-hidden="true">
              {metres > 0 ? distance(metres, units, 1).value : ''}
            </span>
            <span class="column" aria-hidden="true">
              <span class="ghost" style={{ height: `${(before / max) * 100}%` }} />
              <span class="bar" style={{ height: `${(metres / max) * 100}%` }} />
            </span>
            <span class="name">{names[day]}</span>
            <span class="hidden-text">{said}</span>
          </li>
        )
      })}
    </ol>
  )
}

function dayName(weekStart: string, day: number): string {
  const at = Date.parse(`${weekStart}T00:00:00Z`) + day * 86_400_000
  return date(new Date(at).toISOString().slice(0, 10), 'weekday')
}
