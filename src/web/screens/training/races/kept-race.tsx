import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { date, distanceName } from '../../../format.ts'
import { useUnits } from '../../../state.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/empty.tsx'
import { useSubmit } from '../../../use-submit.ts'
import { DISTANCES, daysTo, raceDistance } from './race-words.ts'

/** Where earlier versions kept a planned race. */
const KEY = 'harrier.race-day'

/** Offers once to keep the race that an earlier version stored in this browser alone. */
export function KeptRace() {
  const units = useUnits()
  const [race, setRace] = useState(storedRace)
  const forget = () => {
    localStorage.removeItem(KEY)
    setRace(null)
  }
  const { isBusy, fault, submit } = useSubmit(async () => {
    if (race === null) return
    await api.send('POST', '/races', { ...race, name: raceDistance(race.distanceM, 'metric') })
    forget()
  })
  if (race === null) return null
  return (
    <Notice {...(fault === null ? {} : { kind: 'bad' as const })}>
      {fault ??
        `A race is saved only in this browser: ${raceDistance(race.distanceM, units)} on ${date(race.date, 'long')}.`}{' '}
      <span class="race-offer">
        <Button size="small" isBusy={isBusy} onClick={(event) => void submit(event)}>
          Add to races
        </Button>
        <Button size="small" kind="quiet" onClick={forget}>
          Discard
        </Button>
      </span>
    </Notice>
  )
}

/** null: there is none that is still ahead; what is left of another one is removed. */
function storedRace(): { readonly date: string; readonly distanceM: number } | null {
  try {
    const { day, distance } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>
    const label = typeof distance === 'string' ? distanceName(distance) : null
    const distanceM = DISTANCES.find(([, name]) => name === label)?.[0]
    const isAhead = typeof day === 'string' && daysTo(day) >= 0
    if (isAhead && distanceM !== undefined) return { date: day, distanceM }
  } catch {
    // no race can be read from it
  }
  localStorage.removeItem(KEY)
  return null
}
