import { useMapTiles } from '../../run/map/use-map-tiles.ts'
import { Switch } from '../../ui/switch.tsx'

/** The switch for map tiles, with its effect on privacy. */
export function MapSetting() {
  const { isOn, turn } = useMapTiles()
  return (
    <Switch label="Street map behind routes" isOn={isOn} onTurn={(wanted) => void turn(wanted)}>
      Harrier loads map tiles from OpenStreetMap, or the server set up instead, and keeps them for a week or longer.
      That server only sees which area you look at. If off, routes have a plain background.
    </Switch>
  )
}
