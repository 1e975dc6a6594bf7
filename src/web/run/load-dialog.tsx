import { MOST_MANUAL_LOAD } from '../../engine/limits.ts'
import { useResource } from '../state.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Pending } from '../ui/empty.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useFields } from '../ui/use-fields.ts'
import { TERMS } from '../words.ts'
import { type LoadChoice, loadOptions } from './load-sources.ts'
import type { Detail, Edit, RunTraining } from './types.ts'

interface LoadDialogProps {
  readonly run: Detail
  readonly onEdit: (edit: Edit) => Promise<string | null>
  readonly onClose: () => void
}

/** Chooses the source of a run's load: automatic, one of the sources, or a number entered by the runner. */
export function LoadDialog({ run, onEdit, onClose }: LoadDialogProps) {
  const { data, error } = useResource(`/workouts/${run.id}/training`)
  return (
    <Dialog title="Load of this run" onClose={onClose}>
      {data !== null ? (
        <LoadForm training={data} onEdit={onEdit} onClose={onClose} />
      ) : (
        <Pending error={error} height="180px" />
      )}
    </Dialog>
  )
}

interface LoadFormProps extends Omit<LoadDialogProps, 'run'> {
  readonly training: RunTraining
}

function LoadForm({ training, onEdit, onClose }: LoadFormProps) {
  const { loads, chosen } = training
  const { values, field, choice, form } = useFields(
    { source: chosen as LoadChoice, own: loads.manual === null ? '' : String(loads.manual) },
    {
      send: async ({ source }) => {
        const failure = await onEdit({ loadSource: source, ...(source === 'manual' ? { loadManual: value } : {}) })
        if (failure !== null) throw new Error(failure)
        onClose()
      },
    },
  )
  const isManual = values.source === 'manual'
  const value = Number(values.own.replace(',', '.'))
  const isPossible = !isManual || (values.own.trim() !== '' && value >= 0 && value <= MOST_MANUAL_LOAD)
  return (
    <Form {...form} isIncomplete={!isPossible} action="Save" isPrimary onCancel={onClose}>
      <Select<LoadChoice>
        label={TERMS.loadSource}
        {...choice('source')}
        options={[...loadOptions(training).filter(([one]) => one !== 'manual'), ['manual', 'Enter a value']]}
      />
      {isManual && (
        <Field
          label={TERMS.load}
          {...field('own')}
          inputMode="decimal"
          autocomplete="off"
          hint={`100 is an hour at threshold pace; at most ${MOST_MANUAL_LOAD}`}
          required
        />
      )}
    </Form>
  )
}
