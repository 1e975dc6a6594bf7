import { DayStrip } from '../charts/day-strip.tsx'
import { useIsNarrow } from '../charts/use-is-narrow.ts'
import { DropZone } from '../import/drop-zone.tsx'
import { useResource, useUnits } from '../state.ts'
import type { RunPage } from '../types.ts'
import { Card } from '../ui/card.tsx'
import { LoadFailure } from '../ui/empty.tsx'
import { Lazy } from '../ui/lazy.tsx'
import { fetchPart } from '../ui/part.ts'
import { BestEffortsCard } from './dashboard/best-efforts.tsx'
import { EffortCard } from './dashboard/effort.tsx'
import { HabitsCard, HighlightsCard } from './dashboard/insights.tsx'
import { LatestRuns } from './dashboard/latest-runs.tsx'
import { isPaused } from './dashboard/log-sums.ts'
import { PulseCard } from './dashboard/pulse.tsx'
import { PausedTotals, Totals } from './dashboard/totals.tsx'
import { WeekCard } from './dashboard/week.tsx'
import { RollingCard, YearCard } from './dashboard/years.tsx'
import { today, useDays, useMonths } from './stats.ts'
import './dashboard/dashboard.css'

const loadToday = () =>
  fetchPart('today-card', () => import('./training/today-card.tsx')).then(({ TodayCard }) => TodayCard)

/** Placeholder in the size of the training card, whose code is loaded later. */
const waiting = (failure: string | null) => (
  <section class="card today-card">{failure === null ? null : <p>{failure}</p>}</section>
)

/** The start page: the current state of the log at a glance. */
export function Dashboard() {
  const latest = useResource<RunPage>('/workouts?pageSize=5')
  const { data, error, reload } = latest
  const { days } = useDays()
  const { months } = useMonths()
  const hasPaused = days !== null && months !== null && isPaused(days, months, today())
  if (data === null && error !== null) {
    return (
      <div class="page">
        <LoadFailure message={error.message} onRetry={reload} />
      </div>
    )
  }
  if (data?.totalCount === 0) return <NoRuns />
  return (
    <div class="page">
      <h1 tabIndex={-1} class="hidden-text">
        Dashboard
      </h1>
      <div class="dashboard">
        <Lazy load={loadToday} props={{}} waiting={waiting} />
        {hasPaused ? (
          <PausedTotals months={months ?? []} last={data?.items.find(({ leftOut }) => !leftOut) ?? null} />
        ) : (
          <>
            <WeekCard />
            <EffortCard />
            <Totals days={days} months={months} />
          </>
        )}
        <PulseCard />
        {(days === null || days.length > 0) && <DaysCard />}
        <YearCard />
        <LatestRuns runs={data?.items ?? null} />
        <RollingCard />
        <HabitsCard />
        <BestEffortsCard />
        <HighlightsCard />
      </div>
    </div>
  )
}

function NoRuns() {
  return (
    <div class="page narrow">
      <div class="page-head">
        <h1 tabIndex={-1}>Your log is empty</h1>
      </div>
      <p class="muted lead">
        Once there are runs, this page shows your week, your year, your records and your habits. Everything stays on
        this machine.
      </p>
      <DropZone />
    </div>
  )
}

function DaysCard() {
  const units = useUnits()
  const isNarrow = useIsNarrow()
  const { metres, error, reload } = useDays()
  return (
    <Card title={isNarrow ? 'Half a year, day by day' : 'The last year, day by day'} class="wide">
      {error !== null && metres === null ? (
        <LoadFailure message={error.message} onRetry={reload} />
      ) : (
        <DayStrip days={metres} today={today()} units={units} isShort={isNarrow} />
      )}
    </Card>
  )
}
