import { isoDate, weekdayOf } from '../../../../engine/calendar/weeks.ts'
import type { Steps } from '../../../charts/use-place.ts'
import { usePlace } from '../../../charts/use-place.ts'
import { dayNumber } from '../../../days.ts'
import { date } from '../../../format.ts'
import { navigate } from '../../../router.ts'
import type { RunCalendar } from '../../../types.ts'
import '../../../charts/charts.css'

export type CalendarDay = RunCalendar['days'][number]

interface HeatMapProps {
  readonly label: string
  /** First and last day shown. */
  readonly from: string
  readonly to: string
  readonly today: string
  readonly days: ReadonlyMap<string, CalendarDay>
  readonly tell: (day: string, ran: CalendarDay | undefined) => string
}

const WEEK_DAYS = 7
const STEPS: Steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28 }

/** One square per day, a column per week, Monday on top; days with a race have a frame. */
export function HeatMap({ label, from, to, today, days, tell }: HeatMapProps) {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const before = weekdayOf(first)
  const weeks = Math.ceil((before + last - first + 1) / WEEK_DAYS)
  const count = last - first + 1
  const keys = Array.from({ length: count }, (_, index) => isoDate(first + index))
  const columns = `24px repeat(${weeks}, minmax(0, 1fr))`
  const showRuns = (index: number) => {
    const key = keys[index] ?? ''
    if (days.has(key)) navigate(`/app/runs?from=${key}&to=${key}`)
  }
  const indexOf = ({ target }: Event) => {
    const index = target instanceof HTMLElement ? Number(target.dataset.index ?? Number.NaN) : Number.NaN
    return Number.isNaN(index) ? null : index
  }
  const start = Math.max(0, Math.min(count - 1, dayNumber(today) - first))
  const { place, handlers } = usePlace({ count, at: indexOf, steps: STEPS, start, onEnter: showRuns })
  const shown = keys[place ?? start] ?? from
  const told = tell(shown, days.get(shown))
  return (
    <figure class="tc heat">
      <figcaption aria-hidden="true" class="muted">
        {place === null ? '' : told}
      </figcaption>
      <div class="strip-months" style={{ gridTemplateColumns: columns }} aria-hidden="true">
        {keys.map((key, index) =>
          key.endsWith('-01') ? (
            <span key={key} style={{ gridColumn: `${Math.floor((before + index) / WEEK_DAYS) + 2} / span 4` }}>
              {date(key, 'month')}
            </span>
          ) : null,
        )}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter does it, see usePlace */}
      <div
        class="strip-days"
        style={{ gridTemplateColumns: columns }}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. Arrow keys go through the days, Enter shows the runs of one`}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(place ?? start) + 1}
        aria-valuetext={told}
        {...handlers}
        onClick={(event) => showRuns(indexOf(event) ?? -1)}
      >
        {Array.from({ length: WEEK_DAYS }, (_, row) => (
          <span key={row} class="strip-weekday">
            {row % 2 === 0 && date(isoDate(first - before + row), 'weekday')}
          </span>
        ))}
        {Array.from({ length: before }, (_, index) => (
          <span key={`before ${index}`} class="day" />
        ))}
        {keys.map((key, index) => {
          const ran = days.get(key)
          const classes = [
            'day',
            key > today && ran === undefined ? 'future' : `shade-${ran?.level ?? 0}`,
            ran?.race === true ? 'race' : '',
            index === place ? 'pointed' : '',
          ]
          return <span key={key} data-index={index} class={classes.join(' ').trimEnd()} />
        })}
      </div>
    </figure>
  )
}
