import type { ComponentChildren } from 'preact'
import { mondayOf, shiftedDay } from '../../days.ts'
import { counted, date, distance, roughDistance, runDay, runName, sumDuration, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useUnits } from '../../state.ts'
import type { DailyStats, MonthlyStats, Run } from '../../types.ts'
import { Amount } from '../../ui/card.tsx'
import { daysPath } from '../run-query.ts'
import { today } from '../stats.ts'
import { lastDayOf, type RunSums, sumsOfDays, sumsOfMonths } from './log-sums.ts'

interface TotalsProps {
  /** null while loading. */
  readonly days: DailyStats['days'] | null
  readonly months: MonthlyStats['months'] | null
}

/** Totals of this week, month, year, and of the whole log. */
export function Totals({ days, months }: TotalsProps) {
  const day = today()
  const [year, month] = [day.slice(0, 4), day.slice(0, 7)]
  const isThere = days !== null && months !== null
  const known = months ?? []
  return (
    <dl class={isThere ? 'card totals' : 'card totals blank'} aria-label="Totals">
      <Total
        name="Week"
        href={daysPath(mondayOf(day), shiftedDay(mondayOf(day), 6))}
        sums={sumsOfDays(days ?? [], mondayOf(day), day)}
      />
      <Total
        name={date(day, 'monthName')}
        href={daysPath(`${month}-01`, lastDayOf(month))}
        sums={sumsOfMonths(known, month)}
      />
      <Total name={year} href={yearPath(year)} sums={sumsOfMonths(known, year)} />
      <Total name="All time" href="/app/runs?counted=yes" sums={sumsOfMonths(known, '')} />
    </dl>
  )
}

interface PausedTotalsProps {
  readonly months: MonthlyStats['months']
  /** The last counted run; null while loading. */
  readonly last: Run | null
}

/** Totals of a runner who paused: the last run and the last year with runs, instead of zeros. */
export function PausedTotals({ months, last }: PausedTotalsProps) {
  const units = useUnits()
  const year = months.at(-1)?.month.slice(0, 4) ?? ''
  return (
    <dl class="card totals paused" aria-label="Totals">
      {last !== null && (
        <Cell name="Last run" note={`${runName(last)} · ${text(distance(last.distanceM, units, 1))}`}>
          <Link href={`/app/runs/${last.id}`}>{runDay(last)}</Link>
        </Cell>
      )}
      <Total name={`${year}, your last active year`} href={yearPath(year)} sums={sumsOfMonths(months, year)} />
      <Total name="All time" href="/app/runs?counted=yes" sums={sumsOfMonths(months, '')} />
    </dl>
  )
}

function yearPath(year: string): string {
  return daysPath(`${year}-01-01`, `${year}-12-31`)
}

interface TotalProps {
  readonly name: string
  /** The runs that are counted. */
  readonly href: string
  readonly sums: RunSums
}

function Total({ name, href, sums }: TotalProps) {
  const units = useUnits()
  return (
    <Cell name={name} note={`${counted(sums.runs, 'run')} · ${sumDuration(sums.durationS)}`}>
      <Link href={href} class="total-link">
        <Amount of={roughDistance(sums.distanceM, units)} />
      </Link>
    </Cell>
  )
}

interface CellProps {
  readonly name: string
  readonly note: string
  readonly children: ComponentChildren
}

function Cell({ name, note, children }: CellProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        <span class="delta">{note}</span>
      </dd>
    </div>
  )
}
