import { date, duration, pace, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { BestEfforts } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'

/** A record of the last weeks is told apart. */
const NEW_MS = 42 * 86_400_000

/** The fastest time of each distance, out of any part of any run. */
export function BestEffortsCard() {
  const units = useUnits()
  const { data, error, reload } = useResource<BestEfforts>('/stats/best-efforts')
  return (
    <Card title="Best efforts" class="efforts">
      {data === null ? (
        error === null ? (
          <SkeletonLines count={8} height="24px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : data.distances.length === 0 ? (
        <p class="muted">Runs with recorded times and distances of 400 m or more will fill this table.</p>
      ) : (
        <table class="efforts-table">
          <thead>
            <tr>
              <th scope="col">Distance</th>
              <th scope="col" class="end">
                Time
              </th>
              <th scope="col" class="end">
                Pace
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
                  {effort.distance}
                  {Date.now() - Date.parse(effort.workoutDate) < NEW_MS && <span class="new">New</span>}
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
