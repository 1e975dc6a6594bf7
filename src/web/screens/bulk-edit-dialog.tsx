import { useState } from 'preact/hooks'
import { wholeOf } from '../add-run/run-fields.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'

export interface BulkEditDialogProps {
  /** Such as `3 runs`. */
  readonly runs: string
  /** @returns an error message; null: it was stored */
  readonly onSave: (set: object) => Promise<string | null>
  readonly onClose: () => void
}

/** Sets words of several runs; empty fields stay unchanged. */
export function BulkEditDialog({ runs, onSave, onClose }: BulkEditDialogProps) {
  const [name, setName] = useState('')
  const [effort, setEffort] = useState('')
  const [notes, setNotes] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const rpe = wholeOf(effort)
  const isWrong = rpe === undefined || (rpe !== null && (rpe < 1 || rpe > 10))
  const set = {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(rpe === null ? {} : { rpe }),
    ...(notes.trim() === '' ? {} : { notesAppend: notes.trim() }),
  }
  const save = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    const failure = await onSave(set)
    setBusy(false)
    if (failure === null) onClose()
    else setFault(failure)
  }
  return (
    <Dialog title={`Change ${runs}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <Field label="Name" value={name} onText={setName} maxLength={200} hint="Empty: each keeps its own" autofocus />
        <Field
          label="Effort"
          value={effort}
          onText={setEffort}
          inputMode="numeric"
          suffix="of 10"
          fault={isWrong ? 'From 1 to 10' : null}
        />
        <Field label="Add to the notes" value={notes} onText={setNotes} />
        {fault !== null && <Notice kind="bad">{fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={isWrong || Object.keys(set).length === 0}>
            Change {runs}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
