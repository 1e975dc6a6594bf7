import { useMemo } from 'preact/hooks'
import { duration, signed } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import type { Intervals, Lap } from '../types.ts'
import { intervalsText, type LapRow, lapRows, type RepetitionRow, repetitionRows } from './lap-rows.ts'
import { StretchTable, ZoomButton } from './stretch-table.tsx'

interface Shared {
  readonly series: RunSeries | null
  readonly view: RunView
}

interface LapsProps extends Shared {
  readonly laps: readonly Lap[]
  readonly clock: PaceClock
}

/** Laps pressed by the runner or made automatically by the device; nested and overlapping ones in a table of their own. */
export function LapsTables({ laps, ...shared }: LapsProps) {
  const [first, second] = [0, 1].map((series) => laps.filter((lap) => lap.series === series))
  return (
    <>
      <LapsTable laps={first!} caption="Laps" {...shared} />
      {second!.length > 0 && <LapsTable laps={second!} caption="Overlapping laps" {...shared} />}
    </>
  )
}

function LapsTable({ laps, caption, clock, ...shared }: LapsProps & { readonly caption: string }) {
  const rows = useMemo(() => lapRows(laps, clock), [laps, clock])
  const kindOf = (key: string) => rows.find((row: LapRow) => row.key === key)?.kind ?? null
  return (
    <StretchTable
      caption={caption}
      nameHead="Lap"
      rows={rows}
      hasDistance
      nameOf={(row) => (
        <>
          <ZoomButton row={row} view={shared.view} />
          {kindOf(row.key) !== null && <span class="lap-kind muted tiny">{kindOf(row.key)}</span>}
        </>
      )}
      {...shared}
    />
  )
}

/** The repetitions of a session by set, each with its recovery. */
export function IntervalsTable({ intervals, ...shared }: Shared & { readonly intervals: Intervals }) {
  const units = useUnits()
  const { sets, summary } = intervals
  return (
    <>
      {summary !== null && (
        <p class="below-3">
          <strong>{summary.title}</strong>{' '}
          {sets.length === 1 && <span class="muted">{intervalsText(summary, units)}</span>}
        </p>
      )}
      {sets.map((set, index) => (
        <IntervalSet key={index} set={set} hasTitle={sets.length > 1} {...shared} />
      ))}
      {intervals.source === 'pace' && <p class="muted small">Detected from pace changes; no laps were recorded.</p>}
      {intervals.source === 'runner' && <p class="muted small">Corrected by you.</p>}
    </>
  )
}

type IntervalSetProps = Shared & { readonly set: Intervals['sets'][number]; readonly hasTitle: boolean }

function IntervalSet({ set, hasTitle, ...shared }: IntervalSetProps) {
  const units = useUnits()
  const rows = useMemo(() => repetitionRows(set), [set])
  const recoveryOf = (key: string) => rows.find((row) => row.key === key)?.recovery ?? null
  return (
    <>
      {hasTitle && (
        <h3 class="intervals-set">
          {set.title} <span class="muted">{intervalsText(set, units)}</span>
        </h3>
      )}
      <StretchTable
        caption={`Reps, ${set.title}`}
        nameHead="#"
        rows={rows}
        hasDistance
        extra={{ head: 'Recovery', cell: (row) => <Recovery of={recoveryOf(row.key)} /> }}
        {...shared}
      />
    </>
  )
}

/** Duration, and the drop of the heart rate. */
function Recovery({ of: recovery }: { readonly of: RepetitionRow['recovery'] }) {
  if (recovery === null) return null
  const { durationS, heartRateDropBpm } = recovery
  return (
    <>
      {duration(durationS)}
      {heartRateDropBpm !== null && <span class="recovery-drop muted">{signed(-heartRateDropBpm)}&nbsp;bpm</span>}
    </>
  )
}
