import type { Static } from '@sinclair/typebox'
import type { MapSettings } from '../../../map/schemas.ts'
import { useSetting } from '../../use-setting.ts'

/** Whether maps show a street map, and how to change it; not before the answer is there. */
export function useMapTiles(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const { data, save } = useSetting<Static<typeof MapSettings>>('/settings/map')
  return { isOn: data?.tiles === true, turn: (tiles) => save({ tiles }) }
}
