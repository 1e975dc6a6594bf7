import type { Static } from '@sinclair/typebox'
import type { WeatherSettings } from '../../../settings/schemas.ts'
import { ApiError, api } from '../../api.ts'
import { invalidate, useResource } from '../../state.ts'
import { Switch } from '../../ui/Switch.tsx'
import { toast } from '../../ui/Toast.tsx'

const PATH = '/settings/weather'

/** The switch for weather, with what it means for privacy. */
export function WeatherSetting() {
  const { data } = useResource<Static<typeof WeatherSettings>>(PATH)
  const isAvailable = data?.available !== false
  const turn = async (lookups: boolean) => {
    try {
      await api.send('PUT', PATH, { lookups })
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That could not be saved. Try again.')
    }
    invalidate(PATH)
  }
  return (
    <Switch
      label="Weather of runs"
      isOn={isAvailable && data?.lookups === true}
      isFixed={!isAvailable}
      onTurn={(wanted) => void turn(wanted)}
    >
      {isAvailable
        ? 'Harrier asks Open-Meteo for the weather of new runs. It sees the date and the place where a run began, rounded to about ten kilometres, and nothing else about you or your runs. Off, new runs have no weather.'
        : 'Whoever runs this service has switched the weather of runs off.'}
    </Switch>
  )
}
