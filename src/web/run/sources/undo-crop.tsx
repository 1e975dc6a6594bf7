import { api } from '../../api.ts'
import { useResource } from '../../state.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toastDone } from '../../undo.ts'
import { revertible } from './repair-words.ts'
import { sourcesPath } from './sources-card.tsx'

/**
 * Number of active crops. Loaded while the menu with the undo entry is open: few open it, and although every recording
 * is analysed for it, the answer arrives before the menu has been read.
 */
export function useCropCount(runId: string, isMenuOpen: boolean): number {
  const { data } = useResource(isMenuOpen ? sourcesPath(runId) : null)
  const active = data === null ? [] : revertible(data.repairs)
  // other repairs are reverted in the sources card
  return active.every(({ kind }) => kind === 'crop') ? active.length : 0
}

interface UndoCropDialogProps {
  readonly runId: string
  /** The service reverts all of them at once. */
  readonly count: number
  readonly onClose: () => void
}

/** Confirms, then reverts the crops. */
export function UndoCropDialog({ runId, count, onClose }: UndoCropDialogProps) {
  const undo = async () =>
    toastDone(count === 1 ? 'Crop undone' : 'Crops undone', [await api.change('POST', `/workouts/${runId}/revert`)])
  return (
    <Confirm
      title={count === 1 ? 'Undo the crop?' : `Undo ${count === 2 ? 'both' : `all ${count}`} crops?`}
      action={undoText(count)}
      onConfirm={undo}
      onClose={onClose}
    >
      <p class="muted">This restores the removed part and the earlier numbers.</p>
    </Confirm>
  )
}

/** Text of the menu entry and of the dialog. */
export function undoText(count: number): string {
  return count === 1 ? 'Undo crop' : 'Undo crops'
}
