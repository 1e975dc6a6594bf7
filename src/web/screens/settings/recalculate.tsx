import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { distanceUnit, number } from '../../format.ts'
import { invalidate, useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'

type Task = 'splits' | 'effort' | 'records'

interface Answer {
  readonly message: string
}

const PATHS: Readonly<Record<Task, string>> = {
  splits: '/workouts/recalculate-splits',
  effort: '/workouts/recalculate-relative-effort',
  records: '/stats/best-efforts/recalculate',
}

/** Recalculations of all runs, each with a confirmation that states their number. */
export function Recalculate() {
  const units = useUnits()
  const splits = useResource<{ count: number }>(`${PATHS.splits}/count`)
  const effort = useResource<{ count: number }>(`${PATHS.effort}/count`)
  const [asked, setAsked] = useState<Task | null>(null)
  const [busy, setBusy] = useState<Task | null>(null)
  const run = async (task: Task) => {
    setAsked(null)
    setBusy(task)
    try {
      const { message } = await api.send<Answer>('POST', PATHS[task])
      toast(message)
      invalidate('/workouts')
      invalidate('/stats')
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
    setBusy(null)
  }
  const tasks: readonly (readonly [task: Task, name: string, about: string])[] = [
    ['splits', 'Splits', `Every ${distanceUnit(units)}, for ${runs(splits.data?.count)} with a route`],
    ['effort', 'Relative effort', `With the zones above, for ${runs(effort.data?.count)} with heart rate`],
    ['records', 'Best efforts', 'The records of all distances, from the recorded points'],
  ]
  return (
    <>
      <ul class="rows">
        {tasks.map(([task, name, about]) => (
          <li class="row" key={task}>
            <span class="key-text">
              <strong>{name}</strong>
              <span class="muted small">{about}</span>
            </span>
            <Button size="small" isBusy={busy === task} disabled={busy !== null} onClick={() => setAsked(task)}>
              Recalculate
            </Button>
          </li>
        ))}
      </ul>
      {asked !== null && (
        <Confirm
          title={`Recalculate ${tasks.find(([task]) => task === asked)?.[1].toLowerCase()}?`}
          action="Recalculate"
          onConfirm={() => void run(asked)}
          onClose={() => setAsked(null)}
        >
          <p class="muted">The stored values are replaced. Your runs, edits and files stay as they are.</p>
        </Confirm>
      )}
    </>
  )
}

function runs(count: number | undefined): string {
  return count === undefined ? 'all runs' : `${number(count)} ${count === 1 ? 'run' : 'runs'}`
}
