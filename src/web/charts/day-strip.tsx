import { isoDate } from '../../engine/calendar/weeks.ts'
import { dayNumber, weekdayIndex } from '../days.ts'
import { date } from '../format.ts'
import { Link } from '../router.ts'
import { daysPath } from '../screens/run-query.ts'
import { useUnits } from '../state.ts'
import { TERMS } from '../words.ts'
import { DaySquares } from './day-squares.tsx'
import { TableView } from './table-view.tsx'
import { dayText } from './week-bars.tsx'

interface DayStripProps {
  /** Metres by local day, `yyyy-MM-dd`; null while loading. */
  readonly days: ReadonlyMap<string, number> | null
  /** Today's local day. */
  readonly today: string
  /** Shows half as many weeks, which fit on a phone. */
  readonly isShort: boolean
}

const WEEKS = 53
/** Number of weeks of a short strip. */
const FEW_WEEKS = 26
/** Upper limits of the first three shades, as shares of a long day. */
const SHADES = [0.25, 0.5, 0.8] as const

/** The last year, or half of it, with one square a day. */
export function DayStrip({ days, today, isShort }: DayStripProps) {
  const units = useUnits()
  const from = isoDate(dayNumber(today) - weekdayIndex(today) - ((isShort ? FEW_WEEKS : WEEKS) - 1) * 7)
  const long = longDay(days)
  const running = days === null ? 0 : [...days.keys()].filter((key) => key >= from).length
  const summary = `${running} ${running === 1 ? 'day' : 'days'} with a run`
  return (
    <>
      <DaySquares
        class="strip"
        label={`${summary} in ${isShort ? 'half a' : 'the last'} year`}
        from={from}
        to={today}
        today={today}
        hasRun={(day) => days?.has(day) === true}
        textAt={(day) => `${date(day, 'long')} · ${dayText(days?.get(day) ?? 0, units)}`}
        caption={(stated) => (days === null ? ' ' : (stated ?? summary))}
        classOf={(day) => `shade-${shade(days?.get(day) ?? 0, long)}`}
      />
      {(days === null || running > 0) && (
        <TableView
          caption={summary}
          heads={['Day', TERMS.distance]}
          rows={() =>
            [...(days ?? [])]
              .filter(([day]) => day >= from)
              .toSorted(([a], [b]) => b.localeCompare(a))
              .map(([day, metres]) => [
                date(day, 'long'),
                <Link href={daysPath(day, day)}>{dayText(metres, units)}</Link>,
              ])
          }
        />
      )}
    </>
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
