import { useMapTiles } from '../run/use-map-tiles.ts'
import { Check } from './Field.tsx'

/** The row of the settings for street maps, with what it means for privacy. */
export function MapSetting() {
  const { isOn, turn } = useMapTiles()
  return (
    <div class="map-setting">
      <Check checked={isOn} onValue={(wanted) => void turn(wanted)}>
        Street map behind routes
      </Check>
      <p class="muted small">
        The map server sees which area you look at: Harrier fetches the tiles from it, keeps them for a week or longer,
        and sends nothing about you or your runs. Without it, routes are drawn on plain ground and nobody is asked.
      </p>
    </div>
  )
}
