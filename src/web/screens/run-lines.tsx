import { RouteThumb } from '../charts/route-thumb.tsx'
import { date, distance, duration, elevation, pace, runDay, runName, text, type Units } from '../format.ts'
import { Link } from '../router.ts'
import type { Run } from '../types.ts'
import { Amount } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Filters, SortKey } from './run-query.ts'

/** The columns of a wide list; a pace is no order of the service. */
const HEADINGS: readonly (readonly [key: SortKey | null, name: string])[] = [
  ['distance', 'Distance'],
  ['duration', 'Time'],
  [null, 'Pace'],
  ['elevation', 'Climb'],
  [null, 'Heart rate'],
  ['relativeeffort', 'Effort'],
]

interface RunHeadingsProps {
  readonly filters: Pick<Filters, 'sort' | 'isAscending'>
  readonly onChange: (changed: Partial<Filters>) => void
}

/** Names of the columns, which also put the list in their order; narrow lists have the choice above instead. */
export function RunHeadings({ filters, onChange }: RunHeadingsProps) {
  return (
    <div class="run-headings">
      <span class="run-headings-first">
        <Heading name="Date" sort="startedAt" filters={filters} onChange={onChange} />
        <Heading name="Name" sort="name" filters={filters} onChange={onChange} />
      </span>
      {HEADINGS.map(([sort, name]) =>
        sort === null ? (
          <span key={name} class="heading">
            {name}
          </span>
        ) : (
          <Heading key={name} name={name} sort={sort} filters={filters} onChange={onChange} />
        ),
      )}
    </div>
  )
}

interface HeadingProps extends RunHeadingsProps {
  readonly name: string
  readonly sort: SortKey
}

function Heading({ name, sort, filters, onChange }: HeadingProps) {
  const isHere = filters.sort === sort
  const order = filters.isAscending ? ', smallest first' : ', largest first'
  return (
    <button
      type="button"
      class="heading"
      aria-pressed={isHere}
      aria-label={`Order by ${name.toLowerCase()}${isHere ? order : ''}`}
      onClick={() => onChange({ sort, isAscending: isHere ? !filters.isAscending : sort === 'name' })}
    >
      {name}
      {isHere && <Icon name={filters.isAscending ? 'up' : 'down'} />}
    </button>
  )
}

/** One run of the list, all of it a link. */
export function RunLine({ run, units }: { readonly run: Run; readonly units: Units }) {
  return (
    <li>
      <Link href={`/app/runs/${run.id}`} class="run-line">
        <RouteThumb route={run.route} />
        <span class="run-title">
          <strong>{runName(run)}</strong>
          <span class="muted">
            {runDay(run, true)}, {date(run.startedAt, 'time', run.utcOffsetMinutes)}
            {run.runType !== null && <span class={`tag ${run.runType === 'Race' ? 'race' : ''}`}>{run.runType}</span>}
          </span>
        </span>
        <Amount of={distance(run.distanceM, units)} class="run-distance" />
        <span class="run-number">{duration(run.durationS)}</span>
        <Amount of={pace(run.avgPaceS, units)} class="run-number" />
        <span class="run-number wide-only">
          {run.elevGainM !== null && <Named name="Climb" value={text(elevation(run.elevGainM, units))} />}
        </span>
        <span class="run-number wide-only">
          {run.avgHeartRateBpm !== null && <Named name="Heart rate" value={String(run.avgHeartRateBpm)} />}
        </span>
        <span class="run-number wide-only">
          {run.relativeEffort !== null && <Named name="Effort" value={String(run.relativeEffort)} />}
        </span>
      </Link>
    </li>
  )
}

/** A number of a column; its name is only read out, since it stands above the column. */
function Named({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <span class="hidden-text">{name} </span>
      {value}
    </>
  )
}
