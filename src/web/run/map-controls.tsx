import { useState } from 'preact/hooks'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

interface MapControlsProps {
  readonly isOnStreets: boolean
  readonly onStreets: (isOn: boolean) => void
  /** Above 1: closer. */
  readonly onZoom: (factor: number) => void
  readonly onShowAll: () => void
}

const STEP = 1.6
const STREETS = 'M9 4 4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14'

/** Buttons over the map, and whose map it is. */
export function MapControls({ isOnStreets, onStreets, onZoom, onShowAll }: MapControlsProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <div class={isOnStreets ? 'map-buttons on-streets' : 'map-buttons'}>
        <button
          type="button"
          class="button icon-only small map-streets"
          aria-label="Street map"
          title="Street map"
          aria-pressed={isOnStreets}
          onClick={() => (isOnStreets ? onStreets(false) : setAsked(true))}
        >
          <Drawing path={STREETS} />
        </button>
        <Button size="small" icon="plus" aria-label="Zoom in" title="Zoom in" onClick={() => onZoom(STEP)} />
        <button
          type="button"
          class="button icon-only small"
          aria-label="Zoom out"
          title="Zoom out"
          onClick={() => onZoom(1 / STEP)}
        >
          <Drawing path="M5 12h14" />
        </button>
        <button
          type="button"
          class="button icon-only small"
          aria-label="Show the whole route"
          title="Show the whole route"
          onClick={onShowAll}
        >
          <Drawing path="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />
        </button>
      </div>
      {isOnStreets && (
        <p class="map-source">
          <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
            © OpenStreetMap contributors
          </a>
        </p>
      )}
      {isAsked && (
        <Dialog title="Show a street map?" onClose={() => setAsked(false)}>
          <p>
            <strong>The map server sees which area you look at.</strong> Harrier fetches the tiles of the map from
            OpenStreetMap, or the server that was set up in its place, and keeps them. Nothing else about you or your
            runs is sent.
          </p>
          <p class="muted">This counts for all runs; the same button turns it off again.</p>
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

function Drawing({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

interface LegendProps {
  readonly colours: readonly string[]
  readonly from: string
  readonly to: string
}

/** The colours of the route from one end of their scale to the other. */
export function Legend({ colours, from, to }: LegendProps) {
  return (
    <div class="map-legend">
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
