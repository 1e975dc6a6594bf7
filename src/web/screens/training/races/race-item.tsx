import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { date, duration, pace, text } from '../../../format.ts'
import { Link } from '../../../router.ts'
import { useUnits } from '../../../state.ts'
import type { Race } from '../../../types.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { today } from '../../stats.ts'
import { AboutEstimate } from '../estimate.tsx'
import { roundTime } from '../races-card.tsx'
import { RaceDialog } from './race-dialog.tsx'
import { countdown, placeWords, raceDistance, raceName } from './race-words.ts'

/** A race: its countdown, or its time, place and prediction. */
export function RaceItem({ race }: { readonly race: Race }) {
  const units = useUnits()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const { id, date: day, distanceM, goalTimeS, note, workoutId, timeMs } = race
  const name = raceName(race, units)
  const isAhead = workoutId === null && day >= today()
  const facts = [
    date(day, 'long'),
    ...(race.name === null ? [] : [raceDistance(distanceM, units)]),
    ...(goalTimeS === null ? [] : [`goal ${duration(goalTimeS)}`]),
  ]
  const edit = { text: id === null ? 'Add details…' : 'Edit…', icon: 'edit', onChoose: () => setOpen('edit') } as const
  const remove = { text: 'Delete race…', icon: 'trash', isDangerous: true, onChoose: () => setOpen('delete') } as const
  return (
    <li>
      <div class="goal-head level">
        <h3>{workoutId === null ? name : <Link href={`/app/runs/${workoutId}`}>{name}</Link>}</h3>
        <Menu label={`Actions for ${name}`} items={id === null ? [edit] : [edit, remove]} />
      </div>
      <p class="muted small">{facts.join(' · ')}</p>
      <p>
        <strong class="race-time">
          {isAhead ? countdown(day) : timeMs === null ? 'No result' : duration(timeMs / 1000)}
        </strong>{' '}
        {timeMs !== null && (
          <span class="muted">
            {[text(pace(timeMs / distanceM, units)), placeWords(race.place), goalWords(race)]
              .filter((words) => words !== null)
              .join(' · ')}
          </span>
        )}
      </p>
      <Prediction race={race} isAhead={isAhead} />
      {note !== null && <p class="small race-note">{note}</p>}
      {open === 'edit' && <RaceDialog race={race} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Confirm
          title="Delete this race?"
          action="Delete race"
          onConfirm={() => api.send('DELETE', `/races/${id ?? ''}`)}
          onClose={() => setOpen(null)}
        >
          “{name}” with its goal and note is deleted permanently. Its run stays.
        </Confirm>
      )}
    </li>
  )
}

function goalWords({ goalTimeS, timeMs }: Race): string | null {
  if (goalTimeS === null || timeMs === null) return null
  const by = Math.round(timeMs / 1000) - goalTimeS
  return by <= 0 ? `goal reached by ${duration(-by)}` : `${duration(by)} over the goal`
}

/** The time expected, with its range; of a past race whether the result was in it. */
function Prediction({ race, isAhead }: { readonly race: Race; readonly isAhead: boolean }) {
  const { prediction, inPrediction, timeMs } = race
  const { value, low, high } = prediction
  if (value === null || low === null || high === null) {
    return isAhead ? <AboutEstimate of={prediction} /> : null
  }
  const range = `Predicted ${roundTime(value)} (${roundTime(low)}–${roundTime(high)})`
  if (timeMs === null) return <p class="small">{range}</p>
  const seconds = timeMs / 1000
  const [least, most] = [Math.min(low, seconds), Math.max(high, seconds)]
  const x = (at: number) => (100 * (at - least)) / Math.max(1, most - least)
  const where = inPrediction ? 'in this range' : seconds < low ? 'faster' : 'slower'
  return (
    <>
      <p class="small">
        {range}: {where}
      </p>
      <svg class="race-range" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <path class="range" d={`M${x(low)} 5H${x(high)}`} />
        <path class="middle" d={`M${x(value)} 1v8`} />
        <path class="result" d={`M${x(seconds)} 5h.01`} />
      </svg>
    </>
  )
}
