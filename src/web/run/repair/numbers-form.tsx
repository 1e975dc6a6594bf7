import { useEffect, useState } from 'preact/hooks'
import { secondsOf, wholeOf } from '../../add-run/run-fields.ts'
import { distance, distanceUnit, duration } from '../../format.ts'
import { Field } from '../../ui/field.tsx'
import { metresOf, type ToldFormProps } from './told-forms.tsx'

/** Numbers of a run without samples. */
export function NumbersForm({ run, units, onChange }: ToldFormProps) {
  const before = {
    distance: distance(run.distanceM, units).value.replace(',', '.'),
    duration: duration(run.durationS),
    movingTime: run.movingTimeS === null ? '' : duration(run.movingTimeS),
    avgHeartRate: String(run.avgHeartRateBpm ?? ''),
    maxHeartRate: String(run.maxHeartRateBpm ?? ''),
    calories: String(run.calories ?? ''),
  }
  const [shown, setShown] = useState(before)
  const field = (name: keyof typeof before) => ({
    value: shown[name],
    onText: (value: string) => setShown({ ...shown, [name]: value }),
  })
  const isOther = (name: keyof typeof before) => shown[name].trim() !== before[name]
  const distanceM = metresOf(shown.distance, units)
  const durationS = secondsOf(shown.duration)
  const movingTimeS = shown.movingTime.trim() === '' ? null : (secondsOf(shown.movingTime) ?? undefined)
  const counts = {
    avgHeartRateBpm: wholeOf(shown.avgHeartRate),
    maxHeartRateBpm: wholeOf(shown.maxHeartRate),
    calories: wholeOf(shown.calories),
  }
  useEffect(() => {
    const body = {
      ...(isOther('distance') ? { distanceM } : {}),
      ...(isOther('duration') ? { durationS } : {}),
      ...(isOther('movingTime') ? { movingTimeS } : {}),
      ...(isOther('avgHeartRate') ? { avgHeartRateBpm: counts.avgHeartRateBpm } : {}),
      ...(isOther('maxHeartRate') ? { maxHeartRateBpm: counts.maxHeartRateBpm } : {}),
      ...(isOther('calories') ? { calories: counts.calories } : {}),
    }
    const isWrong = Object.values(body).includes(undefined) || distanceM === null || durationS === null
    onChange(isWrong || Object.keys(body).length === 0 ? null : { method: 'PATCH', call: 'numbers', body })
  }, [shown])
  const fault = (value: unknown, words: string) => (value === undefined ? words : null)
  return (
    <div class="columns">
      <Field
        label="Distance"
        {...field('distance')}
        inputMode="decimal"
        suffix={distanceUnit(units)}
        fault={distanceM === null ? 'A distance in numbers' : null}
      />
      <Field
        label="Time"
        {...field('duration')}
        hint="h:mm:ss"
        fault={durationS === null ? 'Hours, minutes, seconds: 0:45:00' : null}
      />
      <Field label="Moving time" {...field('movingTime')} fault={fault(movingTimeS, 'Such as 0:44:10')} />
      <Field
        label="Average heart rate"
        {...field('avgHeartRate')}
        inputMode="numeric"
        suffix="bpm"
        fault={fault(counts.avgHeartRateBpm, 'A whole number')}
      />
      <Field
        label="Highest heart rate"
        {...field('maxHeartRate')}
        inputMode="numeric"
        suffix="bpm"
        fault={fault(counts.maxHeartRateBpm, 'A whole number')}
      />
      <Field
        label="Energy"
        {...field('calories')}
        inputMode="numeric"
        suffix="kcal"
        fault={fault(counts.calories, 'A whole number')}
      />
    </div>
  )
}
