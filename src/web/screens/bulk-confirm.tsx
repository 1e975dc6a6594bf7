import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Form } from '../ui/form.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { trialText, useBulkTrial } from './bulk-trial.tsx'

interface BulkConfirmProps {
  readonly ids: readonly string[]
  /** What is set, such as `Type: Race`. */
  readonly title: string
  readonly set: object
  readonly onSave: (set: object) => Promise<void>
  readonly onClose: () => void
}

/** Says how many runs a change concerns, and makes it on request. */
export function BulkConfirm({ ids, title, set, onSave, onClose }: BulkConfirmProps) {
  const { answer: counts, failure } = useBulkTrial(ids, set)
  const save = async () => {
    await onSave(set)
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action="Change" isPrimary isIncomplete={!counts?.changed} onCancel={onClose} onSend={save}>
        <div aria-live="polite">
          {counts !== null && <p>{trialText(counts)}.</p>}
          {counts === null && failure === null && <SkeletonLines count={1} height="1.4rem" />}
        </div>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}
