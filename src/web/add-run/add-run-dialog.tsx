import { useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { LENGTHS } from '../../texts.ts'
import { api } from '../api.ts'
import { distanceUnit, localDay, type Units } from '../format.ts'
import { navigate } from '../router.ts'
import { metresOf } from '../run/repair/told-forms.tsx'
import { useResource } from '../state.ts'
import type { DefaultShoe, Shoe } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Check, Field, Select } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { invalidateAll } from '../undo.ts'
import { useSubmit } from '../use-submit.ts'
import { secondsOf, wholeOf } from './run-fields.ts'

export interface AddRunDialogProps {
  readonly units: Units
  readonly onClose: () => void
}

const EMPTY = {
  name: '',
  runType: '',
  rpe: '',
  notes: '',
  movingTime: '',
  avgHeartRate: '',
  maxHeartRate: '',
  cadence: '',
  calories: '',
  climb: '',
}
const USUAL_SHOE = 'usual'

/** Form for a run without a recording: start, distance and time; further fields are folded. */
export function AddRunDialog({ units, onClose }: AddRunDialogProps) {
  const now = new Date()
  const shoes = useResource<Shoe[]>('/shoes')
  const usual = useResource<DefaultShoe>('/settings/default-shoe')
  const [day, setDay] = useState(localDay(now.toISOString(), -now.getTimezoneOffset()))
  const [time, setTime] = useState(`${String(now.getHours()).padStart(2, '0')}:00`)
  const [distance, setDistance] = useState('')
  const [duration, setDuration] = useState('')
  const [isIndoor, setIndoor] = useState(false)
  const [shoeId, setShoeId] = useState(USUAL_SHOE)
  const [more, setMore] = useState(EMPTY)
  const field = (name: keyof typeof EMPTY) => ({
    value: more[name],
    onText: (value: string) => setMore({ ...more, [name]: value }),
  })
  const started = new Date(`${day}T${time}`)
  const distanceM = metresOf(distance, units)
  const durationS = secondsOf(duration)
  const counts = {
    rpe: wholeOf(more.rpe),
    avgHeartRateBpm: wholeOf(more.avgHeartRate),
    maxHeartRateBpm: wholeOf(more.maxHeartRate),
    avgCadenceSpm: wholeOf(more.cadence),
    calories: wholeOf(more.calories),
    elevGainM: wholeOf(more.climb),
    movingTimeS: more.movingTime.trim() === '' ? null : (secondsOf(more.movingTime) ?? undefined),
  }
  const isComplete =
    distanceM !== null &&
    durationS !== null &&
    !Number.isNaN(started.getTime()) &&
    !Object.values(counts).includes(undefined)
  const { isBusy, fault, submit } = useSubmit(async () => {
    const known = Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== null))
    const { id } = await api.send<{ id: string }>('POST', '/workouts', {
      startedAt: started.toISOString(),
      distanceM,
      durationS,
      ...known,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(isIndoor ? { indoor: true } : {}),
      ...(shoeId === USUAL_SHOE ? {} : { shoeId: shoeId === '' ? null : shoeId }),
      ...(more.name.trim() === '' ? {} : { name: more.name.trim() }),
      ...(more.notes.trim() === '' ? {} : { notes: more.notes.trim() }),
      ...(more.runType === '' ? {} : { runType: more.runType }),
    })
    invalidateAll()
    toast('Run added')
    onClose()
    navigate(`/app/runs/${id}`)
  })
  const number = (value: number | null | undefined) => (value === undefined ? 'A whole number' : null)
  const usualShoe = shoes.data?.find(({ id }) => id === usual.data?.defaultShoeId)
  const called = usualShoe === undefined ? 'none' : `${usualShoe.brand} ${usualShoe.model}`
  return (
    <Dialog title="Add a run" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <div class="columns">
          <Field label="Date" type="date" value={day} onText={setDay} required />
          <Field label="Start" type="time" value={time} onText={setTime} required />
          <Field
            label="Distance"
            value={distance}
            onText={setDistance}
            inputMode="decimal"
            suffix={distanceUnit(units)}
            required
            autofocus
            fault={distance !== '' && distanceM === null ? 'A distance in numbers' : null}
          />
          <Field
            label="Time"
            value={duration}
            onText={setDuration}
            hint="45:00 or 1:02:30"
            required
            fault={duration !== '' && durationS === null ? 'Such as 45:00 or 1:02:30' : null}
          />
        </div>
        <Check checked={isIndoor} onValue={setIndoor}>
          On a treadmill
        </Check>
        <details>
          <summary>More about the run</summary>
          <div class="form add-more">
            <div class="columns">
              <Field label="Name" {...field('name')} maxLength={LENGTHS.name} />
              <Select
                label="Type"
                value={more.runType}
                options={[['', 'No type'], ...RUN_TYPES.map((type) => [type, type] as const)]}
                onValue={(runType) => setMore({ ...more, runType })}
              />
              {(shoes.data ?? []).length > 0 && (
                <Select
                  label="Shoe"
                  value={shoeId}
                  options={[
                    [USUAL_SHOE, `The usual one: ${called}`],
                    ['', 'No shoe'],
                    ...(shoes.data ?? []).map(({ id, brand, model }) => [id, `${brand} ${model}`] as const),
                  ]}
                  onValue={setShoeId}
                />
              )}
              <Field label="Effort" {...field('rpe')} inputMode="numeric" suffix="of 10" fault={number(counts.rpe)} />
              <Field
                label="Moving time"
                {...field('movingTime')}
                fault={counts.movingTimeS === undefined ? 'Such as 44:10' : null}
              />
              <Field
                label="Average heart rate"
                {...field('avgHeartRate')}
                inputMode="numeric"
                suffix="bpm"
                fault={number(counts.avgHeartRateBpm)}
              />
              <Field
                label="Highest heart rate"
                {...field('maxHeartRate')}
                inputMode="numeric"
                suffix="bpm"
                fault={number(counts.maxHeartRateBpm)}
              />
              <Field
                label="Cadence"
                {...field('cadence')}
                inputMode="numeric"
                suffix="spm"
                fault={number(counts.avgCadenceSpm)}
              />
              <Field
                label="Energy"
                {...field('calories')}
                inputMode="numeric"
                suffix="kcal"
                fault={number(counts.calories)}
              />
              {!isIndoor && (
                <Field
                  label="Climb"
                  {...field('climb')}
                  inputMode="numeric"
                  suffix="m"
                  fault={number(counts.elevGainM)}
                />
              )}
            </div>
            <Field label="Notes" {...field('notes')} />
          </div>
        </details>
        {fault !== null && <Notice kind="bad">{fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isComplete}>
            Add run
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
