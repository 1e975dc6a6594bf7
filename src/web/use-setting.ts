import { ApiError, api } from './api.ts'
import { invalidate, useResource } from './state.ts'
import { toast } from './ui/toast.tsx'

/**
 * A setting that takes effect at once; when it could not be stored, an error is shown and the value reverts.
 * @param path of the setting's calls
 */
export function useSetting<T extends object>(
  path: string,
): { readonly data: T | null; readonly save: (change: Partial<T>) => Promise<void> } {
  const { data } = useResource<T>(path)
  const save = async (change: Partial<T>) => {
    try {
      await api.send('PUT', path, change)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That could not be saved. Try again.')
    }
    invalidate(path)
  }
  return { data, save }
}
