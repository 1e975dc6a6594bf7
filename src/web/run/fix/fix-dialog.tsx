import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { MOST_MANUAL_LOAD } from '../../../engine/limits.ts'
import type { NumberName } from '../../../engine/numbers.ts'
import { toastDone } from '../../actions.ts'
import { api } from '../../api.ts'
import { useAsked } from '../../asked.ts'
import {
  date,
  distance,
  distanceUnit,
  duration,
  gapPaceOf,
  type PaceClock,
  shownPace,
  type Units,
  unitLengthM,
  usePaceClock,
} from '../../format.ts'
import { metresOf, numberField, RUN_RULES, secondsOf, wholeOf } from '../../run-fields.tsx'
import { useResource, useUnits } from '../../state.ts'
import type { TrialAnswer } from '../../types.ts'
import { SkeletonLines } from '../../ui/button.tsx'
import { DataTable } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Segments, Select, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import type { RunSeries } from '../charts/series.ts'
import { type Detail, type LoadChoice, loadOptions } from '../run-view.ts'
import { NUMBER_WORDS, revertible } from '../sources/source-words.ts'
import { sourcesPath } from '../sources/sources-card.tsx'
import {
  type Call,
  type Change,
  CropForm,
  CutForm,
  type FixProps,
  MendForm,
  RepetitionsForm,
  SplitForm,
  type StretchProps,
} from './fix-forms.tsx'

export interface FixDialogProps {
  readonly run: Detail
  /** null: the run has no samples. */
  readonly series: RunSeries | null
  /** What is chosen at first; null: nothing. */
  readonly first: Fix | null
  readonly onClose: () => void
}

export type Fix = 'crop' | 'cut' | 'split' | 'mend' | 'reps' | 'distance' | 'start' | 'numbers' | 'load' | 'revert'

/** A form that is set on the chart of a recorded run. */
function onChart(Part: (props: StretchProps) => JSX.Element | null) {
  return ({ series, ...props }: FixProps) => series && <Part series={series} {...props} />
}

type FixWords = readonly [text: string, action: string, done: string, Form: (props: FixProps) => JSX.Element | null]

const FIXES: Readonly<Record<Fix, FixWords>> = {
  crop: ['Crop start or end', 'Crop', 'Run cropped', onChart(CropForm)],
  cut: ['Remove a section', 'Remove', 'Section removed', onChart(CutForm)],
  split: ['Split into several runs', 'Split', 'Run split', onChart(SplitForm)],
  mend: ['Fix bad data', 'Fix', 'Data fixed', onChart(MendForm)],
  reps: ['Edit reps', 'Save reps', 'Reps saved', onChart(RepetitionsForm)],
  distance: ['Correct distance', 'Set distance', 'Distance set', DistanceForm],
  start: ['Correct start time', 'Move run', 'Run moved', StartForm],
  numbers: ['Correct numbers', 'Save numbers', 'Numbers saved', NumbersForm],
  load: ['Set the load', 'Set load', 'Load set', LoadForm],
  revert: ['Revert all changes', 'Revert', 'All changes reverted', RevertForm],
}

/** One sentence on each fix, shown once it is chosen. */
const ABOUT: Readonly<Record<Fix, string>> = {
  crop: 'Cuts off what was recorded before the start or after the finish.',
  cut: 'Takes out a part in the middle, such as a bus ride.',
  split: 'Makes several runs of this one, each with its own numbers.',
  mend: 'Replaces what one sensor measured wrongly.',
  reps: 'Sets where each repetition starts and ends.',
  distance: 'Sets the distance that a treadmill showed or that was measured officially.',
  start: 'Moves the run to another time or time zone.',
  numbers: 'Changes the totals of a run without recording.',
  load: 'Chooses what the load is computed from, or its value.',
  revert: 'Restores the recording; your notes, shoe and photos stay.',
}

