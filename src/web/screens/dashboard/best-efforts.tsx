import { useState } from 'preact/hooks'
import { DAY_MS } from '../../../engine/units.ts'
import { date, distanceName, duration, pace, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Segments } from '../../ui/field.tsx'
import { Unconfirmed } from '../../ui/medal.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'

/** A record younger than this is marked as new. */
const NEW_MS = 42 * DAY_MS

const PERIODS = [
  ['ever', 'All time'],
  ['12months', '12 months'],
  ['year', 'This year'],
] as const

/** The fastest time of each distance, of all time or recently; a distance leads to its bests. */
export function BestEffortsCard() {
  const units = useUnits()
  const [period, setPeriod] = useState<(typeof PERIODS)[number][0]>('ever')
  const of = period === 'ever' ? '' : (`?period=${period}&${offsetQuery()}` as const)
  const { data, error } = useResource(`/stats/best-efforts${of}`)
  return (
    <Card title="Best efforts" class="efforts">
      <Segments legend="Period" value={period} options={PERIODS} onValue={setPeriod} />
      {data === null ? (
        <Pending error={error} count={8} height="24px" />
      ) : data.distances.length === 0 ? (
        <p class="muted">
          {period === 'ever'
            ? 'Your best efforts appear here after a recorded run of 400 m or more.'
            : 'No recorded run of 400 m or more in this period.'}
        </p>
      ) : (
        <DataTable
          class="efforts-table"
          heads={[TERMS.distance, TERMS.time, TERMS.pace, 'Run']}
          rows={data.distances.map((effort) => [
            <>
              <Link
                href={`/app/bests?distance=${effort.distanceM}`}
                class="effort-name"
                aria-label={`${distanceName(effort.distance)}: top ten and progression`}
              >
                {distanceName(effort.distance)}
              </Link>
              {effort.isUnconfirmed ? (
                <Unconfirmed />
              ) : (
                Date.now() - Date.parse(effort.workoutDate) < NEW_MS && <span class="badge">New</span>
              )}
            </>,
            <span class="strong">{duration(effort.timeMs / 1000)}</span>,
            <span class="muted">{text(pace(effort.timeMs / effort.distanceM, units))}</span>,
            <Link href={`/app/runs/${effort.workoutId}`} aria-label={`Run of ${date(effort.workoutDate)}`}>
              {date(effort.workoutDate)}
            </Link>,
          ])}
        />
      )}
    </Card>
  )
}
