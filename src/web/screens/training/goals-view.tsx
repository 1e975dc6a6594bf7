import { useState } from 'preact/hooks'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { offsetQuery } from '../stats.ts'
import { GoalDialog } from './goals/goal-dialog.tsx'
import { GoalItem } from './goals/goal-item.tsx'
import './goals/goals.css'

/** Goals with how far they are. */
export function GoalsView() {
  const { data, error } = useResource(`/training/goals?${offsetQuery()}`)
  const [isAdding, setAdding] = useState(false)
  return (
    <Card
      title="Goals"
      aside={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          New goal
        </Button>
      }
    >
      {data === null ? (
        <Pending error={error} height="160px" />
      ) : data.length === 0 ? (
        <p>
          No goals yet. Set a distance, time, number of runs, elevation gain or load for a week, month, year or date
          range. You’ll see your progress and a projection here.
        </p>
      ) : (
        <>
          <ul class="tiles">
            {data.map((goal) => (
              <GoalItem key={goal.id} goal={goal} />
            ))}
          </ul>
          <p class="muted small above-4">
            The mark shows even progress. The lighter bar is the projection from your last 4 weeks, the lightest its
            range.
          </p>
        </>
      )}
      {isAdding && <GoalDialog goal={null} onClose={() => setAdding(false)} />}
    </Card>
  )
}
