import { useState } from 'preact/hooks'
import { date, distance, text, type Units } from '../format.ts'
import { navigate } from '../router.ts'
import './charts.css'

interface DayStripProps {
  /** Metres by local day, `yyyy-MM-dd`; null while they are on their way. */
  readonly days: ReadonlyMap<string, number> | null
  /** The local day of today. */
  readonly today: string
  readonly units: Units
}

const WEEKS = 53
const DAY_MS = 86_400_000
/** Upper ends of the first three shades, as shares of a long day. */
const SHADES = [0.25, 0.5, 0.8] as const

/** The last year as one square a day: a column a week, Monday on top. */
export function DayStrip({ days, today, units }: DayStripProps) {
  const [pointed, setPointed] = useState<string | null>(null)
  const todayMs = Date.parse(`${today}T00:00:00Z`)
  const weekday = (new Date(todayMs).getUTCDay() + 6) % 7
  const firstMs = todayMs - (weekday + (WEEKS - 1) * 7) * DAY_MS
  const cells = Array.from({ length: WEEKS * 7 }, (_, index) => day(firstMs + index * DAY_MS))
  const long = longDay(days)
  const running = days === null ? 0 : [...days.keys()].filter((key) => key >= (cells[0] ?? '')).length
  const told =
    pointed === null
      ? days === null
        ? ' '
        : `${running} days with a run`
      : `${date(pointed, 'long')} · ${text(distance(days?.get(pointed) ?? 0, units, 1))}`
  return (
    <figure class="strip">
      <figcaption class="muted">{told}</figcaption>
      <div class="strip-months" aria-hidden="true">
        {monthStarts(cells).map(({ column, key }) => (
          <span
            key={key}
            class={column < WEEKS - 26 ? 'early' : ''}
            style={{ '--column': `${column + 1} / span 4`, '--late-column': `${column - (WEEKS - 26) + 1} / span 4` }}
          >
            {date(key, 'month')}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a short cut for the pointer; the list has the same filter */}
      <div
        class="strip-days"
        role="img"
        aria-label={`${running} days with a run in the last year`}
        onPointerOver={({ target }) => setPointed(target instanceof HTMLElement ? (target.dataset.day ?? null) : null)}
        onPointerLeave={() => setPointed(null)}
        onClick={({ target }) => {
          const key = target instanceof HTMLElement ? target.dataset.day : undefined
          if (key !== undefined && days?.has(key) === true) navigate(`/app/runs?from=${key}&to=${key}`)
        }}
      >
        {cells.map((key, index) => {
          const metres = days?.get(key) ?? 0
          const classes = [
            index < (WEEKS - 26) * 7 ? 'early' : '',
            key > today ? 'future' : `shade-${shade(metres, long)}`,
          ]
          return <span key={key} data-day={key > today ? undefined : key} class={classes.join(' ')} />
        })}
      </div>
    </figure>
  )
}

function day(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** What nine of ten days with a run stay below: one marathon must not bleach a year. */
function longDay(days: ReadonlyMap<string, number> | null): number {
  const distances = [...(days?.values() ?? [])].sort((a, b) => a - b)
  return distances[Math.floor(distances.length * 0.9)] ?? 1
}

function shade(metres: number, long: number): number {
  if (metres <= 0) return 0
  const found = SHADES.findIndex((share) => metres <= share * long)
  return found === -1 ? SHADES.length + 1 : found + 1
}

function monthStarts(cells: readonly string[]): { readonly column: number; readonly key: string }[] {
  return cells.flatMap((key, index) => {
    const column = Math.floor(index / 7)
    return key.endsWith('-01') && column < WEEKS - 2 ? [{ column, key }] : []
  })
}
