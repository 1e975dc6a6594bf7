import type { ComponentChildren } from 'preact'
import { mondayOf } from '../../days.ts'
import { counted, date, distance, roughDistance, runDay, runName, sumDuration, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { useUnits } from '../../state.ts'
import type { DailyStats, MonthlyStats, Run } from '../../types.ts'
import { Amount } from '../../ui/card.tsx'
import { today } from '../stats.ts'
import { type RunSums, sumsOfDays, sumsOfMonths } from './log-sums.ts'

interface TotalsProps {
  /** null while loading. */
  readonly days: DailyStats['days'] | null
  readonly months: MonthlyStats['months'] | null
}

/** Totals of this week, month, year, and of the whole log. */
export function Totals({ days, months }: TotalsProps) {
  const units = useUnits()
  const day = today()
  const isThere = days !== null && months !== null
  const known = months ?? []
  return (
    <dl class={isThere ? 'card totals' : 'card totals blank'} aria-label="Totals">
      <Total name="Week" sums={sumsOfDays(days ?? [], mondayOf(day), day)} units={units} />
      <Total name={date(day, 'monthName')} sums={sumsOfMonths(known, day.slice(0, 7))} units={units} />
      <Total name={day.slice(0, 4)} sums={sumsOfMonths(known, day.slice(0, 4))} units={units} />
      <Total name="Ever" sums={sumsOfMonths(known, '')} units={units} />
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
      <Total name={`${year}, your last year with runs`} sums={sumsOfMonths(months, year)} units={units} />
      <Total name="Ever" sums={sumsOfMonths(months, '')} units={units} />
    </dl>
  )
}

interface TotalProps {
  readonly name: string
  readonly sums: RunSums
  readonly units: Units
}

function Total({ name, sums, units }: TotalProps) {
  return (
    <Cell name={name} note={`${counted(sums.runs, 'run')} · ${sumDuration(sums.durationS)}`}>
      <Amount of={roughDistance(sums.distanceM, units)} />
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
