import { attempt } from './actions.ts'
import { api } from './api.ts'
import type { Answer, Body } from './service.ts'
import { useResource } from './state.ts'
import { TERMS } from './words.ts'

type Path = '/settings/map' | '/settings/weather' | '/settings/second-recording' | '/settings/privacy'

/**
 * A setting that takes effect at once; when it could not be stored, an error is shown and the value reverts.
 * @param path of the setting's calls
 */
export function useSetting<P extends Path>(
  path: P,
): { readonly data: Answer<P> | null; readonly save: (change: NonNullable<Body<'PUT', P>>) => Promise<void> } {
  const { data } = useResource<Path>(path)
  const save = (change: NonNullable<Body<'PUT', P>>) =>
    attempt(() => api.send<'PUT', Path>('PUT', path, change), TERMS.notSaved)
  return { data: data as Answer<P> | null, save }
}
