import { useId } from 'preact/hooks'
import { useMapTiles } from './use-map-tiles.ts'
import './map-choice.css'

const ROUTE = 'M14 66C22 40 38 58 50 44S58 16 78 18s30 22 22 38-36 20-60 12z'

/** The ground behind routes as two pictures, with what a street map means for privacy. */
export function MapChoice() {
  const { isOn, turn } = useMapTiles()
  const name = useId()
  return (
    <fieldset class="map-choice stack gap-2">
      <legend class="field-label">Map behind routes</legend>
      <div class="map-choices">
        {([false, true] as const).map((streets) => (
          <label key={name + String(streets)}>
            <input type="radio" name={name} checked={isOn === streets} onChange={() => void turn(streets)} />
            <svg viewBox="0 0 116 84" aria-hidden="true">
              {streets && (
                <>
                  <path class="water" d="M0 60C30 50 40 84 70 74s30-10 46-4v14H0z" />
                  <path class="park" d="M64 6h34v20H64z" />
                  <path class="street" d="M0 22l116-10M0 52l116-12M24 0l8 84M60 0l4 84M96 0l-4 84M0 74L116 64" />
                </>
              )}
              <path class="route" d={ROUTE} />
            </svg>
            <span>{streets ? 'Street map' : 'Plain'}</span>
          </label>
        ))}
      </div>
      <p class="muted small">
        A street map comes from OpenStreetMap, or the server set up instead. It only sees which area you look at.
      </p>
    </fieldset>
  )
}
