import { ApiError, api } from '../api.ts'
import type { UndoResult } from '../types.ts'
import { toast } from '../ui/toast.tsx'
import { invalidateAll, toastDone } from '../undo.ts'

export const RESTORE_INSTEAD = 'Restore the old one instead'

/**
 * Restores a run from the trash in place of the one that was just imported from the same file. The same run is never
 * stored twice, so the import is undone first, and redone when the old run cannot be restored. Shows the result.
 * @param receiptId of the import
 * @param onTurn called with whether the old run is back: when it is, and when that is undone or done again
 */
export async function restoreInstead(
  receiptId: string,
  trashedId: string,
  onTurn: (isBack: boolean) => void = () => {},
): Promise<void> {
  try {
    toastDone('The old run is back', await exchanged(receiptId, trashedId), onTurn)
    onTurn(true)
  } catch (error) {
    toast(error instanceof ApiError ? error.message : 'That did not work. Try again.')
  }
  invalidateAll()
}

/** @returns the receipts of both steps, in their order */
async function exchanged(receiptId: string, trashedId: string): Promise<(string | null)[]> {
  const gone = await api.send<UndoResult>('POST', `/receipts/${receiptId}/undo`)
  if (gone.receiptId === null) throw new ApiError(400, gone.kept[0]?.reason ?? 'The new run cannot be taken back')
  try {
    return [gone.receiptId, await api.change('POST', `/trash/${trashedId}/restore`)]
  } catch (error) {
    await api.send('POST', `/receipts/${gone.receiptId}/undo`)
    throw error
  }
}
