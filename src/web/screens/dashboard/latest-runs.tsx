import { RouteThumb } from '../../charts/route-thumb.tsx'
import { distance, duration, pace, runDay, runName, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { type PaceClock, shownPace, usePaceClock } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import type { Run } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'

/** The latest runs; null while loading. */
export function LatestRuns({ runs }: { readonly runs: readonly Run[] | null }) {
  const clock = usePaceClock()
  return (
    <Card title="Latest runs" class="latest" aside={<Link href="/app/runs">All runs</Link>}>
      {runs === null ? (
        <SkeletonLines count={5} height="58px" />
      ) : (
        <ul class="latest-list">
          {runs.map((run) => (
            <LatestRun key={run.id} run={run} clock={clock} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LatestRun({ run, clock }: { readonly run: Run; readonly clock: PaceClock }) {
  const units = useUnits()
  const { timeS, paceS } = shownPace(run, clock)
  return (
    <li>
      <Link href={`/app/runs/${run.id}`} class="latest-run level gap-3">
        <RouteThumb route={run.route} />
        <span class="latest-text">
          <strong class="cut">{runName(run)}</strong>
          <span class="muted small">
            {runDay(run)} · {text(distance(run.distanceM, units, 1))} · {text(pace(paceS, units))}
            <span class="hidden-text">, {duration(timeS)}</span>
            {run.leftOut && ' · not counted'}
          </span>
        </span>
      </Link>
    </li>
  )
}
