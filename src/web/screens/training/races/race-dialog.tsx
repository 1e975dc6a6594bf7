import { LENGTHS } from '../../../../base/texts.ts'
import { metresOf, secondsOf } from '../../../add-run/run-fields.ts'
import { api } from '../../../api.ts'
import { dayNumber, shiftedDay } from '../../../days.ts'
import { distance, distanceUnit, duration, runDay, runName, text, unitLengthM } from '../../../format.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { Race } from '../../../types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { TERMS } from '../../../words.ts'
import { today } from '../../stats.ts'
import { DISTANCES } from './race-words.ts'

const OTHER = 'other'
/** The result: by the service's rule, or none; else the id of a run. */
const BY_RULE = 'rule'
const NONE = 'none'
const USUAL_M = 10_000
/** Days before and after a race whose runs may be linked. */
const NEAR_DAYS = 2

const RULES = {
  name: (typed: string) => (typed.trim() === '' ? 'Enter a name' : null),
  date: (typed: string) => (typed === '' ? 'Enter a date' : null),
  goal: (typed: string) =>
    typed.trim() !== '' && secondsOf(typed) === null ? 'Enter a time like 45:00 or 3:30:00' : null,
}

interface RaceDialogProps {
  /** null: a new one; without an id it is planned with its run. */
  readonly race: Race | null
  readonly onClose: () => void
}

/** Adds a race, or edits one; the service validates it. */
export function RaceDialog({ race, onClose }: RaceDialogProps) {
  const units = useUnits()
  const startM = race?.distanceM ?? USUAL_M
  const isStandard = DISTANCES.some(([metres]) => metres === startM)
  const { values, field, choice, form } = useFields(
    {
      name: race?.name ?? '',
      date: race?.date ?? '',
      standard: isStandard ? String(startM) : OTHER,
      other: isStandard ? '' : String(Math.round((100 * startM) / unitLengthM(units)) / 100),
      goal: race?.goalTimeS == null ? '' : duration(race.goalTimeS),
      note: race?.note ?? '',
      result: shownResult(race),
    },
    { rules: RULES, send },
  )
  const { date } = values
  const distanceM = values.standard === OTHER ? metresOf(values.other, units) : Number(values.standard)
  async function send() {
    const { name, goal, note, result } = values
    // the form is incomplete without a distance
    const known = { name, date, distanceM: distanceM ?? Number.NaN, goalTimeS: secondsOf(goal) }
    const body = { ...known, note: note.trim() === '' ? null : note, ...resultBody(result) }
    if (race?.id == null) await api.send('POST', '/races', body)
    else await api.send('PATCH', `/races/${race.id}`, body)
    onClose()
  }
  return (
    <Dialog title={race === null ? 'Add a race' : 'Edit race'} onClose={onClose}>
      <Form
        {...form}
        isIncomplete={form.isIncomplete || distanceM === null}
        action={race === null ? 'Add race' : 'Save'}
        isPrimary
        onCancel={onClose}
      >
        <Field label="Name" {...field('name')} maxLength={LENGTHS.name} required autofocus />
        <div class="columns">
          <Field label="Date" type="date" {...field('date')} required />
          <Field label="Goal time" {...field('goal')} placeholder="45:00" hint="Optional, as 45:00 or 3:30:00" />
          <Select
            label={TERMS.distance}
            {...choice('standard')}
            options={[...DISTANCES.map(([metres, name]) => [String(metres), name] as const), [OTHER, 'Other']]}
          />
          {values.standard === OTHER && (
            <Field
              label="Other distance"
              {...field('other')}
              inputMode="decimal"
              suffix={distanceUnit(units)}
              fault={values.other !== '' && distanceM === null ? TERMS.enterNumber : null}
              required
            />
          )}
        </div>
        {date !== '' && date <= today() && <Result race={race} day={date} {...choice('result')} />}
        <Field label="Note" {...field('note')} maxLength={LENGTHS.notes} hint="Optional" />
      </Form>
    </Dialog>
  )
}

function shownResult(race: Race | null): string {
  if (race === null || (race.id !== null && !race.isLinked)) return BY_RULE
  return race.workoutId ?? NONE
}

function resultBody(result: string) {
  if (result === BY_RULE) return { isLinked: false }
  return { workoutId: result === NONE ? null : result }
}

interface ResultProps {
  readonly race: Race | null
  readonly day: string
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Which run is the result: found by date and distance, a run of those days, or none. */
function Result({ race, day, value, onValue }: ResultProps) {
  const units = useUnits()
  const isDay = !Number.isNaN(dayNumber(day))
  const [from, to] = isDay ? [shiftedDay(day, -NEAR_DAYS), shiftedDay(day, NEAR_DAYS)] : ['', '']
  const { data } = useResource(isDay ? `/workouts?startDate=${from}&endDate=${to}&pageSize=50` : null)
  const runs = (data?.items ?? []).map((run) => {
    const words = [runName(run), runDay(run), text(distance(run.distanceM, units)), duration(run.durationS)]
    return [run.id, words.join(' · ')] as const
  })
  const isListed = [BY_RULE, NONE, ...runs.map(([id]) => id)].includes(value)
  return (
    <Select
      label="Result"
      value={value}
      options={[
        [BY_RULE, 'Race of that day and distance'],
        ...(isListed ? [] : [[value, race?.name ?? 'Linked run'] as const]),
        ...runs,
        [NONE, 'No run'],
      ]}
      onValue={onValue}
    />
  )
}
