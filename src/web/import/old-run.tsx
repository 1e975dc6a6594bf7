import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { change } from './queue.ts'
import { RESTORE_INSTEAD, restoreInstead } from './restore-instead.ts'

interface OldRunProps {
  /** Id of the file in the import queue. */
  readonly id: number
  /** Id of the run that was just imported. */
  readonly runId: string
  readonly trashedId: string
}

/** Offers to restore the run of the same file from the trash, with everything that was edited. */
export function OldRun({ id, runId, trashedId }: OldRunProps) {
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await restoreInstead(runId, trashedId, (isBack) => {
      const stated = isBack
        ? ({ state: 'updated', message: 'Old run restored', runId: trashedId } as const)
        : ({ state: 'created', message: 'Imported; the old run is back in the trash', runId } as const)
      change(id, { ...stated, receiptId: null, trashedId: null })
    })
    setBusy(false)
  }
  return (
    <div class="tray-old stack gap-2">
      <span>You deleted this run before. The old one is still in your trash.</span>
      <Button size="small" icon="undo" isBusy={isBusy} onClick={() => void restore()}>
        {RESTORE_INSTEAD}
      </Button>
    </div>
  )
}
