import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { trialText, useBulkTrial } from './bulk-trial.tsx'

interface BulkConfirmProps {
  readonly ids: readonly string[]
  /** What is set, such as `Type: Race`. */
  readonly title: string
  readonly set: object
  /** @returns an error message; null: it was stored */
  readonly onSave: (set: object) => Promise<string | null>
  readonly onClose: () => void
}

/** Says how many runs a change concerns, and makes it on request. */
export function BulkConfirm({ ids, title, set, onSave, onClose }: BulkConfirmProps) {
  const { counts, fault } = useBulkTrial(ids, set)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const failed = await onSave(set)
    setBusy(false)
    if (failed === null) onClose()
    else setFailure(failed)
  }
  const refused = failure ?? fault
  return (
    <Dialog title={title} onClose={onClose}>
      <div aria-live="polite">
        {counts !== null && <p>{trialText(counts)}.</p>}
        {counts === null && refused === null && <SkeletonLines count={1} height="1.4rem" />}
      </div>
      {refused !== null && <Notice kind="bad">{refused}</Notice>}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={counts === null || counts.changed === 0}
          onClick={() => void save()}
        >
          Change
        </Button>
      </div>
    </Dialog>
  )
}
