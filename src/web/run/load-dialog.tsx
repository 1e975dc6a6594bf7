import { useState } from 'preact/hooks'
import { MOST_MANUAL_LOAD } from '../../engine/limits.ts'
import { number } from '../format.ts'
import { useResource } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LoadFailure, Notice } from '../ui/empty.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Skeleton } from '../ui/spinner.tsx'
import { LOAD_SOURCES, type LoadSource } from './load-sources.ts'
import type { Detail, Edit, RunTraining } from './types.ts'

interface LoadDialogProps {
  readonly run: Detail
  readonly onEdit: (edit: Edit) => Promise<string | null>
  readonly onClose: () => void
}

/** Chooses the source of a run's load: automatic, one of the sources, or a number entered by the runner. */
export function LoadDialog({ run, onEdit, onClose }: LoadDialogProps) {
  const { data, error, reload } = useResource<RunTraining>(`/workouts/${run.id}/training`)
  return (
    <Dialog title="Load of this run" onClose={onClose}>
      {data !== null ? (
        <LoadForm training={data} onEdit={onEdit} onClose={onClose} />
      ) : error === null ? (
        <Skeleton height="180px" />
      ) : (
        <LoadFailure message={error.message} onRetry={reload} />
      )}
    </Dialog>
  )
}

interface LoadFormProps extends Omit<LoadDialogProps, 'run'> {
  readonly training: RunTraining
}

function LoadForm({ training: { loads, chosen }, onEdit, onClose }: LoadFormProps) {
  const [source, setSource] = useState<LoadSource | 'auto'>(chosen)
  const [own, setOwn] = useState(loads.manual === null ? '' : String(loads.manual))
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const known = (Object.keys(LOAD_SOURCES) as LoadSource[]).filter(
    (one) => one !== 'manual' && (loads[one] !== null || one === chosen),
  )
  const value = Number(own.replace(',', '.'))
  const isPossible = source !== 'manual' || (own.trim() !== '' && value >= 0 && value <= MOST_MANUAL_LOAD)
  const save = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    const failure = await onEdit(
      source === 'manual' ? { loadSource: source, loadManual: value } : { loadSource: source },
    )
    setBusy(false)
    setFault(failure)
    if (failure === null) onClose()
  }
  return (
    <form class="form" onSubmit={save}>
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <Select<LoadSource | 'auto'>
        label="Made of"
        value={source}
        options={[
          ['auto', 'The best that there is'],
          ...known.map((one) => [one, `From ${LOAD_SOURCES[one]}: ${number(loads[one])}`] as const),
          ['manual', 'A number of my own'],
        ]}
        onValue={setSource}
      />
      {source === 'manual' && (
        <Field
          label="Load"
          value={own}
          onText={setOwn}
          inputMode="decimal"
          autocomplete="off"
          hint={`100 is an hour at the pace you could hold for an hour; at most ${MOST_MANUAL_LOAD}`}
          required
        />
      )}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isPossible}>
          Save
        </Button>
      </div>
    </form>
  )
}
