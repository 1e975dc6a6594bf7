import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { change } from './queue.ts'
import { RESTORE_INSTEAD, restoreInstead } from './restore-instead.ts'

interface OldRunProps {
  /** Id of the file in the import queue. */
  readonly id: number
  readonly receiptId: string
  readonly trashedId: string
}

/** Offers to restore the same run from the trash, with the name and notes that it had. */
export function OldRun({ id, receiptId, trashedId }: OldRunProps) {
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    const isBack = await restoreInstead(receiptId, trashedId)
    setBusy(false)
    if (!isBack) return
    const message = 'The run from your trash is back'
    change(id, { state: 'updated', message, runId: trashedId, receiptId: null, trashedId: null })
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
