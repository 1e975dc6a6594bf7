import { Switch } from '../../ui/switch.tsx'
import { useSetting } from '../../use-setting.ts'

/** The switch for weather lookups, with their effect on privacy. */
export function WeatherSetting() {
  const { data, save } = useSetting('/settings/weather')
  const isAvailable = data?.available !== false
  return (
    <Switch
      label="Weather for runs"
      isOn={isAvailable && data?.lookups === true}
      isFixed={!isAvailable}
      onTurn={(lookups) => void save({ lookups })}
    >
      {isAvailable
        ? 'Harrier gets the weather of new runs from Open-Meteo. It only sees the date and the start, rounded to about ten kilometres. If off, new runs have no weather.'
        : 'The administrator has turned off weather.'}
    </Switch>
  )
}
