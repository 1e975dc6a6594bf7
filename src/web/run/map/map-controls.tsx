import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import './map.css'

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
      {isOnStreets && (
        <p class="map-source">
          <span role="status">{isMissing ? 'Map server isn’t responding' : ''}</span>
          <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
            © OpenStreetMap contributors
          </a>
        </p>
      )}
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

interface LegendProps {
  readonly colours: readonly string[]
  readonly from: string
  readonly to: string
}

/** The colour scale of the route. */
export function Legend({ colours, from, to }: LegendProps) {
  return (
    <div class="map-legend level muted tiny">
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
