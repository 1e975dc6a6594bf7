import { useMapTiles } from '../../run/map/use-map-tiles.ts'
import { Switch } from '../../ui/switch.tsx'

/** The switch for map tiles, with its effect on privacy. */
export function MapSetting() {
  const { isOn, turn } = useMapTiles()
  return (
    <Switch label="Street map behind routes" isOn={isOn} onTurn={(wanted) => void turn(wanted)}>
      Harrier fetches the tiles of the map from OpenStreetMap, or the server set up in its place, and keeps them for a
      week or longer. That server sees which area you look at, and nothing else about you or your runs. Off, routes are
      drawn on plain ground.
    </Switch>
  )
}
