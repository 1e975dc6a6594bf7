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

/** Day and name are in the first column of a wide list. */
const isFirst = ([key]: readonly [key: SortKey, name: string]) => key === 'startedAt' || key === 'name'

interface RunHeadingsProps {
  readonly filters: Pick<Filters, 'sort' | 'isAscending'>
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Column headings, which also set the order; narrow lists have a select above instead. */
export function RunHeadings({ filters, onChange }: RunHeadingsProps) {
  const heading = ([sort, name]: readonly [sort: SortKey, name: string]) => {
    const isHere = filters.sort === sort
    const [least, most] = sort === 'pace' ? ['fastest', 'slowest'] : ['smallest', 'largest']
    const order = `, ${filters.isAscending ? least : most} first`
    return (
      <button
        key={sort}
        type="button"
        class="heading level bare muted tiny nowrap"
        aria-pressed={isHere}
        aria-label={`Sort by ${name.toLowerCase()}${isHere ? order : ''}`}
        onClick={() => onChange({ sort, isAscending: isHere ? !filters.isAscending : isUsuallyAscending(sort) })}
      >
        {name}
        {isHere && <Icon name={filters.isAscending ? 'up' : 'down'} />}
      </button>
    )
  }
  return (
    <div class="run-headings">
      <span class="run-headings-first level">{SORTS.filter(isFirst).map(heading)}</span>
      {SORTS.filter((sort) => !isFirst(sort)).map(heading)}
    </div>
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
  const { elevGainM, avgHeartRateBpm, load, relativeEffort } = run
  const columns: (readonly [name: string, value: string | number | null, hint?: string])[] = [
    [TERMS.elevationGain, elevGainM === null ? null : text(elevation(elevGainM, units))],
    [TERMS.heartRate, avgHeartRateBpm],
    // relative effort stands in for the load that a run has not
    load === null && relativeEffort !== null
      ? [TERMS.relativeEffort, number(relativeEffort), 'Relative effort; this run has no load']
      : [TERMS.load, load === null ? null : number(load)],
  ]
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
          <strong class="cut bold">{runName(run)}</strong>
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
        <Amount of={distance(run.distanceM, units)} class="run-distance large bold right" />
        <span class="right nowrap">{duration(timeS)}</span>
        <Amount of={pace(paceS, units)} class="run-number right nowrap" />
        {columns.map(([name, value, hint]) => (
          <span key={name} class={`wide-only right nowrap ${hint === undefined ? '' : 'muted'}`} title={hint}>
            {value !== null && (
              <>
                {/* it is in the heading */}
                <span class="hidden-text">{name} </span>
                {value}
              </>
            )}
          </span>
        ))}
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
