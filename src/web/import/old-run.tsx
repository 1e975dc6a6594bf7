import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { change } from './queue.ts'
import { RESTORE_INSTEAD, restoreInstead } from './restore-instead.ts'

interface OldRunProps {
  /** Id of the file in the import queue. */
  readonly id: number
  /** Id of the run that was just imported. */
  readonly runId: string | null
  readonly receiptId: string
  readonly trashedId: string
}

/** Offers to restore the run of the same file from the trash, with everything that was edited. */
export function OldRun({ id, runId, receiptId, trashedId }: OldRunProps) {
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await restoreInstead(receiptId, trashedId, (isBack) => {
      const told = isBack
        ? ({ state: 'updated', message: 'The run from your trash is back', runId: trashedId } as const)
        : ({ state: 'created', message: 'Imported; the old run is in your trash again', runId } as const)
      change(id, { ...told, receiptId: null, trashedId: null })
    })
    setBusy(false)
  }
  return (
    <div class="tray-old">
      <span>You deleted this run; it lies in your trash as you left it.</span>
      <Button size="small" icon="undo" isBusy={isBusy} onClick={() => void restore()}>
        {RESTORE_INSTEAD}
      </Button>
    </div>
  )
}
