import { LENGTHS } from '../../base/texts.ts'
import { numberField, RUN_RULES, wholeOf } from '../add-run/run-fields.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useFields } from '../ui/use-fields.ts'
import { trialText, useBulkTrial } from './bulk-trial.tsx'

interface BulkEditDialogProps {
  readonly ids: readonly string[]
  /** Such as `3 runs`. */
  readonly runs: string
  readonly onSave: (set: object) => Promise<void>
  readonly onClose: () => void
}

/** Sets words of several runs; empty fields stay unchanged. Says how many runs change before they do. */
export function BulkEditDialog({ ids, runs, onSave, onClose }: BulkEditDialogProps) {
  const { values, field, isValid, form } = useFields(
    { name: '', rpe: '', notes: '' },
    {
      rules: { rpe: RUN_RULES.rpe },
      send: async () => {
        await onSave(set)
        onClose()
      },
    },
  )
  const name = values.name.trim()
  const notesAppend = values.notes.trim()
  const rpe = wholeOf(values.rpe)
  const set = {
    ...(name === '' ? {} : { name }),
    ...(rpe === null ? {} : { rpe }),
    ...(notesAppend === '' ? {} : { notesAppend }),
  }
  const isReady = isValid && Object.keys(set).length > 0
  const { answer: counts, failure, isOutdated } = useBulkTrial(ids, isReady ? set : null)
  return (
    <Dialog title={`Change ${runs}`} onClose={onClose}>
      <Form
        {...form}
        isIncomplete={!counts?.changed || isOutdated}
        action={`Change ${runs}`}
        isPrimary
        onCancel={onClose}
      >
        <Field
          label="Name"
          {...field('name')}
          maxLength={LENGTHS.name}
          hint="Leave empty to keep each name"
          autofocus
        />
        <Field {...numberField('rpe')} {...field('rpe')} />
        <Field label="Add to notes" {...field('notes')} />
        <p class="muted small" role="status">
          {counts === null ? '' : `${trialText(counts)}.`}
        </p>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}
