import { useState } from 'preact/hooks'
import { RPE_RANGE } from '../../engine/limits.ts'
import { LENGTHS } from '../../texts.ts'
import { wholeOf } from '../add-run/run-fields.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { trialText, useBulkTrial } from './bulk-trial.tsx'

export interface BulkEditDialogProps {
  readonly ids: readonly string[]
  /** Such as `3 runs`. */
  readonly runs: string
  /** @returns an error message; null: it was stored */
  readonly onSave: (set: object) => Promise<string | null>
  readonly onClose: () => void
}

/** Sets words of several runs; empty fields stay unchanged. Says how many runs change before they do. */
export function BulkEditDialog({ ids, runs, onSave, onClose }: BulkEditDialogProps) {
  const [name, setName] = useState('')
  const [effort, setEffort] = useState('')
  const [notes, setNotes] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const rpe = wholeOf(effort)
  const isWrong = rpe === undefined || (rpe !== null && (rpe < RPE_RANGE[0] || rpe > RPE_RANGE[1]))
  const set = {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(rpe === null ? {} : { rpe }),
    ...(notes.trim() === '' ? {} : { notesAppend: notes.trim() }),
  }
  const isReady = !isWrong && Object.keys(set).length > 0
  const trial = useBulkTrial(ids, isReady ? set : null)
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
        <Field
          label="Name"
          value={name}
          onText={setName}
          maxLength={LENGTHS.name}
          hint="Empty: each keeps its own"
          autofocus
        />
        <Field
          label="Effort"
          value={effort}
          onText={setEffort}
          inputMode="numeric"
          suffix="of 10"
          fault={isWrong ? 'From 1 to 10' : null}
        />
        <Field label="Add to the notes" value={notes} onText={setNotes} />
        <p class="muted small" role="status">
          {trial.counts === null ? '' : `${trialText(trial.counts)}.`}
        </p>
        {(fault ?? trial.fault) !== null && <Notice kind="bad">{fault ?? trial.fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={(trial.counts?.changed ?? 0) === 0}>
            Change {runs}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
