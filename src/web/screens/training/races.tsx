import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { MOST_FORECAST_DAYS } from '../../../engine/limits.ts'
import { api } from '../../api.ts'
import {
  date,
  dayNumber,
  distance,
  distanceUnit,
  duration,
  number,
  pace,
  runDay,
  runName,
  shiftedDay,
  signed,
  text,
  unitLengthM,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { metresOf, secondsOf } from '../../run-fields.tsx'
import { useResource, useUnits } from '../../state.ts'
import type { Forecast, Predictions, Race } from '../../types.ts'
import { Button, Skeleton } from '../../ui/button.tsx'
import { Card, DataTable } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, useFields } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery, today } from '../stats.ts'
import { AboutEstimate } from './cards.tsx'
import { SlowRaces } from './fitness-view.tsx'
import { countdown, DISTANCES, daysTo, placeWords, raceDistance, raceName, roundTime, wholeFatigue } from './words.ts'

/** Upcoming races with the way to them, and past ones with their results. */
export function Races({ races, efforts }: { races: readonly Race[]; efforts: Predictions['efforts'] }) {
  const [isAdding, setAdding] = useState(false)
  const [upcoming = [], past = []] = [true, false].map((wanted) => races.filter((race) => isAhead(race) === wanted))
  return (
    <>
      <Card
        title="Upcoming races"
        aside={
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            Add a race
          </Button>
        }
      >
        {upcoming.length === 0 ? (
          <p class="muted">
            No upcoming races. Add one to see its countdown, your predicted time and your form that day.
          </p>
        ) : (
          <List races={upcoming.toReversed()} />
        )}
      </Card>
      <Card title="Past races">
        {past.length === 0 ? (
          <p class="muted">No past races. Runs of the type Race appear here.</p>
        ) : (
          <>
            <SlowRaces efforts={efforts} />
            <List races={past} />
          </>
        )}
      </Card>
      {isAdding && <RaceDialog race={null} onClose={() => setAdding(false)} />}
    </>
  )
}

