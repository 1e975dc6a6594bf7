import { useId, useState } from 'preact/hooks'
import { useSetting } from '../../asked.ts'
import { counted } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Frame } from './map-drawing.ts'
import { worldY } from './projection.ts'
import '../run-parts.css'

interface MapControlsProps {
  /** What the last button shows. */
  readonly whole?: string
  readonly isOnStreets: boolean
  /** Whether the tile server does not answer. */
  readonly isMissing: boolean
  readonly onStreets: (isOn: boolean) => void
  /** Called with a factor above 1 to zoom in. */
  readonly onZoom: (factor: number) => void
  readonly onShowAll: () => void
}

const STEP = 1.6

/** Buttons on the map, and the attribution of its data. */
export function MapControls({
  whole = 'Show whole route',
  isOnStreets,
  isMissing,
  onStreets,
  onZoom,
  onShowAll,
}: MapControlsProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <div class={isOnStreets ? 'map-buttons on-streets' : 'map-buttons'}>
        <Button
          size="small"
          icon="streets"
          aria-label="Street map"
          title="Street map"
          aria-pressed={isOnStreets}
          onClick={() => (isOnStreets ? onStreets(false) : setAsked(true))}
        />
        <Button size="small" icon="plus" aria-label="Zoom in" title="Zoom in" onClick={() => onZoom(STEP)} />
        <Button size="small" icon="minus" aria-label="Zoom out" title="Zoom out" onClick={() => onZoom(1 / STEP)} />
        <Button size="small" icon="whole" aria-label={whole} title={whole} onClick={onShowAll} />
      </div>
      {isOnStreets && <MapSource isMissing={isMissing} />}
      {isAsked && (
        <Dialog title="Show a street map?" onClose={() => setAsked(false)}>
          <p>
            <strong>The map server sees which area you look at.</strong> Harrier loads map tiles from OpenStreetMap, or
            the server set up instead, and keeps them. Nothing else about you or your runs is sent.
          </p>
          <p class="muted">This applies to all runs. The same button turns it off.</p>
          <div class="actions">
            <Button onClick={() => setAsked(false)}>Not now</Button>
            <Button
              kind="primary"
              onClick={() => {
                setAsked(false)
                onStreets(true)
              }}
            >
              Show street map
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The colour scale of the route. */
export function Legend({ colours, from, to }: { colours: readonly string[]; from: string; to: string }) {
  return (
    <div class="level cut muted tiny">
      <span>{from}</span>
      <span
        class="map-ramp"
        style={{ background: `linear-gradient(90deg, ${colours.join(', ')})` }}
        aria-hidden="true"
      />
      <span>{to}</span>
    </div>
  )
}

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

function groups(photos: readonly Pin[], { view, size }: Frame) {
  const found: { x: number; y: number; first: Pin; count: number }[] = []
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

const ROUTE = 'M14 66C22 40 38 58 50 44S58 16 78 18s30 22 22 38-36 20-60 12z'

/** The ground behind routes as two pictures, with what a street map means for privacy. */
export function MapChoice() {
  const { isOn, turn } = useMapTiles()
  const name = useId()
  return (
    <div class="stack gap-2">
      <span class="field-label">Map behind routes</span>
      <div class="map-choices" role="radiogroup" aria-label="Map behind routes">
        {([false, true] as const).map((streets) => (
          <label key={name + String(streets)}>
            <input type="radio" name={name} checked={isOn === streets} onChange={() => void turn(streets)} />
            <svg viewBox="0 0 116 84" fill="none" aria-hidden="true">
              {streets && (
                <>
                  <path
                    fill="color-mix(in srgb, var(--zone1) 45%, transparent)"
                    d="M0 60C30 50 40 84 70 74s30-10 46-4v14H0z"
                  />
                  <path fill="color-mix(in srgb, var(--good) 35%, transparent)" d="M64 6h34v20H64z" />
                  <path
                    stroke="var(--surface)"
                    stroke-width="4"
                    d="M0 22l116-10M0 52l116-12M24 0l8 84M60 0l4 84M96 0l-4 84M0 74L116 64"
                  />
                </>
              )}
              <path stroke="var(--accent)" stroke-width="3" d={ROUTE} />
            </svg>
            <span>{streets ? 'Street map' : 'Plain'}</span>
          </label>
        ))}
      </div>
      <p class="muted small">
        A street map comes from OpenStreetMap, or the server set up instead. It only sees which area you look at.
      </p>
    </div>
  )
}

/** Whether map tiles are enabled, and a function to change it; off until the answer has arrived. */
export function useMapTiles(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const { data, save } = useSetting('/settings/map')
  return { isOn: data?.tiles === true, turn: (tiles) => save({ tiles }) }
}

/** Whose the street map is, and whether its server does not answer. */
export function MapSource({ isMissing }: { readonly isMissing: boolean }) {
  return (
    <p class="map-source">
      <span role="status">{isMissing ? 'Map server isn’t responding · ' : ''}</span>
      <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
        © OpenStreetMap contributors
      </a>
    </p>
  )
}
