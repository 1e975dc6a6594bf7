import { date, dateRange, roughDistance, text, type Units } from '../format.ts'
import type { YearlyWeekly } from '../types.ts'
import { partAt, usePlace } from './use-place.ts'
import './charts.css'

interface YearBarsProps {
  readonly weeks: YearlyWeekly['weeks']
  readonly units: Units
}

/** 52 weeks side by side; the one that is pointed at is told above them. */
export function YearBars({ weeks, units }: YearBarsProps) {
  const { place, handlers } = usePlace({
    count: weeks.length,
    at: (event) => partAt(event, weeks.length),
    // the sum of all stands behind the last week
    start: weeks.length,
  })
  const distances = weeks.map(({ distanceM }) => distanceM)
  const max = Math.max(...distances, 1)
  const total = distances.reduce((sum, metres) => sum + metres, 0)
  const average = total / Math.max(1, weeks.length)
  const week = place === null ? undefined : weeks[place]
  const metres = text(roughDistance(week?.distanceM ?? total, units))
  const about =
    week === undefined
      ? `${text(roughDistance(average, units))} a week on average`
      : dateRange(week.weekStart, week.weekEnd, 'short')
  return (
    <figure class="year-bars">
      <figcaption>
        <strong>{metres}</strong>
        <span class="muted">
          {week === undefined && <span class="key-line mean" aria-hidden="true" />}
          {about}
        </span>
      </figcaption>
      <div
        class="bars"
        role="slider"
        tabIndex={0}
        aria-label={`Weeks, at most ${text(roughDistance(max, units))} in one. Arrow keys go through them`}
        aria-valuemin={1}
        aria-valuemax={weeks.length}
        aria-valuenow={(place ?? weeks.length - 1) + 1}
        aria-valuetext={`${metres}, ${about}`}
        {...handlers}
      >
        <span class="average" style={{ bottom: `${(average / max) * 100}%` }} />
        {weeks.map(({ weekNumber, distanceM }, index) => (
          <span key={weekNumber} class={index === place ? 'slot pointed' : 'slot'}>
            <span class="bar" style={{ height: distanceM > 0 ? `max(3px, ${(distanceM / max) * 100}%)` : '0' }} />
          </span>
        ))}
      </div>
      <div class="bar-months" aria-hidden="true">
        {[0, 13, 26, 39, 51].map((index) => (
          <span key={index}>{weeks[index] === undefined ? '' : date(weeks[index].weekStart, 'month')}</span>
        ))}
      </div>
    </figure>
  )
}
