import type { Static } from '@sinclair/typebox'
import { useEffect, useRef, useState } from 'preact/hooks'
import { MOST_REPETITIONS, MOST_SPLITS, SHORTEST_RUN_S } from '../../../engine/limits.ts'
import type { WorkoutMend } from '../../../features/repair/schemas.ts'
import { duration } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { Body } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field, Select } from '../../ui/form.tsx'
import { TERMS } from '../../words.ts'
import { RouteParts, StretchRange } from '../again/section-picker.tsx'
import { clockTime, type Repetition, repetitionsOf, withAnother, withEnd } from '../again/sections.ts'
import type { RunSeries } from '../charts/series.ts'
import type { Detail, Edit, Intervals } from '../run-view.ts'

export type Call = 'crop' | 'cut' | 'mend' | 'distance' | 'shift' | 'split' | 'revert'
/** A change of a run as a call of the service; repetitions and the load have no trial. */
export type Change =
  | { readonly call: Call | 'numbers'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly call: 'intervals'; readonly body: Body<'PUT', '/workouts/{id}/intervals'> }
  | { readonly call: 'load'; readonly body: Edit }

/** What the form of a fix is given. */
export interface FixProps {
  readonly run: Detail
  /** null: the run has no samples, so no fix that needs them is offered. */
  readonly series: RunSeries | null
  /** Called with null while the input is not a valid change. */
  readonly onChange: (change: Change | null) => void
}

export interface StretchProps extends FixProps {
  readonly series: RunSeries
}

// The fixes of a recorded run that are set on its chart.

const LABELS = ['Start of section', 'End of section'] as const

/** The whole run, of which nothing is selected, until an end is dragged or typed. */
function useSection(lastS: number) {
  const [section, set] = useState<readonly [number, number]>([0, lastS])
  const change = (from: number, to: number) => {
    const start = Math.max(0, Math.min(Math.round(from), Math.round(to) - 1))
    set([start, Math.min(Math.floor(lastS), Math.max(Math.round(to), start + 1))])
  }
  const [fromS, toS] = section
  return { fromS, toS, change, isSet: fromS > 0 || toS < Math.floor(lastS) }
}

interface SectionProps extends ReturnType<typeof useSection> {
  readonly series: RunSeries
  readonly labels?: readonly [start: string, end: string]
  /** The section is kept, and the rest removed. */
  readonly isKept?: boolean
}

/** A section of the run on its route and its pace, dragged or typed. */
function Section({ series, fromS, toS, isSet, change, labels = LABELS, isKept = false }: SectionProps) {
  const lastS = series.elapsedS.at(-1)!
  const taken: [number, number][] = isKept
    ? [
        [0, fromS],
        [toS, lastS],
      ]
    : isSet
      ? [[fromS, toS]]
      : []
  return (
    <>
      <RouteParts
        series={series}
        ends={[fromS, toS]}
        isStretch
        isColoured={(part) => (part === 1) === isKept || !isSet}
      />
      <StretchRange
        series={series}
        faint={taken}
        handles={[
          { label: labels[0], atS: fromS, onMove: (atS) => change(atS, toS) },
          { label: labels[1], atS: toS, onMove: (atS) => change(fromS, atS) },
        ]}
      />
      <div class="columns">
        <TimeField label="From" atS={fromS} onTime={(atS) => change(atS, toS)} />
        <TimeField label="To" atS={toS} onTime={(atS) => change(fromS, atS)} />
      </div>
    </>
  )
}

