import { useState } from 'preact/hooks'
import { ApiError, api, failureText } from './api.ts'
import { toast } from './ui/toast.tsx'

/**
 * Shows what was done, with an action that undoes it.
 * @param receiptIds receipts in the order of the changes; null: none
 * @param onTurn called when it was undone from here, with false, and done again, with true
 */
export function toastDone(text: string, receiptIds: readonly (string | null)[], onTurn?: Turn): void {
  void offer(text, 'Undo', { receiptIds, onTurn })
}

/** Shows that something was undone, with an action that redoes it. @param receiptId of the undoing */
export function toastUndone(text: string, receiptId: string | null): void {
  void offer(text, 'Redo', { receiptIds: [receiptId] })
}

/** Undoes receipts, the last one first, and offers to redo them. @param receiptIds in the order of the changes */
export async function undoAll(receiptIds: readonly string[]): Promise<void> {
  await undone('Undo', { receiptIds })
}

type Turn = (isDone: boolean) => void

interface Change<Id> {
  readonly receiptIds: readonly Id[]
  readonly onTurn?: Turn | undefined
}

async function offer(
  text: string,
  label: 'Undo' | 'Redo',
  { receiptIds, onTurn }: Change<string | null>,
): Promise<void> {
  const known = receiptIds.filter((id) => id !== null)
  const isKept = known.length > 0 && (await canBeBroughtBack())
  toast(text, isKept ? { label, run: () => void undone(label, { receiptIds: known, onTurn }) } : null)
}

async function undone(label: 'Undo' | 'Redo', { receiptIds, onTurn }: Change<string>): Promise<void> {
  const made: (string | null)[] = []
  let kept: string | null = null
  try {
    for (const id of receiptIds.toReversed()) {
      const answer = await api.send('POST', `/receipts/${id}/undo`)
      made.push(answer.receiptId)
      kept = answer.kept[0]?.reason ?? kept
    }
    const text = kept ?? (label === 'Undo' ? 'Undone' : 'Redone')
    void offer(text, label === 'Undo' ? 'Redo' : 'Undo', { receiptIds: made, onTurn })
    if (kept === null) onTurn?.(label === 'Redo')
  } catch (error) {
    toast(error instanceof ApiError ? error.message : 'Couldn’t undo that. Try again.')
  }
}

/** Whether changes are kept, so that they can be undone; false when the setting cannot be loaded. */
export async function canBeBroughtBack(): Promise<boolean> {
  const trash = await api.get('/trash?pageSize=1').catch(() => null)
  return (trash?.keptDays ?? 0) > 0
}

/** Runs an action; a failure is shown as a toast. @param otherwise its text when the service gives no reason */
export async function attempt(action: () => Promise<unknown>, otherwise?: string): Promise<void> {
  await action().catch((error: unknown) => toast(failureText(error, otherwise)))
}

/** As `attempt`, for a button that is busy meanwhile. */
export function useAction(otherwise?: string) {
  const [isBusy, setBusy] = useState(false)
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await attempt(action, otherwise)
    setBusy(false)
  }
  return { isBusy, act }
}

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
