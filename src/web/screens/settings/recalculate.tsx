import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { counted, distanceUnit } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { attempt } from '../../use-action.ts'
import { TERMS } from '../../words.ts'

type Task = 'splits' | 'effort' | 'records'

const PATHS = {
  splits: '/workouts/recalculate-splits',
  effort: '/workouts/recalculate-relative-effort',
  records: '/stats/best-efforts/recalculate',
} as const

/** Recalculations of all runs, each with a confirmation that states their number. */
export function Recalculate() {
  const units = useUnits()
  const splits = useResource(`${PATHS.splits}/count`)
  const effort = useResource(`${PATHS.effort}/count`)
  const [asked, setAsked] = useState<Task | null>(null)
  const [busy, setBusy] = useState<Task | null>(null)
  const run = async (task: Task) => {
    setBusy(task)
    await attempt(async () => toast((await api.send('POST', PATHS[task])).message))
    setBusy(null)
  }
  const tasks: readonly (readonly [task: Task, name: string, about: string])[] = [
    ['splits', TERMS.splits, `Every ${distanceUnit(units)}, for ${runsText(splits.data?.count)} with a route`],
    ['effort', TERMS.relativeEffort, `With the zones above, for ${runsText(effort.data?.count)} with heart rate`],
    ['records', 'Best efforts', 'All distances, from the recorded points'],
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
          <p class="muted">This replaces the stored values. Your runs, edits and files don’t change.</p>
        </Confirm>
      )}
    </>
  )
}

function runsText(count: number | undefined): string {
  return count === undefined ? 'all runs' : counted(count, 'run')
}
