import { counted, distance, text } from '../format.ts'
import { Link } from '../router.ts'
import { useUnits } from '../state.ts'

// Home shows it, so it brings nothing of the map along

/** Less would be noise of the positions. */
const LEAST_M = 100

interface GroundNewsProps {
  readonly newSquares: number
  /** null: it is still to be computed. */
  readonly newM: number | null
}

/** Squares that nobody had been in before, and how much of the way was new; nothing where there is neither. */
export function GroundNews({ newSquares, newM }: GroundNewsProps) {
  const units = useUnits()
  const parts = [
    newSquares > 0 ? counted(newSquares, 'new square') : null,
    (newM ?? 0) >= LEAST_M ? `${text(distance(newM, units, 1))} of new ground` : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return (
    <Link href="/app/map?layer=squares" class="small">
      {parts.join(' · ')}
    </Link>
  )
}
