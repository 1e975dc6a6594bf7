import type { Units } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import type { Detail } from '../types.ts'
import { CutAnew, SplitsTable } from './splits-table.tsx'
import { type StretchTab, StretchTabs } from './stretch-tabs.tsx'

interface StretchesProps {
  readonly run: Detail
  readonly clock: PaceClock
  /** null: the samples are not there. */
  readonly series: RunSeries | null
  readonly units: Units
  readonly view: RunView
}

/** The run in parts, each kind of them in a tab of its own. */
export function Stretches({ run, clock, series, units, view }: StretchesProps) {
  const shared = { clock, series, units, view }
  const tabs: StretchTab[] = []
  if (run.splits.length > 0) {
    tabs.push({
      name: 'Splits',
      aside: <CutAnew runId={run.id} hasRoute={run.hasRoute} splits={run.splits} units={units} />,
      content: <SplitsTable splits={run.splits} {...shared} />,
    })
  }
  return <StretchTabs label="The run in parts" tabs={tabs} />
}
