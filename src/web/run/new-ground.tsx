import { counted, distance, text } from '../format.ts'
import { SQUARES } from '../map/map-address.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'

/** Less would be noise of the positions. */
const LEAST_M = 100

/** Squares that nobody had been in before, and how much of the way was new; nothing where there is neither. */
export function NewGround({ runId }: { readonly runId: string }) {
  const units = useUnits()
  const { data } = useResource(`/workouts/${runId}/ground`)
  if (data === null) return null
  const parts = [
    data.newSquares.length > 0 ? `${counted(data.newSquares.length, 'new square')}` : null,
    (data.newM ?? 0) >= LEAST_M ? `${text(distance(data.newM, units, 1))} of new ground` : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return (
    <Link href={`/app/map?layer=${SQUARES}`} class="small">
      {parts.join(' · ')}
    </Link>
  )
}
