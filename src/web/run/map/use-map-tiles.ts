import { useSetting } from '../../use-setting.ts'

/** Whether map tiles are enabled, and a function to change it; off until the answer has arrived. */
export function useMapTiles(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const { data, save } = useSetting('/settings/map')
  return { isOn: data?.tiles === true, turn: (tiles) => save({ tiles }) }
}
