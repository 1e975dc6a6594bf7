import { isoDate } from '../../engine/calendar/weeks.ts'
import { dayNumber, weekdayIndex } from '../days.ts'
import { date, type Units } from '../format.ts'
import { navigate } from '../router.ts'
import { type Steps, usePlace } from './use-place.ts'
import { dayText } from './week-bars.tsx'
import './charts.css'

interface DayStripProps {
  /** Metres by local day, `yyyy-MM-dd`; null while loading. */
  readonly days: ReadonlyMap<string, number> | null
  /** Today's local day. */
  readonly today: string
  readonly units: Units
  /** Shows half as many weeks, which fit on a phone. */
  readonly isShort: boolean
}

const WEEKS = 53
/** Number of weeks of a short strip. */
const FEW_WEEKS = 26
/** Upper limits of the first three shades, as shares of a long day. */
const SHADES = [0.25, 0.5, 0.8] as const
/** Arrow keys: days are below each other, weeks side by side. */
const STEPS: Steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28 }

/** The last year, or half of it, with one square a day, a column per week, Monday on top. */
export function DayStrip({ days, today, units, isShort }: DayStripProps) {
  const weeks = isShort ? FEW_WEEKS : WEEKS
  const weekday = weekdayIndex(today)
  const first = dayNumber(today) - weekday - (weeks - 1) * 7
  const cells = Array.from({ length: weeks * 7 }, (_, index) => isoDate(first + index))
  const count = (weeks - 1) * 7 + weekday + 1
  const showRuns = (index: number) => {
    const key = cells[index] ?? ''
    if (days?.has(key) === true) navigate(`/app/runs?from=${key}&to=${key}`)
  }
  const indexOf = ({ target }: Event) => {
    const index = target instanceof HTMLElement ? Number(target.dataset.index ?? Number.NaN) : Number.NaN
    return Number.isNaN(index) ? null : index
  }
  const { place, handlers } = usePlace({ count, at: indexOf, steps: STEPS, onEnter: showRuns })
  const long = longDay(days)
  const running = days === null ? 0 : [...days.keys()].filter((key) => key >= (cells[0] ?? '')).length
  const summary = `${running} ${running === 1 ? 'day' : 'days'} with a run`
  const pointed = cells[place ?? -1]
  const told = pointed === undefined ? summary : `${date(pointed, 'long')} · ${dayText(days?.get(pointed) ?? 0, units)}`
  return (
    <figure class="strip">
      <figcaption class="muted">{days === null ? ' ' : told}</figcaption>
      <div class="strip-months" aria-hidden="true">
        {monthStarts(cells, weeks).map(({ column, key }) => (
          <span key={key} style={{ gridColumn: `${column + 2} / span 4` }}>
            {date(key, 'month')}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter does it, see usePlace */}
      <div
        class="strip-days"
        role="slider"
        tabIndex={0}
        aria-label={`${summary} in ${isShort ? 'half a' : 'the last'} year. Arrow keys go through the days, Enter shows the runs of one`}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(place ?? count - 1) + 1}
        aria-valuetext={told}
        {...handlers}
        onClick={(event) => showRuns(indexOf(event) ?? -1)}
      >
        {cells.slice(0, 7).map((key, row) => (
          <span key={row} class="strip-weekday">
            {row % 2 === 0 && date(key, 'weekday')}
          </span>
        ))}
        {cells.map((key, index) => {
          const metres = days?.get(key) ?? 0
          const classes = [
            'day',
            index >= count ? 'future' : `shade-${shade(metres, long)}`,
            index === place ? 'pointed' : '',
          ]
          return <span key={key} data-index={index >= count ? undefined : index} class={classes.join(' ')} />
        })}
      </div>
    </figure>
  )
}

/**
 * The distance that nine of ten days with a run do not exceed, so that one marathon does not make all other days pale.
 */
function longDay(days: ReadonlyMap<string, number> | null): number {
  const distances = [...(days?.values() ?? [])].sort((a, b) => a - b)
  return distances[Math.floor(distances.length * 0.9)] ?? 1
}

function shade(metres: number, long: number): number {
  if (metres <= 0) return 0
  const found = SHADES.findIndex((share) => metres <= share * long)
  return found === -1 ? SHADES.length + 1 : found + 1
}

function monthStarts(cells: readonly string[], weeks: number): { readonly column: number; readonly key: string }[] {
  return cells.flatMap((key, index) => {
    const column = Math.floor(index / 7)
    return key.endsWith('-01') && column < weeks - 2 ? [{ column, key }] : []
  })
}
