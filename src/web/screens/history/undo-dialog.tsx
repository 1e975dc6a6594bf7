import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { number } from '../../format.ts'
import type { Receipt, UndoResult } from '../../types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Check } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { toastUndone } from '../../undo.ts'
import { useAsked } from '../../use-asked.ts'
import { undoneText } from './words.ts'

/** Most kept items that are listed. */
const MOST_KEPT = 8

/** Shows the result of a dry run first, then undoes the receipt. */
export function UndoDialog({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const [isForced, setForced] = useState(false)
  const path = `/receipts/${receipt.id}/undo` as const
  const {
    answer: dry,
    failure,
    isOutdated,
  } = useAsked(String(isForced), () => api.trial('POST', path, { force: isForced }))
  const undo = async () => {
    const { receiptId, kept } = await api.send('POST', path, { force: isForced })
    toastUndone(kept.length === 0 ? 'Undone' : `Undone except for ${number(kept.length)}`, receiptId)
    onClose()
  }
  return (
    <Dialog title={`Undo: ${receipt.title}?`} onClose={onClose}>
      <Form action="Undo" isPrimary isIncomplete={!dry?.undone || isOutdated} onCancel={onClose} onSend={undo}>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
        {dry === null ? (
          failure === null && <SkeletonLines count={2} height="24px" />
        ) : (
          <Plan dry={dry} receipt={receipt} />
        )}
        {receipt.kind === 'import' && dry !== null && (dry.kept.length > 0 || isForced) && (
          <Check checked={isForced} onValue={setForced}>
            Also move runs that were edited later to the trash
          </Check>
        )}
      </Form>
    </Dialog>
  )
}

function Plan({ dry, receipt }: { readonly dry: UndoResult; readonly receipt: Receipt }) {
  const { undone, kept } = dry
  return (
    <div>
      <p>{undone === 0 ? 'There’s nothing left to undo.' : undoneText(receipt, undone)}</p>
      {kept.length > 0 && (
        <>
          <p class="muted small">
            {kept.length === 1 ? '1 item won’t be undone:' : `${number(kept.length)} items won’t be undone:`}
          </p>
          <ul class="muted small">
            {kept.slice(0, MOST_KEPT).map(({ workoutName, reason }, place) => (
              <li key={place}>
                {workoutName === null ? '' : `${workoutName}: `}
                {reason}
              </li>
            ))}
            {kept.length > MOST_KEPT && <li>and {number(kept.length - MOST_KEPT)} more</li>}
          </ul>
        </>
      )}
    </div>
  )
}
