import { useResource } from './state.ts'

/** Whether trimmed files leave anything out. @param isAsked false: it is not needed yet */
export function useIsHiding(isAsked: boolean): boolean {
  const places = useResource(isAsked ? '/places' : null).data?.places ?? []
  const { trimEndsM = 0 } = useResource(isAsked ? '/settings/privacy' : null).data ?? {}
  return trimEndsM > 0 || places.some(({ hideM }) => hideM !== null)
}