/** All repairs of a run: which one, its parameters, and the numbers before and after. */
export function FixDialog({ run, series, first, onClose }: FixDialogProps) {
  const units = useUnits()
  const clock = usePaceClock()
  const { data: sources } = useResource(sourcesPath(run.id))
  const isRepaired = sources !== null && revertible(sources.repairs).length > 0
  const isStated = sources?.recordings.every(({ channels }) => channels.length === 0) ?? false
  const fixes: Fix[] = [
    // a run without a route has no place to be cropped at
    ...(series !== null && run.hasRoute ? (['crop'] as const) : []),
    ...(series === null ? [] : (['cut', 'split', 'mend', 'reps', 'distance'] as const)),
    ...(isStated ? (['numbers'] as const) : []),
    'start',
    'load',
    ...(isRepaired ? (['revert'] as const) : []),
  ]
  const [fix, setFix] = useState(first)
  const [change, setChange] = useState<Change | null>(null)
  const { answer: trial, failure, isOutdated } = useTrial(run.id, change)
  const [, action, done, Part] = FIXES[fix ?? 'crop']
  const isTried = change !== null && hasTrial(change)
  const make = async () => {
    if (change === null) return
    await makeChange(run.id, change, done)
    onClose()
  }
  return (
    <Dialog title="Fix this run" isWide onClose={onClose}>
      {/* keeps the focus when the form changes */}
      <Select<Fix | ''>
        label="What to fix"
        value={fix ?? ''}
        options={[['', 'Choose…'], ...fixes.map((one) => [one, FIXES[one][0]] as const)]}
        onValue={(next) => {
          setChange(null)
          setFix(next === '' ? null : next)
        }}
      />
      {fix !== null && (
        <Form
          key={fix}
          action={action}
          isPrimary
          isIncomplete={change === null || (isTried && (trial === null || isOutdated))}
          onCancel={onClose}
          onSend={make}
        >
          <p class="muted">{ABOUT[fix]}</p>
          <Part run={run} series={series} onChange={setChange} />
          <div class="grow" aria-live="polite">
            {isTried && trial === null && failure === null && <SkeletonLines count={3} height="1.4rem" />}
            {trial !== null && (
              <Differences trial={trial} units={units} clock={run.runType === 'Race' ? 'elapsed' : clock} />
            )}
          </div>
          {failure !== null && <Notice kind="bad">{failure}</Notice>}
        </Form>
      )}
    </Dialog>
  )
}

function RevertForm({ onChange }: FixProps) {
  useEffect(() => onChange({ call: 'revert', body: {} }), [])
  return null
}

/** The source of a load: automatic, one of the sources that the run has, or a number entered by the runner. */
function LoadForm({ run, onChange }: FixProps) {
  const { data } = useResource(`/workouts/${run.id}/training`)
  const [source, setSource] = useState<LoadChoice | null>(null)
  const [own, setOwn] = useState('')
  const value = Number(own.replace(',', '.'))
  const isPossible = own.trim() !== '' && value >= 0 && value <= MOST_MANUAL_LOAD
  useEffect(() => {
    if (source === null || (source === 'manual' && !isPossible)) return onChange(null)
    onChange({ call: 'load', body: { loadSource: source, ...(source === 'manual' ? { loadManual: value } : {}) } })
  }, [source, own])
  if (data === null) return null
  return (
    <>
      <Select<LoadChoice>
        label={TERMS.loadSource}
        value={source ?? data.chosen}
        options={[...loadOptions(data).filter(([one]) => one !== 'manual'), ['manual', 'Enter a value']]}
        onValue={setSource}
      />
      {(source ?? data.chosen) === 'manual' && (
        <Field
          label={TERMS.load}
          value={own}
          onText={(text) => {
            setOwn(text)
            setSource('manual')
          }}
          inputMode="decimal"
          autocomplete="off"
          hint={`100 is an hour at threshold pace; at most ${MOST_MANUAL_LOAD}`}
          required
        />
      )}
    </>
  )
}

