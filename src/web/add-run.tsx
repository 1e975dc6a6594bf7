import { LENGTHS } from '../base/texts.ts'
import { RUN_TYPES } from '../engine/limits.ts'
import { api } from './api.ts'
import { distanceUnit, localDay } from './format.ts'
import { navigate } from './router.ts'
import { Overlap } from './run/run-head.tsx'
import { metresOf, numberField, RUN_RULES, secondsOf, shoeOptions, wearable, wholeOf } from './run-fields.tsx'
import { useResource, useUnits } from './state.ts'
import { Dialog } from './ui/dialog.tsx'
import { Check, Field, Form, Select, useFields } from './ui/form.tsx'
import { toast } from './ui/toast.tsx'
import { TERMS } from './words.ts'

const COUNTS = ['rpe', 'avgHeartRateBpm', 'maxHeartRateBpm', 'avgCadenceSpm', 'calories', 'elevGainM'] as const
const USUAL_SHOE = 'usual'

/** The fields at first: today, the hour that began last. */
function blank() {
  const now = new Date()
  const time = `${String(now.getHours()).padStart(2, '0')}:00`
  return {
    ...{ day: localDay(now.toISOString()), time, distanceM: '', durationS: '', isIndoor: false, shoeId: USUAL_SHOE },
    ...{ name: '', notes: '', runType: '', movingTimeS: '', rpe: '', avgHeartRateBpm: '', maxHeartRateBpm: '' },
    ...{ avgCadenceSpm: '', calories: '', elevGainM: '' },
  }
}

/** Form for a run without a recording: start, distance and time; further fields are folded. */
export function AddRunDialog({ onClose }: { readonly onClose: () => void }) {
  const units = useUnits()
  const shoes = useResource('/shoes')
  const usual = useResource('/settings/default-shoe')
  const { values, field, choice, set, form } = useFields(blank(), {
    rules: RUN_RULES,
    send: async ({ shoeId, name, notes, runType, ...typed }) => {
      // both are numbers, since the form is incomplete without them
      const { id } = await api.send('POST', '/workouts', {
        startedAt: started.toISOString(),
        distanceM: metresOf(typed.distanceM, units) ?? Number.NaN,
        durationS: durationS ?? Number.NaN,
        ...known({ movingTimeS: secondsOf(typed.movingTimeS), name: name.trim(), notes: notes.trim(), runType }),
        ...known(Object.fromEntries(COUNTS.map((count) => [count, wholeOf(typed[count])]))),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(typed.isIndoor ? { indoor: true } : {}),
        ...(shoeId === USUAL_SHOE ? {} : { shoeId: shoeId === '' ? null : shoeId }),
      })
      toast('Run added')
      onClose()
      navigate(`/app/runs/${id}`)
    },
  })
  const started = new Date(`${values.day}T${values.time}`)
  const isStarted = !Number.isNaN(started.getTime())
  const durationS = secondsOf(values.durationS)
  const usualShoe = shoes.data?.find(({ id }) => id === usual.data?.defaultShoeId)
  const called = usualShoe === undefined ? 'none' : `${usualShoe.brand} ${usualShoe.model}`
  return (
    <Dialog title="Add a run" onClose={onClose}>
      <Form {...form} isIncomplete={form.isIncomplete || !isStarted} action="Add run" isPrimary onCancel={onClose}>
        <div class="columns">
          <Field label="Date" type="date" {...field('day')} required />
          <Field label="Start" type="time" {...field('time')} required />
          <Field
            label={TERMS.distance}
            {...field('distanceM')}
            inputMode="decimal"
            suffix={distanceUnit(units)}
            required
            autofocus
          />
          <Field label={TERMS.time} {...field('durationS')} hint="45:00 or 1:02:30" required />
        </div>
        <Overlap
          startMs={isStarted ? started.getTime() : null}
          endMs={durationS === null ? null : started.getTime() + 1000 * durationS}
        />
        <Check checked={values.isIndoor} onValue={(isIndoor) => set({ isIndoor })}>
          Treadmill run
        </Check>
        <details>
          <summary>More details</summary>
          <div class="form above-4">
            <div class="columns">
              <Field label="Name" {...field('name')} maxLength={LENGTHS.name} />
              <Select
                label="Type"
                {...choice('runType')}
                options={[['', TERMS.noType], ...RUN_TYPES.map((type) => [type, type] as const)]}
              />
              {(shoes.data ?? []).length > 0 && (
                <Select
                  label="Shoe"
                  {...choice('shoeId')}
                  options={[
                    [USUAL_SHOE, `Default: ${called}`],
                    ['', TERMS.noShoe],
                    ...shoeOptions(wearable(shoes.data ?? [], new Date().toISOString())),
                  ]}
                />
              )}
              <Field label={TERMS.movingTime} {...field('movingTimeS')} />
              {COUNTS.filter((name) => name !== 'elevGainM' || !values.isIndoor).map((name) => (
                <Field key={name} {...numberField(name)} {...field(name)} />
              ))}
            </div>
            <Field label="Notes" {...field('notes')} />
          </div>
        </details>
      </Form>
    </Dialog>
  )
}

/** The members that have a value. */
function known(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== ''))
}
