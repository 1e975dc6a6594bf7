import { useEffect } from 'preact/hooks'
import { metresOf, numberField, RUN_RULES, secondsOf, wholeOf } from '../../add-run/run-fields.ts'
import { distance, distanceUnit, duration } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Field } from '../../ui/field.tsx'
import { useFields } from '../../ui/use-fields.ts'
import { TERMS } from '../../words.ts'
import type { CorrectionFormProps } from './correction-forms.tsx'

const COUNTS = ['avgHeartRateBpm', 'maxHeartRateBpm', 'calories'] as const

/** Numbers of a run without samples. */
export function NumbersForm({ run, onChange }: CorrectionFormProps) {
  const units = useUnits()
  const { values, field, isChanged, isValid } = useFields(
    {
      distanceM: distance(run.distanceM, units).value.replace(',', '.'),
      durationS: duration(run.durationS),
      movingTimeS: run.movingTimeS === null ? '' : duration(run.movingTimeS),
      avgHeartRateBpm: String(run.avgHeartRateBpm ?? ''),
      maxHeartRateBpm: String(run.maxHeartRateBpm ?? ''),
      calories: String(run.calories ?? ''),
    },
    { rules: RUN_RULES },
  )
  useEffect(() => {
    const read = {
      distanceM: metresOf(values.distanceM, units),
      durationS: secondsOf(values.durationS),
      movingTimeS: secondsOf(values.movingTimeS),
      ...Object.fromEntries(COUNTS.map((name) => [name, wholeOf(values[name])])),
    }
    const body = Object.fromEntries(Object.entries(read).filter(([name]) => isChanged(name as keyof typeof values)))
    onChange(isValid && Object.keys(body).length > 0 ? { call: 'numbers', body } : null)
  }, [values])
  return (
    <div class="columns">
      <Field label={TERMS.distance} {...field('distanceM')} inputMode="decimal" suffix={distanceUnit(units)} />
      <Field label={TERMS.time} {...field('durationS')} hint="h:mm:ss" />
      <Field label={TERMS.movingTime} {...field('movingTimeS')} />
      {COUNTS.map((name) => (
        <Field key={name} {...numberField(name)} {...field(name)} />
      ))}
    </div>
  )
}
