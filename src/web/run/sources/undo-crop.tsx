import { useState } from 'preact/hooks'
import { ApiError, api } from '../../api.ts'
import { invalidate, useResource } from '../../state.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { toastDone } from '../../undo.ts'
import type { Sources } from '../types.ts'
import { revertible } from './repair-words.ts'
import { sourcesPath } from './sources-card.tsx'

/**
 * How many crops of the run count. It is asked for while the menu that could undo them is open: few open it, and the answer,
 * for which every recording is analysed, is there before they have read the menu.
 */
export function useCropCount(runId: string, isMenuOpen: boolean): number {
  const { data } = useResource<Sources>(isMenuOpen ? sourcesPath(runId) : null)
  const active = data === null ? [] : revertible(data.repairs)
  // other changes are taken back where they are made
  return active.every(({ kind }) => kind === 'crop') ? active.length : 0
}

interface UndoCropDialogProps {
  readonly runId: string
  /** The service takes all of them back at once. */
  readonly count: number
  readonly onClose: () => void
}

/** Asks, and gives the run back what was cut. */
export function UndoCropDialog({ runId, count, onClose }: UndoCropDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    try {
      const receiptId = await api.change('POST', `/workouts/${runId}/revert`)
      for (const prefix of ['/workouts', '/stats', '/shoes']) invalidate(prefix)
      toastDone(count === 1 ? 'Crop undone' : 'Crops undone', [receiptId])
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That did not work. Try again.')
    }
    onClose()
  }
  return (
    <Confirm
      title={count === 1 ? 'Undo the crop?' : `Undo ${count === 2 ? 'both' : `all ${count}`} crops?`}
      action={undoText(count)}
      isBusy={isBusy}
      onConfirm={() => void undo()}
      onClose={onClose}
    >
      <p class="muted">The run gets back what was cut, and the numbers it had before.</p>
    </Confirm>
  )
}

/** As the menu and the question call it. */
export function undoText(count: number): string {
  return count === 1 ? 'Undo crop' : 'Undo crops'
}
