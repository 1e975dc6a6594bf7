import { useState } from 'preact/hooks'
import { DAY_MS } from '../../../engine/units.ts'
import { date, distanceName, duration, pace, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Segments } from '../../ui/field.tsx'
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
        <table class="efforts-table">
          <thead>
            <tr>
              <th scope="col">{TERMS.distance}</th>
              <th scope="col" class="end">
                {TERMS.time}
              </th>
              <th scope="col" class="end">
                {TERMS.pace}
              </th>
              <th scope="col" class="end">
                Run
              </th>
            </tr>
          </thead>
          <tbody>
            {data.distances.map((effort) => (
              <tr key={effort.distance}>
                <th scope="row">
                  <Link
                    href={`/app/bests?distance=${effort.distanceM}`}
                    class="effort-name"
                    aria-label={`${distanceName(effort.distance)}: top ten and progression`}
                  >
                    {distanceName(effort.distance)}
                  </Link>
                  {effort.isUnconfirmed ? (
                    <span class="badge" title="Unusually fast. Open the run to confirm it">
                      Unconfirmed
                    </span>
                  ) : (
                    Date.now() - Date.parse(effort.workoutDate) < NEW_MS && <span class="badge">New</span>
                  )}
                </th>
                <td class="end strong">{duration(effort.timeMs / 1000)}</td>
                <td class="end muted">{text(pace(effort.timeMs / effort.distanceM, units))}</td>
                <td class="end">
                  <Link href={`/app/runs/${effort.workoutId}`} aria-label={`Run of ${date(effort.workoutDate)}`}>
                    {date(effort.workoutDate)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
