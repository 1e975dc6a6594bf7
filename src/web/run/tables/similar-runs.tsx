import { Ends, Level, Plot } from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import { counted, date, number, pace, paceDifference, text } from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { TERMS } from '../../words.ts'
import type { RunView } from '../run-view.ts'
import type { Detail, SimilarRun } from '../types.ts'
import './run-tables.css'
import './run-cards.css'

interface SimilarRunsProps {
  readonly run: Detail
  readonly view: RunView
}

const MOST = 25
const SHOWN = 6
const HEIGHT = 132
const INSET = 8
const DIRECTIONS: Readonly<Record<SimilarRun['direction'], string>> = {
  same: '',
  reverse: 'reversed',
  mixed: 'partly reversed',
}

/** Earlier runs on the same route: a chart of their paces, and a list. */
export function SimilarRuns({ run, view }: SimilarRunsProps) {
  const units = useUnits()
  const rival = useStore(view.rival)
  const { data } = useResource(`/workouts/${run.id}/similar-routes?maxResults=${MOST}&maxYears=20`)
  if (data === null || data.length === 0) return null
  const latest = data.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
  return (
    <Card title="Same route" aside={`${counted(data.length, 'run')}, by elapsed time`} class="run-similar">
      <Trend run={run} earlier={data} />
      <DataTable
        class="run-table similar"
        hidesHeads
        heads={['Run', TERMS.pace, TERMS.hr, 'Difference', 'Race']}
        rows={latest.slice(0, SHOWN).map((other) => [
          <>
            <Link href={`/app/runs/${other.workoutId}`}>{date(other.startedAt, 'short')}</Link>
            {DIRECTIONS[other.direction] !== '' && <span class="muted small"> {DIRECTIONS[other.direction]}</span>}
          </>,
          text(pace(other.avgPaceS, units)),
          other.avgHeartRateBpm !== null && <span class="muted">{`${number(other.avgHeartRateBpm)}\u00a0bpm`}</span>,
          <Difference paceS={other.paceDifferenceS} />,
          other.direction === 'same' && (
            <Button
              size="small"
              kind="quiet"
              aria-pressed={rival?.workoutId === other.workoutId}
              aria-label={`Race it: run of ${date(other.startedAt, 'short')}`}
              onClick={() => view.rival.set(rival?.workoutId === other.workoutId ? null : other)}
            >
              Race it
            </Button>
          ),
        ])}
      />
    </Card>
  )
}

/** The difference of this run's pace from another. */
function Difference({ paceS }: { readonly paceS: number }) {
  const units = useUnits()
  const shown = paceDifference(paceS, units)
  if (Math.abs(paceS) < 0.5) return <span class="muted">same pace</span>
  return paceS > 0 ? <span class="faster">{shown} faster</span> : <span class="muted">{shown} slower</span>
}

/** One dot per run, faster is higher; this run's is filled. */
function Trend({ run, earlier }: Omit<SimilarRunsProps, 'view'> & { readonly earlier: readonly SimilarRun[] }) {
  const units = useUnits()
  const all = [...earlier, { workoutId: run.id, startedAt: run.startedAt, avgPaceS: run.avgPaceS }]
    .filter(({ avgPaceS }) => avgPaceS > 0)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
  if (all.length < 2) return null
  const times = all.map(({ startedAt }) => Date.parse(startedAt))
  const [fromMs, toMs] = [times[0]!, times.at(-1)!]
  const shareOf = (place: number) => (times[place]! - fromMs) / Math.max(1, toMs - fromMs)
  const paces = all.map(({ avgPaceS }) => avgPaceS)
  const [fast, slow] = [Math.min(...paces), Math.max(...paces)]
  const y = (value: number) => INSET + ((value - fast) / Math.max(1, slow - fast)) * (HEIGHT - 30 - INSET)
  const words = `${counted(all.length, 'run')}, fastest ${text(pace(fast, units))}, slowest ${text(pace(slow, units))}`
  return (
    <Plot
      class="route-trend below-4"
      label={`Pace over time: ${words}. Arrow keys go through the runs, Enter opens one`}
      height={HEIGHT}
      left={48}
      count={all.length}
      textAt={(place) => `${date(all[place]!.startedAt, 'short')}: ${text(pace(paces[place]!, units))}`}
      shareOf={shareOf}
      onOpen={(place) => navigate(`/app/runs/${all[place]!.workoutId}`)}
      isOpenedByMouse
      of={[earlier, run, units]}
      draw={({ x }) => (
        <>
          {[fast, slow].map((value) => (
            <Level key={value} y={y(value)} text={pace(value, units).value} />
          ))}
          <path class="route-trend-line" d={linePath(paces.map((value, k) => [x(shareOf(k)), y(value)] as const))} />
          {all.map(({ workoutId, avgPaceS }, k) => (
            <circle
              key={workoutId}
              class={workoutId === run.id ? 'route-trend-dot now' : 'route-trend-dot'}
              cx={x(shareOf(k))}
              cy={y(avgPaceS)}
              r={workoutId === run.id ? 5 : 3}
            />
          ))}
          <Ends from={date(all[0]!.startedAt, 'shortMonthYear')} to={date(all.at(-1)!.startedAt, 'shortMonthYear')} />
        </>
      )}
    />
  )
}
