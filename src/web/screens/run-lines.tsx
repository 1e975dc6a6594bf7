import { RouteThumb } from '../charts/route-thumb.tsx'
import {
  date,
  distance,
  distanceName,
  duration,
  elevation,
  number,
  type PaceClock,
  pace,
  runDay,
  runName,
  shownPace,
  text,
  type Units,
} from '../format.ts'
import { Link } from '../router.ts'
import type { EffortMedals, Run } from '../types.ts'
import { Icon } from '../ui/button.tsx'
import { Amount, Medal } from '../ui/card.tsx'
import { TERMS } from '../words.ts'
import { type Filters, isUsuallyAscending, runPath, SORTS, type SortKey } from './run-query.ts'

/** The columns of a wide list; day and name are in the first. */
const COLUMNS = SORTS.filter(([key]) => key !== 'startedAt' && key !== 'name')

interface RunHeadingsProps {
  readonly filters: Pick<Filters, 'sort' | 'isAscending'>
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Column headings, which also set the order; narrow lists have a select above instead. */
export function RunHeadings({ filters, onChange }: RunHeadingsProps) {
  return (
    <div class="run-headings">
      <span class="run-headings-first level">
        <Heading name="Date" sort="startedAt" filters={filters} onChange={onChange} />
        <Heading name="Name" sort="name" filters={filters} onChange={onChange} />
      </span>
      {COLUMNS.map(([sort, name]) => (
        <Heading key={sort} name={name} sort={sort} filters={filters} onChange={onChange} />
      ))}
    </div>
  )
}

interface HeadingProps extends RunHeadingsProps {
  readonly name: string
  readonly sort: SortKey
}

function Heading({ name, sort, filters, onChange }: HeadingProps) {
  const isHere = filters.sort === sort
  const [least, most] = sort === 'pace' ? ['fastest', 'slowest'] : ['smallest', 'largest']
  const order = `, ${filters.isAscending ? least : most} first`
  return (
    <button
      type="button"
      class="heading level bare muted tiny"
      aria-pressed={isHere}
      aria-label={`Sort by ${name.toLowerCase()}${isHere ? order : ''}`}
      onClick={() => onChange({ sort, isAscending: isHere ? !filters.isAscending : isUsuallyAscending(sort) })}
    >
      {name}
      {isHere && <Icon name={filters.isAscending ? 'up' : 'down'} />}
    </button>
  )
}

interface RunLineProps {
  readonly run: Run
  readonly filters: Filters
  readonly units: Units
  readonly clock: PaceClock
  /** Ranks among the first three of a distance, the best first. */
  readonly medals: EffortMedals['medals']
  /** null: selection mode is off. */
  readonly isChosen: boolean | null
  /** Adds the run to the selection or removes it. @param isRange includes all runs from the last one selected */
  readonly onChoose: (isRange: boolean) => void
}

/** One run of the list as a link; in selection mode, a click selects it. */
export function RunLine({ run, filters, units, clock, medals, isChosen, onChoose }: RunLineProps) {
  const { timeS, paceS } = shownPace(run, clock)
  const chooses = (event: MouseEvent) => {
    const isOnBox = event.target instanceof Element && event.target.closest('.run-check') !== null
    // Enter on the link always opens the run
    const isPress = event.detail > 0 && !event.metaKey && !event.ctrlKey
    if (isOnBox || !isPress || !(event.shiftKey || isChosen !== null)) return
    event.preventDefault()
    onChoose(event.shiftKey)
  }
  return (
    <li
      class={isChosen === true ? 'chosen' : ''}
      onClickCapture={chooses}
      onMouseDown={(event) => {
        // a click with Shift would select the text in between
        if (event.shiftKey) event.preventDefault()
      }}
    >
      {isChosen !== null && (
        <label class="run-check">
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={`Select ${runName(run)}, ${runDay(run)}`}
            onClick={(event) => onChoose(event.shiftKey)}
          />
        </label>
      )}
      <Link href={runPath(run.id, filters)} class="run-line" data-run={run.id}>
        <RouteThumb route={run.route} />
        <span class="run-title">
          <strong class="cut">{runName(run)}</strong>
          <span class="muted small">
            {runStart(run)}
            {run.runType !== null && <span class={`tag ${run.runType === 'Race' ? 'race' : ''}`}>{run.runType}</span>}
            {medals.length > 0 && <Medals medals={medals} />}
            {run.leftOut && (
              <span class="tag left-out" title="Excluded from statistics and records">
                Not counted
              </span>
            )}
          </span>
        </span>
        <Amount of={distance(run.distanceM, units)} class="run-distance" />
        <span class="run-number">{duration(timeS)}</span>
        <Amount of={pace(paceS, units)} class="run-number" />
        <span class="run-number wide-only">
          {run.elevGainM !== null && <Named name={TERMS.elevationGain} value={text(elevation(run.elevGainM, units))} />}
        </span>
        <span class="run-number wide-only">
          {run.avgHeartRateBpm !== null && <Named name={TERMS.heartRate} value={String(run.avgHeartRateBpm)} />}
        </span>
        <span class="run-number wide-only">
          <Effort run={run} />
        </span>
      </Link>
    </li>
  )
}

/** When a run began where it was run: `Fri 27 Nov, 6:15`. */
export function runStart(run: Pick<Run, 'startedAt' | 'utcOffsetMinutes'>): string {
  return `${runDay(run, true)}, ${date(run.startedAt, 'time', run.utcOffsetMinutes)}`
}

/** The best one visible, all of them for screen readers. */
export function Medals({ medals }: { readonly medals: EffortMedals['medals'] }) {
  const stated = medals.map(
    ({ rank, distance: of }) => `${rank === 1 ? 'record' : rank === 2 ? '2nd' : '3rd'} ${distanceName(of)}`,
  )
  return (
    <span class="run-medals tiny" title={stated.join(', ')}>
      <Medal place={medals[0]?.rank ?? 1}>
        {medals.length > 1 && <span aria-hidden="true">{medals.length}</span>}
        <span class="hidden-text">, {stated.join(', ')}</span>
      </Medal>
    </span>
  )
}

/** Load; relative effort in its place where a run has none. */
function Effort({ run: { load, relativeEffort } }: { readonly run: Run }) {
  if (load !== null) return <Named name={TERMS.load} value={number(load)} />
  return (
    relativeEffort !== null && (
      <span class="muted" title="Relative effort; this run has no load">
        <Named name={TERMS.relativeEffort} value={number(relativeEffort)} />
      </span>
    )
  )
}

/** A number of a column; its name is only for screen readers, since it is in the heading. */
function Named({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <span class="hidden-text">{name} </span>
      {value}
    </>
  )
}
