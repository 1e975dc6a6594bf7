import type { Static } from '@sinclair/typebox'
import type { MapSettings } from '../../map/schemas.ts'
import { ApiError, api } from '../api.ts'
import { invalidate, useResource } from '../state.ts'
import { toast } from '../ui/Toast.tsx'

const PATH = '/settings/map'

/** Whether maps show a street map, and how to change it; not before the answer is there. */
export function useMapTiles(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const { data } = useResource<Static<typeof MapSettings>>(PATH)
  const turn = async (tiles: boolean) => {
    try {
      await api.send('PUT', PATH, { tiles })
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That could not be saved. Try again.')
    }
    invalidate(PATH)
  }
  return { isOn: data?.tiles === true, turn }
}
