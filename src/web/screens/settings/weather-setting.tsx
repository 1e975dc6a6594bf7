import type { Static } from '@sinclair/typebox'
import type { WeatherSettings } from '../../../settings/schemas.ts'
import { Switch } from '../../ui/switch.tsx'
import { useSetting } from '../../use-setting.ts'

/** The switch for weather lookups, with their effect on privacy. */
export function WeatherSetting() {
  const { data, save } = useSetting<Static<typeof WeatherSettings>>('/settings/weather')
  const isAvailable = data?.available !== false
  return (
    <Switch
      label="Weather of runs"
      isOn={isAvailable && data?.lookups === true}
      isFixed={!isAvailable}
      onTurn={(lookups) => void save({ lookups })}
    >
      {isAvailable
        ? 'Harrier asks Open-Meteo for the weather of new runs. It sees the date and the place where a run began, rounded to about ten kilometres, and nothing else about you or your runs. Off, new runs have no weather.'
        : 'Whoever runs this service has switched the weather of runs off.'}
    </Switch>
  )
}
