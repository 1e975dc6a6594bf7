import type { Static } from '@sinclair/typebox'
import type { WeatherSettings } from '../../../settings/schemas.ts'
import { api } from '../../api.ts'
import { invalidate, useResource } from '../../state.ts'
import { Check } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'

const PATH = '/settings/weather'

/** The switch for weather, with what it means for privacy. */
export function WeatherSetting() {
  const { data } = useResource<Static<typeof WeatherSettings>>(PATH)
  const turn = async (lookups: boolean) => {
    await api.send('PUT', PATH, { lookups }).catch((error: Error) => toast(error.message))
    invalidate(PATH)
  }
  return (
    <div class="map-setting">
      {data?.available !== false && (
        <Check checked={data?.lookups === true} onValue={(wanted) => void turn(wanted)}>
          Weather of runs
        </Check>
      )}
      <p class="muted small">
        {data?.available === false
          ? 'Whoever runs this service has switched the weather of runs off.'
          : 'Harrier asks Open-Meteo for the weather of new runs. For that, the hour and the rounded place where a run began leave this machine.'}
      </p>
    </div>
  )
}
