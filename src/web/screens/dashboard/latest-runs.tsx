import { RouteThumb } from '../../charts/route-thumb.tsx'
import { distance, duration, pace, runDay, runName, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useUnits } from '../../state.ts'
import type { Run } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'

/** The last runs; null while they are on their way. */
export function LatestRuns({ runs }: { readonly runs: readonly Run[] | null }) {
  const units = useUnits()
  return (
    <Card title="Latest runs" class="latest" aside={<Link href="/app/runs">All runs</Link>}>
      {runs === null ? (
        <SkeletonLines count={5} height="58px" />
      ) : (
        <ul class="latest-list">
          {runs.map((run) => (
            <li key={run.id}>
              <Link href={`/app/runs/${run.id}`} class="latest-run">
                <RouteThumb route={run.route} />
                <span class="latest-text">
                  <strong>{runName(run)}</strong>
                  <span class="muted">
                    {runDay(run)} · {text(distance(run.distanceM, units, 1))} · {text(pace(run.avgPaceS, units))}
                    <span class="hidden-text">, {duration(run.durationS)}</span>
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