function isAhead({ date: day, workoutId }: Race): boolean {
  return workoutId === null && day >= today()
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

/** A race: its countdown, or its time, place and prediction. */
function RaceItem({ race }: { readonly race: Race }) {
  const units = useUnits()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const { id, date: day, distanceM, goalTimeS, note, workoutId, timeMs } = race
  const name = raceName(race, units)
  const facts = [
    date(day, 'long'),
    ...(race.name === null ? [] : [raceDistance(distanceM, units)]),
    ...(goalTimeS === null
      ? []
      : [`goal ${duration(goalTimeS)}, ${text(pace(goalTimeS / (distanceM / 1000), units))}`]),
  ]
  const edit = { text: id === null ? 'Add details…' : 'Edit…', icon: 'edit', onChoose: () => setOpen('edit') } as const
  const remove = { text: 'Delete race…', icon: 'trash', isDangerous: true, onChoose: () => setOpen('delete') } as const
  return (
    <li>
      <div class="goal-head level">
        <h3 class="grow breaks">{workoutId === null ? name : <Link href={`/app/runs/${workoutId}`}>{name}</Link>}</h3>
        <Menu label={`Actions for ${name}`} items={id === null ? [edit] : [edit, remove]} />
      </div>
      <p class="muted small">{facts.join(' · ')}</p>
      <p>
        <strong class="large">
          {isAhead(race) ? countdown(day) : timeMs === null ? 'No result' : duration(timeMs / 1000)}
        </strong>{' '}
        {timeMs !== null && (
          <span class="muted">
            {[text(pace(timeMs / distanceM, units)), placeWords(race.place), goalWords(race)]
              .filter((words) => words !== null)
              .join(' · ')}
          </span>
        )}
      </p>
      <Prediction race={race} />
      {isAhead(race) && <FormThatDay day={day} />}
      {note !== null && (
        <p class="small breaks" style={{ whiteSpace: 'pre-line' }}>
          {note}
        </p>
      )}
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
function Prediction({ race }: { readonly race: Race }) {
  const units = useUnits()
  const { prediction, inPrediction, timeMs, distanceM } = race
  const { value, low, high } = prediction
  if (value === null || low === null || high === null) {
    return isAhead(race) ? <AboutEstimate of={prediction} /> : null
  }
  const range = `Predicted ${roundTime(value)} (${roundTime(low)}–${roundTime(high)})`
  if (timeMs === null) return <p class="small">{`${range}, ${text(pace(value / (distanceM / 1000), units))}`}</p>
  const seconds = timeMs / 1000
  const [least, most] = [Math.min(low, seconds), Math.max(high, seconds)]
  const x = (at: number) => (100 * (at - least)) / Math.max(1, most - least)
  const where = inPrediction ? 'in this range' : seconds < low ? 'faster' : 'slower'
  return (
    <>
      <p class="small">
        {range}: {where}
      </p>
      <svg class="race-range" height={16} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <path stroke="var(--strip1)" stroke-width={6} stroke-linecap="round" d={`M${x(low)} 5H${x(high)}`} />
        <path stroke="var(--line-strong)" stroke-width={2} d={`M${x(value)} 1v8`} />
        <path stroke="var(--accent-2)" stroke-width={10} stroke-linecap="round" d={`M${x(seconds)} 5h.01`} />
      </svg>
    </>
  )
}

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

/**
 * Adds a race, or edits one; the service validates it.
 * @param race null: a new one; without an id it is planned with its run
 */
function RaceDialog({ race, onClose }: { readonly race: Race | null; readonly onClose: () => void }) {
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
      result: race === null || (race.id !== null && !race.isLinked) ? BY_RULE : (race.workoutId ?? NONE),
    },
    { rules: RULES, send },
  )
  const { date } = values
  const distanceM = values.standard === OTHER ? metresOf(values.other, units) : Number(values.standard)
  async function send() {
    const { name, goal, note, result } = values
    // the form is incomplete without a distance
    const known = { name, date, distanceM: distanceM ?? Number.NaN, goalTimeS: secondsOf(goal) }
    const linked = result === BY_RULE ? { isLinked: false } : { workoutId: result === NONE ? null : result }
    const body = { ...known, note: note.trim() === '' ? null : note, ...linked }
    if (race?.id == null) await api.send('POST', '/races', body)
    else await api.send('PATCH', `/races/${race.id}`, body)
    onClose()
  }
  return (
    <Dialog title={race === null ? 'Add a race' : 'Edit race'} onClose={onClose}>
      <Form
        {...form}
        isIncomplete={form.isIncomplete || distanceM === null}
        action={race === null ? 'Add a race' : 'Save'}
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

const PLANS = [
  ['usual', 'If you train as usual'],
  ['taper', 'If you taper for two weeks'],
  ['rest', 'If you rest'],
] as const

/** Form on the morning of a race, by three plans, once it is near enough to be projected. */
function FormThatDay({ day }: { readonly day: string }) {
  const ahead = daysTo(day)
  const isInReach = ahead >= 1 && ahead <= MOST_FORECAST_DAYS
  // one day more, since the forecast begins tomorrow when there was a run today
  const query = `${offsetQuery()}&days=${Math.min(MOST_FORECAST_DAYS, ahead + 1)}`
  const usual = useResource(isInReach ? `/training/forecast?${query}&plan=usual` : null).data
  const rest = useResource(isInReach ? `/training/forecast?${query}&plan=rest` : null).data
  const loads = usual === null ? null : taperedLoads(usual.days, day)
  const taper = useResource(
    loads === null ? null : `/training/forecast?${query}&plan=custom&loads=${loads.length === 0 ? 0 : loads.join()}`,
  ).data
  if (ahead < 1) return null
  if (ahead > MOST_FORECAST_DAYS)
    return <p class="muted small">Your form that day is projected from {MOST_FORECAST_DAYS} days before.</p>
  if (usual === null || rest === null || taper === null) return <Skeleton height="192px" />
  const plans = { usual, taper, rest }
  const on = (plan: (typeof PLANS)[number][0]) => {
    const { days } = plans[plan]
    const at = days.findIndex((one) => one.date === day)
    return at < 0 ? null : { form: days[at]!.form, fitness: (days[at - 1] ?? days[at]!).fitness }
  }
  if ((on('usual')?.fitness ?? 0) < 1) return null
  return (
    <>
      <DataTable
        caption="Form that morning"
        isTitled
        heads={['Plan', TERMS.fitness, TERMS.fatigue, TERMS.form]}
        rows={PLANS.map(([plan, words]) => {
          const { fitness = 0, form = 0 } = on(plan) ?? {}
          return [words, number(fitness), number(wholeFatigue(fitness, form)), <strong>{signed(form)}</strong>]
        })}
      />
      <p class="muted small">
        A projection; it holds only if you follow the plan. The taper weeks are 70% and 40% of your usual load.
      </p>
    </>
  )
}

/** Shares of the usual load in the last week before a race, and in the one before that. */
const LAST_WEEKS = [0.4, 0.7] as const
const WEEK_DAYS = 7
/** Greatest load of a day that the service accepts. */
const MOST_LOAD = 1000

/** The usual loads, reduced in the two weeks before the race; without the race itself. */
function taperedLoads(days: Forecast['days'], raceDay: string): number[] {
  return days
    .filter(({ date: on }) => on < raceDay)
    .map(({ date: on, load }) => {
      const weeksBefore = Math.floor((dayNumber(raceDay) - dayNumber(on) - 1) / WEEK_DAYS)
      return Math.min(MOST_LOAD, Math.round(10 * load * (LAST_WEEKS[weeksBefore] ?? 1)) / 10)
    })
}
