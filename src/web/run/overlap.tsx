import { DAY_MS } from '../../engine/units.ts'
import { date, distance, runName, text } from '../format.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import { Notice } from '../ui/empty.tsx'

interface OverlapProps {
  /** Start and end, milliseconds; null: not known yet. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** The run itself. */
  readonly exceptId?: string
}

/** Runs that began longer before are over. */
const LOOK_BACK_MS = DAY_MS

/** Says which run took place at the same time as one that was entered by hand. */
export function Overlap({ startMs, endMs, exceptId }: OverlapProps) {
  const units = useUnits()
  const isKnown = startMs !== null && endMs !== null && startMs > 0
  const bounds = isKnown
    ? `startDate=${new Date(startMs - LOOK_BACK_MS).toISOString()}&endDate=${new Date(endMs).toISOString()}`
    : ''
  const { data } = useResource(isKnown ? `/workouts?pageSize=100&${bounds}` : null)
  const other = data?.items.find(
    ({ id, startedAt, durationS }) => id !== exceptId && Date.parse(startedAt) + 1000 * durationS > (startMs ?? 0),
  )
  if (other === undefined) return null
  const name = runName(other)
  return (
    <Notice icon="clock">
      {/* a link would leave the form of a run that is not stored yet */}
      Overlaps with {exceptId === undefined ? name : <Link href={`/app/runs/${other.id}`}>{name}</Link>} of{' '}
      {date(other.startedAt, 'dateTime', other.utcOffsetMinutes)}, {text(distance(other.distanceM, units))}. Both count.
    </Notice>
  )
}
