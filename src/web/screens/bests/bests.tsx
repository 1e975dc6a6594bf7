import { date, distanceName, duration, pace, text } from '../../format.ts'
import { Link, useRoute } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { BestEfforts } from '../../types.ts'
import { Empty, Pending } from '../../ui/empty.tsx'
import { OneDistance } from './one-distance.tsx'
import './bests.css'

/** Shown first, since most runners have run it. */
const USUAL_M = 5000

/** The fastest time of each distance, and all about one of them. */
export function Bests() {
  const { query } = useRoute()
  const { data, error } = useResource('/stats/best-efforts')
  const bests = data?.distances ?? []
  const of = (metres: number) => bests.find(({ distanceM }) => distanceM === metres)
  const chosen = of(Number(query.get('distance'))) ?? of(USUAL_M) ?? bests.at(-1)
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Personal bests</h1>
      </div>
      {data === null ? (
        <Pending error={error} height="560px" />
      ) : chosen === undefined ? (
        <div class="card">
          <Empty icon="trophy" title="No personal bests yet">
            They appear here after a recorded run of 400 m or more.
          </Empty>
        </div>
      ) : (
        <div class="bests">
          <Distances bests={bests} chosen={chosen} />
          <OneDistance key={chosen.distanceM} best={chosen} />
        </div>
      )}
    </div>
  )
}

interface DistancesProps {
  readonly bests: BestEfforts['distances']
  readonly chosen: BestEfforts['distances'][number]
}

function Distances({ bests, chosen }: DistancesProps) {
  const units = useUnits()
  return (
    <nav class="best-distances stack gap-2" aria-label="Distances">
      {bests.map((best) => (
        <Link
          key={best.distanceM}
          href={`/app/bests?distance=${best.distanceM}`}
          isReplacing
          class="best-distance"
          {...(best === chosen ? { 'aria-current': 'true' as const } : {})}
        >
          <span class="best-name muted tiny">{distanceName(best.distance)}</span>{' '}
          <strong>{duration(best.timeS)}</strong>{' '}
          <span class="best-when tiny muted">
            {text(pace(best.timeMs / best.distanceM, units))} · {date(best.workoutDate, 'shortMonthYear')}
          </span>
        </Link>
      ))}
    </nav>
  )
}
