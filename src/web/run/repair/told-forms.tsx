import { useEffect, useState } from 'preact/hooks'
import { distance, distanceUnit, type Units, unitLengthM } from '../../format.ts'
import { Field, Segments, Select } from '../../ui/field.tsx'
import type { Detail } from '../types.ts'
import type { Change } from './change.ts'

export interface ToldFormProps {
  readonly run: Detail
  readonly units: Units
  readonly onChange: (change: Change | null) => void
}

/** Sets the distance, as shown by a treadmill or measured officially. */
export function DistanceForm({ run, units, onChange }: ToldFormProps) {
  const [shown, setShown] = useState(distance(run.distanceM, units).value.replace(',', '.'))
  const metres = metresOf(shown, units)
  useEffect(() => {
    const isOther = metres !== null && Math.abs(metres - run.distanceM) >= 0.005 * unitLengthM(units)
    onChange(isOther ? { method: 'POST', call: 'distance', body: { distanceM: metres } } : null)
  }, [metres])
  return (
    <Field
      label="Distance"
      value={shown}
      onText={setShown}
      inputMode="decimal"
      suffix={distanceUnit(units)}
      hint={
        run.hasRoute
          ? 'Only the distance and its pace change: splits and best efforts stay with the route.'
          : 'Splits, pace and best efforts follow, so that everything adds up.'
      }
      fault={metres === null ? 'A distance in numbers' : null}
    />
  )
}

/** @returns null when it is not a distance */
export function metresOf(shown: string, units: Units): number | null {
  const value = Number(shown.trim().replace(',', '.'))
  return shown.trim() === '' || !(value > 0) ? null : Math.round(value * unitLengthM(units) * 100) / 100
}

/** Sets the start by local time. */
export function StartForm({ run, onChange }: ToldFormProps) {
  const [what, setWhat] = useState<'start' | 'zone'>('start')
  const offsetMs = (run.utcOffsetMinutes ?? 0) * 60_000
  const before = new Date(Date.parse(run.startedAt) + offsetMs).toISOString().slice(0, 19)
  const [local, setLocal] = useState(before)
  const [zone, setZone] = useState('')
  useEffect(() => {
    if (what === 'zone') return onChange(zone === '' ? null : shift({ timeZone: zone }))
    const ms = Date.parse(`${local}Z`)
    const isOther = !Number.isNaN(ms) && ms !== Date.parse(`${before}Z`)
    onChange(isOther ? shift({ startedAt: new Date(ms - offsetMs).toISOString() }) : null)
  }, [what, local, zone])
  return (
    <>
      <Segments
        legend="What is wrong"
        value={what}
        options={[
          ['start', 'The start'],
          ['zone', 'The time zone'],
        ]}
        onValue={setWhat}
      />
      {what === 'start' ? (
        <Field
          label="Start, by the clock at the place of the run"
          type="datetime-local"
          step={1}
          value={local}
          onText={setLocal}
          hint="All times of the run move along. Weather that was looked up is asked anew."
        />
      ) : (
        <Select
          label="Time zone of the run"
          value={zone}
          options={[['', 'As it is'], ...Intl.supportedValuesOf('timeZone').map((name) => [name, name] as const)]}
          onValue={setZone}
        />
      )}
    </>
  )
}

function shift(body: Change['body']): Change {
  return { method: 'POST', call: 'shift', body }
}
