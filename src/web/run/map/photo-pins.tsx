import { counted } from '../../format.ts'
import type { Frame } from './map-drawing.ts'
import { worldY } from './projection.ts'
import './map.css'

export interface Pin {
  readonly id: string
  readonly workoutId: string
  readonly lat: number
  readonly lon: number
}

interface PhotoPinsProps {
  readonly photos: readonly Pin[]
  /** What the map shows; null: nothing yet. */
  readonly frame: Frame | null
  readonly onOpen: (photo: Pin) => void
}

/** Photos nearer to each other are one pin. */
const GROUP_PX = 40
/** Pins reach beyond the point that they stand on. */
const BEYOND_PX = 24

interface Group {
  readonly x: number
  readonly y: number
  readonly first: Pin
  count: number
}

/** Small pictures on a map, where they were taken. */
export function PhotoPins({ photos, frame, onOpen }: PhotoPinsProps) {
  if (frame === null || photos.length === 0) return null
  return (
    <ul class="photo-pins">
      {groups(photos, frame).map(({ x, y, first, count }) => (
        <li key={first.id} style={{ transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` }}>
          <button
            type="button"
            aria-label={count === 1 ? 'Photo on the map' : `${counted(count, 'photo')} on the map`}
            onClick={() => onOpen(first)}
          >
            <img src={`/workouts/${first.workoutId}/media/${first.id}?small=true`} alt="" decoding="async" />
            {count > 1 && <span aria-hidden="true">{count}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

function groups(photos: readonly Pin[], { view, size }: Frame): Group[] {
  const found: Group[] = []
  for (const first of photos) {
    const column = first.lon / 360 + 0.5
    const x = (column + Math.round(view.x - column) - view.x) * view.scale + size.width / 2
    const y = (worldY(first.lat) - view.y) * view.scale + size.height / 2
    if (x < -BEYOND_PX || x > size.width + BEYOND_PX || y < 0 || y > size.height + 2 * BEYOND_PX) continue
    const near = found.find((group) => Math.hypot(group.x - x, group.y - y) <= GROUP_PX)
    if (near === undefined) found.push({ x, y, first, count: 1 })
    else near.count += 1
  }
  return found
}
