import { counted, date, number, pace, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { RunView } from '../run-view.ts'
import type { Detail, SimilarRun } from '../types.ts'
import './run-tables.css'
import './run-cards.css'

interface SimilarRunsProps {
  readonly run: Detail
  readonly units: Units
  readonly view: RunView
}

const MOST = 25
const SHOWN = 6
const WIDTH = 320
const HEIGHT = 96
const INSET = 8
const DIRECTIONS: Readonly<Record<SimilarRun['direction'], string>> = {
  same: '',
  reverse: 'reversed',
  mixed: 'partly reversed',
}

/** Earlier runs on the same route: a chart of their paces, and a list. */
export function SimilarRuns({ run, units, view }: SimilarRunsProps) {
  const rival = useStore(view.rival)
  const { data } = useResource<SimilarRun[]>(`/workouts/${run.id}/similar-routes?maxResults=${MOST}&maxYears=20`)
  if (data === null || data.length === 0) return null
  const latest = data.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
  return (
    <Card title="Same route before" aside={`${counted(data.length, 'run')}, by elapsed time`} class="run-similar">
      <Trend run={run} earlier={data} units={units} />
      <table class="run-table similar">
        <thead class="hidden-text">
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Pace</th>
            <th scope="col">Heart rate</th>
            <th scope="col">Difference</th>
            <th scope="col">Race</th>
          </tr>
        </thead>
        <tbody>
          {latest.slice(0, SHOWN).map((other) => (
            <tr key={other.workoutId}>
              <th scope="row">
                <Link href={`/app/runs/${other.workoutId}`}>{date(other.startedAt, 'short')}</Link>
                {DIRECTIONS[other.direction] !== '' && <span class="muted small"> {DIRECTIONS[other.direction]}</span>}
              </th>
              <td>{text(pace(other.avgPaceS, units))}</td>
              <td class="muted">{other.avgHeartRateBpm === null ? '' : `${number(other.avgHeartRateBpm)}\u00a0bpm`}</td>
              <td>
                <Difference paceS={other.paceDifferenceS} units={units} />
              </td>
              <td>
                {other.direction === 'same' && (
                  <Button
                    size="small"
                    kind="quiet"
                    aria-pressed={rival === other.workoutId}
                    aria-label={`Race it: the run of ${date(other.startedAt, 'short')}`}
                    onClick={() => view.rival.set(rival === other.workoutId ? null : other.workoutId)}
                  >
                    Race it
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

/** The difference of this run's pace from another. */
function Difference({ paceS, units }: { readonly paceS: number; readonly units: Units }) {
  const shown = pace(Math.abs(paceS), units)
  if (Math.abs(paceS) < 0.5) return <span class="muted">level</span>
  return paceS > 0 ? <span class="faster">{shown.value} faster</span> : <span class="slower">{shown.value} slower</span>
}

/** One dot per run, faster is higher; this run's is filled. */
function Trend({ run, earlier, units }: Omit<SimilarRunsProps, 'view'> & { readonly earlier: readonly SimilarRun[] }) {
  const all = [...earlier, { workoutId: run.id, startedAt: run.startedAt, avgPaceS: run.avgPaceS }]
    .filter(({ avgPaceS }) => avgPaceS > 0)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
  if (all.length < 2) return null
  const times = all.map(({ startedAt }) => Date.parse(startedAt))
  const paces = all.map(({ avgPaceS }) => avgPaceS)
  const [from, to] = [times[0]!, times.at(-1)!]
  const [fast, slow] = [Math.min(...paces), Math.max(...paces)]
  const x = (at: number) => INSET + ((at - from) / Math.max(1, to - from)) * (WIDTH - 2 * INSET)
  const y = (value: number) => INSET + ((value - fast) / Math.max(1, slow - fast)) * (HEIGHT - 2 * INSET)
  const path = all.map(
    ({ avgPaceS }, k) => `${k === 0 ? 'M' : 'L'}${x(times[k]!).toFixed(1)} ${y(avgPaceS).toFixed(1)}`,
  )
  const words = `${counted(all.length, 'run')}, fastest ${text(pace(fast, units))}, slowest ${text(pace(slow, units))}`
  return (
    <figure class="route-trend">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Pace over time: ${words}`}>
        <path class="route-trend-line" d={path.join('')} />
        {all.map(({ workoutId, avgPaceS, startedAt }, k) => (
          <circle
            key={workoutId}
            class={workoutId === run.id ? 'route-trend-dot now' : 'route-trend-dot'}
            cx={x(times[k]!)}
            cy={y(avgPaceS)}
            r={workoutId === run.id ? 5 : 3}
          >
            <title>
              {date(startedAt, 'short')}: {text(pace(avgPaceS, units))}
            </title>
          </circle>
        ))}
      </svg>
      <figcaption>
        <span>{date(all[0]!.startedAt, 'shortMonthYear')}</span>
        <span>
          {pace(slow, units).value} – {text(pace(fast, units))}
        </span>
        <span>{date(all.at(-1)!.startedAt, 'shortMonthYear')}</span>
      </figcaption>
    </figure>
  )
}