/** A time of the run, exact to the second. */
function TimeField({ label, atS, onTime }: { label: string; atS: number; onTime: (atS: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && clockTime(typed) === null
  return (
    <Field
      label={label}
      value={typed ?? duration(atS)}
      inputMode="numeric"
      autocomplete="off"
      fault={isWrong ? 'Enter a time like 12:30 or 1:02:30' : null}
      onText={(text) => {
        setTyped(text)
        const seconds = clockTime(text)
        if (seconds !== null) onTime(seconds)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** Cuts off the start or the end. */
export function CropForm({ series, onChange }: StretchProps) {
  const lastS = series.elapsedS.at(-1)!
  const section = useSection(lastS)
  const { fromS, toS, isSet } = section
  const isLong = toS - fromS >= SHORTEST_RUN_S
  useEffect(() => {
    const body = { removeFromStartSeconds: fromS, removeFromEndSeconds: isSet ? Math.round(lastS - toS) : 0 }
    onChange(isSet && isLong ? { call: 'crop', body } : null)
  }, [fromS, toS])
  return <Section series={series} {...section} labels={['New start', 'New end']} isKept />
}

/** Removes a section. */
export function CutForm({ series, onChange }: StretchProps) {
  const lastS = series.elapsedS.at(-1)!
  const section = useSection(lastS)
  const { fromS, toS } = section
  // what reaches an end of the run is a crop
  const isSet = fromS > 0 && toS < Math.floor(lastS)
  const [closeGap, setCloseGap] = useState(false)
  useEffect(() => {
    onChange(isSet ? { call: 'cut', body: { fromElapsedS: fromS, toElapsedS: toS, closeGap } } : null)
  }, [fromS, toS, closeGap])
  return (
    <>
      <Section series={series} {...section} />
      <Check checked={closeGap} onValue={setCloseGap}>
        Close the gap, so that its time doesn’t count
      </Check>
    </>
  )
}

type Mend = Static<typeof WorkoutMend>
type Channel = Mend['channel']

/** Replaces readings of one sensor. */
export function MendForm({ run, series, onChange }: StretchProps) {
  const channels = channelsOf(series)
  const section = useSection(series.elapsedS.at(-1)!)
  const { fromS, toS, isSet } = section
  const [exact, setExact] = useState<Mend | null>(null)
  const [channel, setChannel] = useState<Channel | ''>('')
  const [fill, setFill] = useState<Mend['fill']>('interpolate')
  const oddities = useResource(`/workouts/${run.id}/oddities`)
  useEffect(() => {
    const own = isSet && channel !== '' ? { fromElapsedS: fromS, toElapsedS: toS, channel, fill } : null
    const body = exact ?? own
    onChange(body && { call: 'mend', body: { ...body } })
  }, [exact, fromS, toS, channel, fill])
  const take = (suggested: Mend) => {
    section.change(suggested.fromElapsedS, suggested.toElapsedS)
    setChannel(suggested.channel)
    setFill(suggested.fill)
    setExact(suggested)
  }
  /** What the runner sets replaces a suggestion. */
  const own =
    <T extends readonly unknown[]>(set: (...values: T) => void) =>
    (...values: T) => {
      setExact(null)
      set(...values)
    }
  const found = (oddities.data ?? []).filter(({ suggest }) => suggest !== null).slice(0, 8)
  return (
    <>
      {found.length > 0 && (
        <ul class="stack" aria-label="Suspicious data">
          {found.map((oddity) => (
            <li key={`${oddity.kind} ${oddity.fromElapsedS}`}>
              <Button size="small" onClick={() => take(oddity.suggest!)}>
                {`${duration(oddity.fromElapsedS)}: ${oddity.detail}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Section series={series} {...section} change={own(section.change)} />
      <div class="columns">
        <Select label="Data" value={channel} options={[['', 'Choose…'], ...channels]} onValue={own(setChannel)} />
        <Select
          label="Replace with"
          value={fill}
          options={[
            ['interpolate', 'Straight line'],
            ['gap', 'Nothing'],
          ]}
          onValue={own(setFill)}
        />
      </div>
    </>
  )
}

function channelsOf({ lat, metrics }: RunSeries): (readonly [Channel, string])[] {
  const known: (readonly [Channel, string, unknown])[] = [
    ['position', 'Route', lat],
    ['heartRate', TERMS.heartRate, metrics.heartRate],
    ['elevation', 'Altitude', metrics.elevation],
    ['cadence', TERMS.cadence, metrics.cadence],
    ['power', TERMS.power, metrics.power],
  ]
  const there = known.filter(([, , values]) => values !== null && values !== undefined)
  return [...there.map(([channel, name]) => [channel, name] as const), ['all', 'All data']]
}

/** Splits a run at the places at which the second and later parts begin. */
export function SplitForm({ series, onChange }: StretchProps) {
  const lastS = Math.floor(series.elapsedS.at(-1)!)
  const [places, setPlaces] = useState<readonly number[]>([])
  useEffect(() => {
    onChange(places.length === 0 ? null : { call: 'split', body: { atElapsedS: [...places] } })
  }, [places])
  const move = (place: number, atS: number) => {
    const least = (places[place - 1] ?? 0) + SHORTEST_RUN_S
    const most = (places[place + 1] ?? lastS) - SHORTEST_RUN_S
    const to = Math.max(least, Math.min(most, Math.round(atS)))
    setPlaces(places.map((before, index) => (index === place ? to : before)))
  }
  const parts = [...places, lastS].map((endS, part) => ({ startS: places[part - 1] ?? 0, endS }))
  const longest = parts.reduce((most, part) => (lengthOf(part) > lengthOf(most) ? part : most))
  const add = () => {
    const middleS = Math.round((longest.startS + longest.endS) / 2)
    setPlaces([...places, middleS].toSorted((a, b) => a - b))
  }
  const isFull = places.length >= MOST_SPLITS || lengthOf(longest) < 2 * SHORTEST_RUN_S
  return (
    <>
      <RouteParts series={series} ends={places} isColoured={(part) => part % 2 === 0} />
      <StretchRange
        series={series}
        faint={places.flatMap((atS, k) => (k % 2 === 1 ? [] : [[atS, places[k + 1] ?? lastS] as const]))}
        handles={places.map((atS, k) => ({ label: `Where run ${k + 2} begins`, atS, onMove: (to) => move(k, to) }))}
      />
      <ol class="stack gap-2" aria-label="Resulting runs">
        {parts.map(({ startS, endS }, part) => (
          <li key={part} class="level gap-3 spread">
            <span>
              <strong>Run {part + 1}</strong>{' '}
              <span class="muted">
                {duration(startS)}–{duration(endS)}
              </span>
            </span>
            {part > 0 && (
              <>
                <TimeField label={`Run ${part + 1} begins at`} atS={startS} onTime={(atS) => move(part - 1, atS)} />
                <Button
                  size="small"
                  kind="quiet"
                  icon="close"
                  aria-label={`Merge run ${part + 1} into the previous one`}
                  title="Don’t split here"
                  onClick={() => setPlaces(places.filter((_, place) => place !== part - 1))}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      <div class="actions start">
        <Button size="small" icon="plus" disabled={isFull} onClick={add}>
          Add split point
        </Button>
      </div>
    </>
  )
}

function lengthOf({ startS, endS }: { readonly startS: number; readonly endS: number }): number {
  return endS - startS
}

/** Corrects the repetitions of a run: the chosen one has two handles over the pace. */
export function RepetitionsForm(props: StretchProps) {
  const { data } = useResource(`/workouts/${props.run.id}/intervals`)
  return data && <Repetitions {...props} found={data} />
}

function Repetitions({ series, onChange, found }: StretchProps & { readonly found: Intervals }) {
  const lastS = series.elapsedS.at(-1)!
  const frame = useRef<HTMLDivElement>(null)
  const [repetitions, setRepetitions] = useState(() => repetitionsOf(found))
  const [chosen, setChosen] = useState(0)
  /** Selector of what gets the focus once it is shown. */
  const [next, setNext] = useState<string | null>(null)
  useEffect(() => {
    if (next === null) return
    const sought = frame.current?.querySelector<HTMLElement>(next) ?? frame.current?.querySelector('button')
    sought?.focus()
    setNext(null)
  }, [next])
  const change = (all: readonly Repetition[] | null) => {
    if (all !== null) setRepetitions([...all])
    onChange({ call: 'intervals', body: { stretches: all === null ? null : [...all] } })
  }
  const another = repetitions.length < MOST_REPETITIONS ? withAnother(repetitions, lastS) : null
  const add = () => {
    if (another === null) return
    change(another.repetitions)
    setChosen(another.index)
    setNext('[role=slider]')
  }
  const remove = (index: number) => {
    change(repetitions.toSpliced(index, 1))
    if (index < chosen || chosen === repetitions.length - 1) setChosen(Math.max(0, chosen - 1))
    setNext('[aria-pressed=true]')
  }
  const move = (end: keyof Repetition, atS: number) => change(withEnd(repetitions, { index: chosen, end, atS }, lastS))
  const at = repetitions[chosen]
  const ends =
    at === undefined
      ? []
      : (['startS', 'endS'] as const).map((end) => {
          const label = `${end === 'startS' ? 'Start' : 'End'} of rep ${chosen + 1}`
          return { label, atS: at[end], onMove: (atS: number) => move(end, atS) }
        })
  return (
    <div class="stack gap-4" ref={frame}>
      <StretchRange
        series={series}
        handles={ends}
        faint={[...repetitions, null].map((rep, k) => [repetitions[k - 1]?.endS ?? 0, rep?.startS ?? lastS] as const)}
      />
      <div class="columns">
        {ends.map(({ label, atS, onMove }) => (
          <TimeField key={label} label={label} atS={atS} onTime={onMove} />
        ))}
      </div>
      <ol class="fix-reps" aria-label="Reps">
        {repetitions.map(({ startS, endS }, index) => (
          <li key={index} class="level">
            <button
              type="button"
              class="menu-item level gap-3 bare"
              aria-pressed={index === chosen}
              aria-label={`Rep ${index + 1}, ${duration(startS)}–${duration(endS)}`}
              onClick={() => setChosen(index)}
            >
              <strong>{index + 1}</strong>
              <span>{duration(endS - startS)}</span>
              <span class="muted">
                {duration(startS)}–{duration(endS)}
              </span>
            </button>
            <Button
              size="small"
              kind="quiet"
              icon="close"
              aria-label={`Remove rep ${index + 1}`}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      {repetitions.length === 0 && <p class="muted">No reps.</p>}
      <div class="actions start">
        <Button size="small" icon="plus" disabled={another === null} onClick={add}>
          Add rep
        </Button>
        {found.source === 'runner' && (
          <Button size="small" onClick={() => change(null)}>
            Use what was detected
          </Button>
        )}
      </div>
    </div>
  )
}
