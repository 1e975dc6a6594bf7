import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { usePaceClock } from '../../shown-pace.ts'
import { useResource, useUnits } from '../../state.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { Form as ChangeForm } from '../../ui/form.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import type { RunSeries } from '../charts/series.ts'
import { revertible } from '../sources/repair-words.ts'
import { sourcesPath } from '../sources/sources-card.tsx'
import type { Detail } from '../types.ts'
import { type Change, makeChange, type StretchFormProps, useTrial } from './change.ts'
import { DistanceForm, StartForm } from './correction-forms.tsx'
import { Differences } from './differences.tsx'
import { NumbersForm } from './numbers-form.tsx'
import { STRETCH_TASKS } from './stretch-forms.tsx'
import '../crop.css'

interface RepairDialogProps {
  readonly run: Detail
  /** null: the run has no samples. */
  readonly series: RunSeries | null
  readonly onClose: () => void
}

type Stretch = keyof typeof STRETCH_TASKS
type Task = Stretch | 'distance' | 'start' | 'numbers' | 'revert'
interface TaskWords {
  readonly text: string
  readonly action: string
  readonly done: string
  readonly Form?: (props: StretchFormProps) => JSX.Element
}

const TASKS: Readonly<Record<Task, TaskWords>> = {
  ...STRETCH_TASKS,
  distance: { text: 'Correct distance', action: 'Set distance', done: 'Distance set' },
  start: { text: 'Correct start time', action: 'Move run', done: 'Run moved' },
  numbers: { text: 'Correct numbers', action: 'Save numbers', done: 'Numbers saved' },
  revert: { text: 'Revert all changes', action: 'Revert', done: 'All changes reverted' },
}
const REVERT: Change = { call: 'revert', body: {} }

/** Repairs a run: the kind of change, its parameters, and the numbers before and after. */
export function RepairDialog({ run, series, onClose }: RepairDialogProps) {
  const units = useUnits()
  const clock = usePaceClock()
  const { data: sources } = useResource(sourcesPath(run.id))
  const isRepaired = sources !== null && revertible(sources.repairs).length > 0
  const isStated = sources?.recordings.every(({ channels }) => channels.length === 0) ?? false
  const tasks: Task[] = [
    ...(series === null ? [] : ([...(Object.keys(STRETCH_TASKS) as Stretch[]), 'distance'] as const)),
    ...(isStated ? (['numbers'] as const) : []),
    'start',
    ...(isRepaired ? (['revert'] as const) : []),
  ]
  const [chosen, setTask] = useState<Task | null>(null)
  const task = chosen ?? tasks[0]!
  const [proposed, setProposed] = useState<Change | null>(null)
  const change = task === 'revert' ? REVERT : proposed
  const { answer: trial, failure, isOutdated } = useTrial(run.id, change)
  const { action, done, Form } = TASKS[task]
  const make = async () => {
    if (change === null) return
    await makeChange(run.id, change, done)
    onClose()
  }
  const stated = { run, onChange: setProposed }
  return (
    <Dialog title="Repair run" isWide onClose={onClose}>
      {/* keeps the focus when the form changes */}
      <Select
        label="Choose a repair"
        value={task}
        options={tasks.map((one) => [one, TASKS[one].text] as const)}
        onValue={(next) => {
          setProposed(null)
          setTask(next)
        }}
      />
      <ChangeForm
        key={task}
        action={action}
        isPrimary
        isIncomplete={change === null || trial === null || isOutdated}
        onCancel={onClose}
        onSend={make}
      >
        {series !== null && Form !== undefined && <Form runId={run.id} series={series} onChange={setProposed} />}
        {task === 'distance' && <DistanceForm {...stated} />}
        {task === 'start' && <StartForm {...stated} />}
        {task === 'numbers' && <NumbersForm {...stated} />}
        {task === 'revert' && <p class="muted">This restores the recording. Your notes, shoe and photos stay.</p>}
        <div class="differences-place" aria-live="polite">
          {change !== null && trial === null && failure === null && <SkeletonLines count={3} height="1.4rem" />}
          {trial !== null && (
            <Differences trial={trial} units={units} clock={run.runType === 'Race' ? 'elapsed' : clock} />
          )}
        </div>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </ChangeForm>
    </Dialog>
  )
}
