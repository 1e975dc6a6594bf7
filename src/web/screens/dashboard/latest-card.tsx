import { RouteThumb } from '../../charts/route-thumb.tsx'
import { date, distance, duration, elevation, number, pace, runDay, runName } from '../../format.ts'
import { Link } from '../../router.ts'
import { shownPace, usePaceClock } from '../../shown-pace.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Run } from '../../types.ts'
import { Amount } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { failureNotice, Lazy } from '../../ui/lazy.tsx'
import { fetchPart } from '../../ui/part.ts'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { TERMS } from '../../words.ts'
import { Medals } from '../run-lines.tsx'

const loadEdit = () =>
  fetchPart('quick-edit', () => import('../../run/quick-edit.tsx')).then(({ QuickEdit }) => QuickEdit)

interface LatestCardProps {
  /** null while loading. */
  readonly run: Run | null
  /** Another one may be the latest by now, and this one gone. */
  readonly isOld: boolean
}

/** The latest run: its shape and numbers, and what a runner enters after it. */
export function LatestCard({ run, isOld }: LatestCardProps) {
  return (
    <section class="card latest-card" aria-labelledby="latest-title">
      {run === null ? <SkeletonLines count={3} height="52px" /> : <Latest run={run} isOld={isOld} />}
    </section>
  )
}

function Latest({ run, isOld }: { readonly run: Run; readonly isOld: boolean }) {
  const units = useUnits()
  const { timeS, paceS } = shownPace(run, usePaceClock())
  const { data } = useResource('/stats/best-efforts/medals')
  const ground = useResource(run.route === null ? null : `/workouts/${run.id}/ground`, isOld)
  const place = ground.data?.start?.name
  const medals = (data?.medals ?? []).filter(({ workoutId }) => workoutId === run.id)
  const { elevGainM, avgHeartRateBpm, load } = run
  const facts = [
    [TERMS.distance, distance(run.distanceM, units)],
    [TERMS.time, { value: duration(timeS), unit: '' }],
    [TERMS.pace, pace(paceS, units)],
    [TERMS.elevationGain, elevGainM !== null && elevation(elevGainM, units)],
    [TERMS.averageHr, avgHeartRateBpm !== null && { value: number(avgHeartRateBpm), unit: 'bpm' }],
    [TERMS.load, load !== null && { value: number(load), unit: '' }],
  ] as const
  return (
    <>
      <Link href={`/app/runs/${run.id}`} class="latest-shape" aria-hidden="true" tabIndex={-1}>
        <RouteThumb route={run.route} />
      </Link>
      <div class="latest-body">
        <p class="muted small">
          {runDay(run, true)}, {date(run.startedAt, 'time', run.utcOffsetMinutes)}
          {place != null && ` · from ${place}`}
        </p>
        <h2 id="latest-title">
          <Link href={`/app/runs/${run.id}`}>{runName(run)}</Link>
          {medals.length > 0 && <Medals medals={medals.toSorted((a, b) => a.rank - b.rank)} />}
        </h2>
        <Facts of={facts.map(([name, of]) => [name, of && <Amount of={of} />] as const)} />
      </div>
      <div class="latest-edit stack">
        <Lazy load={loadEdit} props={{ run }} waiting={failureNotice} key={run.id} />
      </div>
    </>
  )
}
