import { useState } from 'preact/hooks'
import { date, dateRange, roughDistance, text, type Units } from '../format.ts'
import type { YearlyWeekly } from '../types.ts'
import './charts.css'

interface YearBarsProps {
  readonly weeks: YearlyWeekly['weeks']
  readonly units: Units
}

/** 52 weeks side by side; the one under the pointer is told above them. */
export function YearBars({ weeks, units }: YearBarsProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const distances = weeks.map(({ distanceM }) => distanceM)
  const max = Math.max(...distances, 1)
  const total = distances.reduce((sum, metres) => sum + metres, 0)
  const average = total / Math.max(1, weeks.length)
  const week = pointed === null ? undefined : weeks[pointed]
  return (
    <figure class="year-bars">
      <figcaption>
        {week === undefined ? (
          <>
            <strong>{text(roughDistance(total, units))}</strong>
            <span class="muted">{text(roughDistance(average, units))} a week on average</span>
          </>
        ) : (
          <>
            <strong>{text(roughDistance(week.distanceM, units))}</strong>
            <span class="muted">{dateRange(week.weekStart, week.weekEnd, 'short')}</span>
          </>
        )}
      </figcaption>
      <div
        class="bars"
        role="img"
        aria-label={`${text(roughDistance(total, units))} in 52 weeks, at most ${text(roughDistance(max, units))} in one`}
        onPointerLeave={() => setPointed(null)}
      >
        <span class="average" style={{ bottom: `${(average / max) * 100}%` }} />
        {weeks.map(({ weekNumber, distanceM }, index) => (
          <span
            key={weekNumber}
            class={index === pointed ? 'slot pointed' : 'slot'}
            onPointerEnter={() => setPointed(index)}
          >
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