/** Sets the distance, as shown by a treadmill or measured officially. */
function DistanceForm({ run, onChange }: FixProps) {
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
function StartForm({ run, onChange }: FixProps) {
  const [what, setWhat] = useState<'start' | 'zone'>('start')
  // without an own offset by the reader's, as at the head of the run
  const offsetMs = (run.utcOffsetMinutes ?? -new Date(run.startedAt).getTimezoneOffset()) * 60_000
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

const COUNTS = ['avgHeartRateBpm', 'maxHeartRateBpm', 'calories'] as const

/** Numbers of a run without samples. */
function NumbersForm({ run, onChange }: FixProps) {
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

/** A name, and one value per column. */
type Line = readonly [name: string, ...values: string[]]

interface Reader {
  readonly units: Units
  /** The clock of the paces, as at the head of the run. */
  readonly clock: PaceClock
}

/** The numbers that a change would alter, before and after, or those of the parts of a split. */
function Differences({ trial, ...reader }: Reader & { readonly trial: Trial }) {
  const isSplit = 'parts' in trial
  const lines = isSplit
    ? linesOf(trial.parts, reader).filter(([, ...values]) => values.some((value) => value !== UNKNOWN))
    : linesOf([trial.before, trial.after], reader).filter(([, now, then]) => now !== then)
  const heads = isSplit ? trial.parts.map((_, part) => `Run ${part + 1}`) : ['Now', 'After']
  if (lines.length === 0) return <p class="muted">This changes no numbers.</p>
  return (
    <section class="table-frame" aria-label="Numbers" tabIndex={heads.length > MOST_IN_SIGHT ? 0 : undefined}>
      <DataTable
        class="run-table side-by-side"
        heads={[<span class="hidden-text">Number</span>, ...heads]}
        rows={lines.map(([name, first, ...others]) => [
          name,
          isSplit ? first : <span class="muted">{first}</span>,
          ...others,
        ])}
      />
    </section>
  )
}

const MOST_IN_SIGHT = 3
const UNKNOWN = '–'

/** Paces by the clock of the reader; the service gives them by elapsed time. */
function pacesOf(numbers: Numbers, clock: PaceClock): Numbers {
  const shown = shownPace({ ...numbers, runType: null }, clock)
  return { ...numbers, avgPaceS: shown.paceS ?? numbers.avgPaceS, gapPaceS: gapPaceOf(numbers, shown) }
}

function linesOf(stated: readonly Numbers[], { units, clock }: Reader): Line[] {
  const columns = stated.map((numbers) => pacesOf(numbers, clock))
  const start = (numbers: Numbers) => date(numbers.startedAt, 'dateTime', numbers.utcOffsetMinutes)
  const all = (Object.keys(NUMBER_WORDS) as NumberName[]).flatMap((key): Line[] => {
    const words = NUMBER_WORDS[key]
    if (words === null) return []
    const [name, format] = words
    const shown = (value: number | null) => (value === null ? null : format(value, units)) ?? UNKNOWN
    return [[name, ...columns.map((numbers) => shown(numbers[key]))]]
  })
  return [['Start', ...columns.map(start)], ...all]
}

type Trial = TrialAnswer<`/workouts/{id}/${Call}`, 'POST'> | TrialAnswer<'/workouts/{id}/numbers', 'PATCH'>
type Numbers = Trial['before']

function hasTrial({ call }: Change): boolean {
  return call !== 'intervals' && call !== 'load'
}

/** Time for which a handle must stay still before the service is asked. */
const STILL_MS = 250

/** The result of a change as a dry run. */
function useTrial(runId: string, change: Change | null) {
  const tried = change !== null && hasTrial(change) ? change : null
  const ask = async ({ call, body }: Change): Promise<Trial> =>
    call === 'numbers' || call === 'intervals' || call === 'load'
      ? await api.trial('PATCH', `/workouts/${runId}/numbers`, body)
      : await api.trial('POST', `/workouts/${runId}/${call}`, body)
  return useAsked(tried && JSON.stringify(tried), () => ask(tried!), STILL_MS)
}

/** Makes the change and offers to undo it. @throws ApiError */
async function makeChange(runId: string, { call, body }: Change, done: string): Promise<void> {
  const path = `/workouts/${runId}` as const
  const receiptId = await (call === 'numbers'
    ? api.change('PATCH', `${path}/numbers`, body)
    : call === 'intervals'
      ? api.change('PUT', `${path}/intervals`, body)
      : call === 'load'
        ? api.change('PATCH', path, body)
        : api.change('POST', `${path}/${call}`, body))
  toastDone(done, [receiptId])
}
