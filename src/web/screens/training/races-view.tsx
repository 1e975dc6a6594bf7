import { useState } from 'preact/hooks'
import { dayNumber } from '../../days.ts'
import { useResource } from '../../state.ts'
import type { Race } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { offsetQuery, today } from '../stats.ts'
import { RaceDayCard } from './goals/race-day-card.tsx'
import { RaceDialog } from './races/race-dialog.tsx'
import { RaceItem } from './races/race-item.tsx'
import './goals/goals.css'
import './races/races.css'

/** Upcoming races with the way to them, and past ones with their results. */
export function RacesView() {
  const { data, error } = useResource(`/races?${offsetQuery()}`)
  const [isAdding, setAdding] = useState(false)
  const isAhead = ({ date, workoutId }: Race) => workoutId === null && dayNumber(date) >= dayNumber(today())
  const upcoming = (data ?? []).filter(isAhead).toReversed()
  const past = (data ?? []).filter((race) => !isAhead(race))
  return (
    <>
      <Card
        title="Upcoming races"
        aside={
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            Add race
          </Button>
        }
      >
        {data === null ? (
          <Pending error={error} height="120px" />
        ) : upcoming.length === 0 ? (
          <p class="muted">
            No upcoming races. Add one to see its countdown, your predicted time and your form that day.
          </p>
        ) : (
          <List races={upcoming} />
        )}
      </Card>
      <RaceDayCard races={upcoming} />
      {data !== null && (
        <Card title="Past races">
          {past.length === 0 ? (
            <p class="muted">No past races. Runs of the type Race appear here.</p>
          ) : (
            <List races={past} />
          )}
        </Card>
      )}
      {isAdding && <RaceDialog race={null} onClose={() => setAdding(false)} />}
    </>
  )
}

function List({ races }: { readonly races: readonly Race[] }) {
  return (
    <ul class="race-list tiles">
      {races.map((race) => (
        <RaceItem key={race.id ?? race.workoutId} race={race} />
      ))}
    </ul>
  )
}
