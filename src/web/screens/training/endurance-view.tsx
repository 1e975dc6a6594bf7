import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { TableView } from '../../charts/table-view.tsx'
import { shiftedDay } from '../../days.ts'
import { date, distanceUnit, number, pace, signed, temperature, text, type Units, unitLengthM } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useLoaded, useUnits } from '../../state.ts'
import type { Efficiency } from '../../types.ts'
import { Empty } from '../../ui/empty.tsx'
import { offsetQuery, today } from '../stats.ts'
import { runsOfAllYears, WINDOW_DAYS } from './endurance/all-runs.ts'
import { DurabilityCard } from './endurance/durability-card.tsx'
import { EfficiencyChart, isWarm } from './endurance/efficiency-chart.tsx'
import { IntensityCard } from './endurance/intensity-card.tsx'
import { SpanCard } from './span-card.tsx'

const SPANS = [
  ['92', '3 months'],
  ['366', '1 year'],
  [String(WINDOW_DAYS - 1), '3 years'],
  ['all', 'All'],
] as const

/** Endurance: pace at one heart rate, decoupling, long runs, and intensity. */
export function EnduranceView() {
  const [span, setSpan] = useState<string>('366')
  const resource = useEfficiency(span === 'all' ? null : Number(span))
  return (
    <>
      <SpanCard
        title="Efficiency"
        legend="Time range"
        spans={SPANS}
        span={span}
        onSpan={setSpan}
        resource={resource}
        height="470px"
      >
        {(data) =>
          data.runs.length === 0 ? (
            <Empty icon="training" title="No runs with heart rate in this period">
              Efficiency needs runs of 30 minutes or more with heart rate and distance. Choose a longer period, or wear
              a heart-rate sensor.
            </Empty>
          ) : (
            <EfficiencyBody data={data} />
          )
        }
      </SpanCard>
      {resource.data !== null && <DurabilityCard runs={resource.data.runs} />}
      <IntensityCard />
    </>
  )
}

/** @param dayCount null: the runs of all years */
function useEfficiency(dayCount: number | null) {
  const path = `/training/efficiency?${offsetQuery()}` as const
  const all = async () => {
    const years = await api.get(`/stats/available-years?${offsetQuery()}`)
    const ask = (from: string, to: string) => api.get(`${path}&from=${from}&to=${to}`)
    return await runsOfAllYears(today(), years.at(-1) ?? new Date().getFullYear(), ask)
  }
  const since = `${path}&from=${shiftedDay(today(), -(dayCount ?? 0))}` as const
  return useLoaded(dayCount === null ? `${path}&all` : since, dayCount === null ? all : () => api.get(since))
}

function EfficiencyBody({ data: { runs, trend, referenceHeartRateBpm } }: { readonly data: Efficiency }) {
  const units = useUnits()
  return (
    <>
      <p>{isLong(runs) ? 'The trend covers three years at most.' : trendWords(trend, units)}</p>
      <EfficiencyChart runs={runs} trend={trend} referenceBpm={referenceHeartRateBpm} />
      <p class="muted small">
        Pace of each run at {referenceHeartRateBpm} bpm; faster is higher. Hollow dots are warm days, excluded from the
        trend. Decoupling is the drop in distance per heartbeat in the second half of a steady run. Many coaches look
        for less than 5% (dashed line). <Link href="/app/settings#training">Set the heart rate</Link>.
      </p>
      <TableView
        caption="Efficiency by run"
        heads={['Day', `At ${referenceHeartRateBpm} bpm`, 'Metres per beat', 'Decoupling', 'WBGT']}
        rows={() =>
          runs
            .toReversed()
            .map((run) => [
              date(run.date, 'short'),
              run.paceAtReferenceS === null ? '–' : text(pace(run.paceAtReferenceS, units)),
              number(run.ef, 2),
              run.decouplingPct !== null
                ? `${signed(run.decouplingPct, 1)}%`
                : run.decouplingReason === null
                  ? '–'
                  : reasonWords([run.decouplingReason]),
              run.wbgtC === null ? '–' : `${text(temperature(run.wbgtC, units))}${isWarm(run) ? ', excluded' : ''}`,
            ])
        }
      />
    </>
  )
}

/** Whether they are of more time than the service computes a trend for. */
function isLong(runs: Efficiency['runs']): boolean {
  return runs[0]!.date < shiftedDay(today(), 1 - WINDOW_DAYS)
}

/** A trend is stated as a slope only when it is supported. */
function trendWords(trend: Efficiency['trend'], units: Units): string {
  if (trend === null)
    return 'A trend needs eight runs at this heart rate over six weeks, and a time range of three months.'
  const { slopeSPerKmPerWeek: slope, interval, n, supported } = trend
  if (!supported) return `No clear change in ${number(n)} runs.`
  const [low = slope, high = slope] = interval.map(Math.abs).toSorted((a, b) => a - b)
  const seconds = (perKm: number) => number((perKm * unitLengthM(units)) / 1000, 1)
  const each = `${seconds(Math.abs(slope))} s/${distanceUnit(units)} per week (95% range ${seconds(low)}–${seconds(high)})`
  return `${slope < 0 ? 'Faster' : 'Slower'} at the same heart rate by ${each}, based on ${number(n)} runs.`
}
