import { api, failureText } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { toastDone } from '../undo.ts'

export const RESTORE_INSTEAD = 'Restore old run instead'

/**
 * Restores a run from the trash in place of the one that was just imported from the same file. The same run is never
 * stored twice, so the new run is deleted first, and comes back when the old one cannot be restored. Shows the result.
 * @param onTurn called with whether the old run is back: when it is, and when that is undone or done again
 */
export async function restoreInstead(
  newId: string,
  trashedId: string,
  onTurn: (isBack: boolean) => void = () => {},
): Promise<void> {
  try {
    toastDone('Old run restored', await exchanged(newId, trashedId), onTurn)
    onTurn(true)
  } catch (error) {
    toast(failureText(error))
  }
}

/** @returns the receipts of both steps, in their order */
async function exchanged(newId: string, trashedId: string): Promise<(string | null)[]> {
  const gone = await api.change('DELETE', `/workouts/${newId}`)
  try {
    return [gone, await api.change('POST', `/trash/${trashedId}/restore`)]
  } catch (error) {
    await api.send('POST', `/receipts/${gone}/undo`)
    throw error
  }
}
