import { useState } from 'preact/hooks'
import { useResource, useUnits } from '../../state.ts'
import type { Goal } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'
import { CalendarCard } from './goals/calendar-card.tsx'
import { GoalDialog } from './goals/goal-dialog.tsx'
import { GoalItem } from './goals/goal-item.tsx'
import { RaceDayCard } from './goals/race-day-card.tsx'
import './goals/goals.css'

/** Goals, race day, and the calendar of runs. */
export function GoalsView() {
  return (
    <>
      <GoalsCard />
      <RaceDayCard />
      <CalendarCard />
    </>
  )
}

function GoalsCard() {
  const units = useUnits()
  const { data, error, reload } = useResource<Goal[]>(`/training/goals?${offsetQuery()}`)
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
        error === null ? (
          <Skeleton height="160px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : data.length === 0 ? (
        <p>
          No goal yet. A goal is a distance, a time, a number of runs, a climb or a load in a week, a month, a year or
          between two days; here it says how far it is and where it goes.
        </p>
      ) : (
        <>
          <ul class="goals">
            {data.map((goal) => (
              <GoalItem key={goal.id} goal={goal} units={units} />
            ))}
          </ul>
          <p class="muted small goals-about">
            The mark is where an even pace would be; what is lighter would come on top with runs as in the last four
            weeks, the lightest is its band.
          </p>
        </>
      )}
      {isAdding && <GoalDialog goal={null} units={units} onClose={() => setAdding(false)} />}
    </Card>
  )
}
