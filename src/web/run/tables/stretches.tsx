import { useMemo } from 'preact/hooks'
import type { PaceClock } from '../../shown-pace.ts'
import { useResource, useUnits } from '../../state.ts'
import { TERMS } from '../../words.ts'
import type { RunSeries } from '../charts/series.ts'
import { EditRepetitions } from '../repetitions/repetitions-choice.tsx'
import type { RunView } from '../run-view.ts'
import type { Detail } from '../types.ts'
import { IntervalsTable, LapsTables } from './laps-table.tsx'
import { ownSplits } from './own-splits.ts'
import { CutAnew, SplitsTable } from './splits-table.tsx'
import { unitsOf } from './stretch-rows.ts'
import { type StretchTab, StretchTabs } from './stretch-tabs.tsx'

interface StretchesProps {
  readonly run: Detail
  readonly clock: PaceClock
  /** Laps and intervals are loaded after the samples, which matter more. */
  readonly isReady: boolean
  /** null: there are no samples. */
  readonly series: RunSeries | null
  readonly view: RunView
}

/** The parts of the run, each kind in its own tab. */
export function Stretches({ run, clock, isReady, series, view }: StretchesProps) {
  const units = useUnits()
  const shared = { series, view }
  const laps = useResource(isReady ? `/workouts/${run.id}/laps` : null)
  const intervals = useResource(isReady ? `/workouts/${run.id}/intervals` : null)
  const splits = useMemo(() => {
    const isOther = unitsOf(run.splits, units) !== units
    return (isOther && !run.hasRoute && series !== null ? ownSplits(series, units) : null) ?? run.splits
  }, [run.splits, run.hasRoute, series, units])
  const tabs: StretchTab[] = []
  if (run.splits.length > 0) {
    tabs.push({
      name: TERMS.splits,
      aside: <CutAnew runId={run.id} hasRoute={run.hasRoute} splits={run.splits} />,
      content: <SplitsTable splits={splits} clock={clock} {...shared} />,
    })
  }
  // a single lap is the whole run
  if (laps.data !== null && laps.data.length > 1) {
    tabs.push({ name: 'Laps', content: <LapsTables laps={laps.data} clock={clock} {...shared} /> })
  }
  if (intervals.data !== null && intervals.data.sets.length > 0) {
    tabs.push({
      name: 'Intervals',
      ...(series === null ? {} : { aside: <EditRepetitions runId={run.id} series={series} /> }),
      content: <IntervalsTable intervals={intervals.data} {...shared} />,
    })
  }
  return <StretchTabs label="Splits and laps" tabs={tabs} />
}
