import type { ComponentChildren } from 'preact'
import { isoDate, weekdayOf } from '../../engine/calendar/weeks.ts'
import { date, dayNumber } from '../format.ts'
import { navigate } from '../router.ts'
import { daysPath } from '../screens/run-query.ts'
import { type Steps, usePlace } from './plot.tsx'

interface DaySquaresProps {
  readonly class: string
  readonly label: string
  /** First and last day. */
  readonly from: string
  readonly to: string
  readonly today: string
  readonly hasRun: (day: string) => boolean
  readonly textAt: (day: string) => string
  /** Text above; null: no day is pointed at. */
  readonly caption: (stated: string | null) => ComponentChildren
  /** Class of a square. */
  readonly classOf: (day: string) => string
}

const WEEK_DAYS = 7
/** Arrow keys: days are below each other, weeks side by side. */
const STEPS: Steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28 }

/** One square a day, a column per week, Monday on top. */
export function DaySquares({ label, from, to, today, hasRun, textAt, caption, classOf, ...more }: DaySquaresProps) {
  const first = dayNumber(from)
  const before = weekdayOf(first)
  const count = dayNumber(to) - first + 1
  const weeks = Math.ceil((before + count) / WEEK_DAYS)
  const keys = Array.from({ length: count }, (_, index) => isoDate(first + index))
  const columns = { gridTemplateColumns: `var(--names) repeat(${weeks}, minmax(0, 1fr))` }
  const indexOf = ({ target }: Event) => {
    const index = target instanceof HTMLElement ? target.dataset.index : undefined
    return index === undefined ? null : Number(index)
  }
  const { place, stated, attributes } = usePlace(indexOf, {
    label: `${label}. Arrow keys go through the days, Enter shows the runs of one`,
    count,
    textAt: (index) => textAt(keys[index] ?? from),
    steps: STEPS,
    start: Math.max(0, Math.min(count - 1, dayNumber(today) - first)),
    onOpen: (index) => {
      const key = keys[index] ?? ''
      if (hasRun(key)) navigate(daysPath(key, key))
    },
  })
  return (
    <figure class={more.class}>
      <figcaption class="muted" aria-hidden="true">
        {caption(place === null ? null : stated)}
      </figcaption>
      <div class="strip-months muted tiny nowrap" style={columns} aria-hidden="true">
        {keys.map((key, index) => {
          const column = Math.floor((before + index) / WEEK_DAYS)
          // the name needs the width of some weeks
          return key.endsWith('-01') && column < weeks - 2 ? (
            <span key={key} style={{ gridColumn: `${column + 2} / span 4` }}>
              {date(key, 'month')}
            </span>
          ) : null
        })}
      </div>
      <div class="strip-days" style={columns} {...attributes}>
        {Array.from({ length: WEEK_DAYS }, (_, row) => (
          <span key={row} class="strip-weekday muted tiny">
            {row % 2 === 0 && date(isoDate(first - before + row), 'weekday')}
          </span>
        ))}
        {Array.from({ length: before }, (_, index) => (
          <span key={`before ${index}`} class="day" />
        ))}
        {keys.map((key, index) => (
          <span key={key} data-index={index} class={`day ${classOf(key)}${index === place ? ' pointed' : ''}`} />
        ))}
      </div>
    </figure>
  )
}
