import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { PAGE_CARDS, type PageCard } from '../../engine/limits.ts'
import { DayStrip } from '../charts/day-strip.tsx'
import { useIsNarrow } from '../charts/use-is-narrow.ts'
import { LateDropZone } from '../import/late-drop-zone.tsx'
import { useResource } from '../state.ts'
import type { PageSettings } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LoadFailure } from '../ui/empty.tsx'
import { failureToast, Lazy } from '../ui/lazy.tsx'
import { fetchPart } from '../ui/part.ts'
import { BestEffortsCard } from './dashboard/best-efforts.tsx'
import { EffortCard } from './dashboard/effort.tsx'
import { HabitsCard, HighlightsCard } from './dashboard/insights.tsx'
import { LatestCard } from './dashboard/latest-card.tsx'
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

const loadMerge = () =>
  fetchPart('merge-card', () => import('./dashboard/merge-card.tsx')).then(({ MergeCard }) => MergeCard)

const loadCards = () => import('./dashboard/cards-dialog.tsx').then(({ CardsDialog }) => CardsDialog)

/** Shown while the settings cannot be loaded. */
const USUAL: PageSettings = { cards: PAGE_CARDS.map((id) => ({ id, shown: true })), effort: 'load' }

/** Placeholder in the size of the training card, whose code is loaded later. */
const waiting = (failure: string | null) => (
  <section class="card today-card">{failure === null ? null : <p>{failure}</p>}</section>
)

/** Placeholder in the size of the suggestion. */
const waitingPair = (failure: string | null) => (
  <section class="card wide pair-room">{failure === null ? null : <p>{failure}</p>}</section>
)

/** The start page: the current state of the log at a glance. */
export function Dashboard() {
  const { data, error, isLoading } = useResource('/workouts?pageSize=5')
  const page = useResource('/settings/page')
  const suggested = useResource('/workouts/merge-suggestions')
  const pairs = suggested.data ?? []
  const [isOrdering, setOrdering] = useState(false)
  const { days } = useDays()
  const { months } = useMonths()
  const hasPaused = days !== null && months !== null && isPaused(days, months, today())
  if (data === null && error !== null) {
    return (
      <div class="page">
        <LoadFailure message={error.message} />
      </div>
    )
  }
  if (data?.totalCount === 0) return <NoRuns />
  const runs = data?.items ?? null
  const shown = page.data ?? (page.error === null ? null : USUAL)
  // a suggestion is above the cards, which would move when it comes later
  const hasAll = suggested.data !== null || suggested.error !== null
  const cardOf: Readonly<Record<PageCard, () => ComponentChildren>> = {
    latest: () => <LatestCard run={runs?.[0] ?? null} isOld={isLoading} />,
    today: () => <Lazy load={loadToday} props={{}} waiting={waiting} />,
    week: () => !hasPaused && <WeekCard effort={shown?.effort ?? 'load'} />,
    effort: () => !hasPaused && <EffortCard kind={shown?.effort ?? 'load'} />,
    totals: () =>
      hasPaused ? (
        <PausedTotals months={months ?? []} last={runs?.find(({ leftOut }) => !leftOut) ?? null} />
      ) : (
        <Totals days={days} months={months} />
      ),
    days: () => (days === null || days.length > 0) && <DaysCard />,
    year: () => <YearCard />,
    runs: () => <LatestRuns runs={runs} />,
    rolling: () => <RollingCard />,
    habits: () => <HabitsCard />,
    records: () => <BestEffortsCard />,
    highlights: () => <HighlightsCard />,
  }
  return (
    <div class="page">
      <h1 tabIndex={-1} class="hidden-text">
        Dashboard
      </h1>
      <div class="dashboard">
        <PulseCard />
        {pairs.length > 0 && <Lazy key={pairs[0]?.id} load={loadMerge} props={{ pairs }} waiting={waitingPair} />}
        {hasAll && shown?.cards.map((card) => card.shown && <Fragment key={card.id}>{cardOf[card.id]()}</Fragment>)}
      </div>
      {hasAll && page.data !== null && (
        <p class="dashboard-end">
          <Button kind="quiet" size="small" icon="settings" onClick={() => setOrdering(true)}>
            Customise dashboard
          </Button>
        </p>
      )}
      {isOrdering && page.data !== null && (
        <Lazy load={loadCards} props={{ page: page.data, onClose: () => setOrdering(false) }} waiting={failureToast} />
      )}
    </div>
  )
}

function NoRuns() {
  return (
    <div class="page narrow">
      <div class="page-head">
        <h1 tabIndex={-1}>No runs yet</h1>
      </div>
      <p class="muted lead">
        Import your runs to see your week, your year, your records and your habits. Everything stays on this machine.
      </p>
      <LateDropZone />
    </div>
  )
}

function DaysCard() {
  const isNarrow = useIsNarrow()
  const { metres, error } = useDays()
  return (
    <Card title={isNarrow ? 'Last 6 months' : 'Last 12 months'} class="wide">
      {error !== null && metres === null ? (
        <LoadFailure message={error.message} />
      ) : (
        <DayStrip days={metres} today={today()} isShort={isNarrow} />
      )}
    </Card>
  )
}
