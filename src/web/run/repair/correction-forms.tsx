import { useEffect, useState } from 'preact/hooks'
import { metresOf } from '../../add-run/run-fields.ts'
import { distance, distanceUnit, unitLengthM } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Field, Segments, Select } from '../../ui/field.tsx'
import { TERMS } from '../../words.ts'
import type { Detail } from '../types.ts'
import type { Change } from './change.ts'

export interface CorrectionFormProps {
  readonly run: Detail
  readonly onChange: (change: Change | null) => void
}

/** Sets the distance, as shown by a treadmill or measured officially. */
export function DistanceForm({ run, onChange }: CorrectionFormProps) {
  const units = useUnits()
  const [shown, setShown] = useState(distance(run.distanceM, units).value.replace(',', '.'))
  const metres = metresOf(shown, units)
  useEffect(() => {
    const isOther = metres !== null && Math.abs(metres - run.distanceM) >= 0.005 * unitLengthM(units)
    onChange(isOther ? { call: 'distance', body: { distanceM: metres } } : null)
  }, [metres])
  return (
    <Field
      label={TERMS.distance}
      value={shown}
      onText={setShown}
      inputMode="decimal"
      suffix={distanceUnit(units)}
      hint={
        run.hasRoute
          ? 'Only distance and pace change. Splits and best efforts still follow the route.'
          : 'Splits, pace and best efforts change with it.'
      }
      fault={metres === null ? TERMS.enterNumber : null}
    />
  )
}

/** Sets the start by local time. */
export function StartForm({ run, onChange }: CorrectionFormProps) {
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
        legend="What to correct"
        value={what}
        options={[
          ['start', 'Start time'],
          ['zone', 'Time zone'],
        ]}
        onValue={setWhat}
      />
      {what === 'start' ? (
        <Field
          label="Start (local time)"
          type="datetime-local"
          step={1}
          value={local}
          onText={setLocal}
          hint="All times move with it. Weather is looked up again."
        />
      ) : (
        <Select
          label="Time zone"
          value={zone}
          options={[['', 'Keep current'], ...Intl.supportedValuesOf('timeZone').map((name) => [name, name] as const)]}
          onValue={setZone}
        />
      )}
    </>
  )
}

function shift(body: Change['body']): Change {
  return { call: 'shift', body }
}
