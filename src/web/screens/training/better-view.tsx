import { useState } from 'preact/hooks'
import { dayNumber, shiftedDay } from '../../days.ts'
import { counted, number } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { AtOnePulse } from '../../types.ts'
import { Help } from '../../ui/help.tsx'
import { offsetQuery } from '../stats.ts'
import { changeWords, checkWords } from './better/better-words.ts'
import { FitnessChart } from './better/fitness-chart.tsx'
import { HeatCard } from './better/heat-card.tsx'
import { MarksCard } from './better/marks-card.tsx'
import { RunCard } from './better/run-card.tsx'
import { AboutEstimate } from './estimate.tsx'
import { SpanCard } from './span-card.tsx'
import './better/better.css'

const SPANS = [
  ['year', '1 year'],
  ['all', '5 years'],
] as const
const YEAR_DAYS = 365

/** Whether the runner is getting better: fitness at one heart rate, what heat costs, and what sensors change. */
export function BetterView() {
  const [span, setSpan] = useState<'year' | 'all'>('year')
  const [runId, setRun] = useState<string | null>(null)
  const resource = useResource(`/truth/fitness?${offsetQuery()}`)
  return (
    <>
      <SpanCard
        title="Better?"
        legend="Time range"
        spans={SPANS}
        span={span}
        onSpan={setSpan}
        resource={resource}
        height="420px"
      >
        {(data) => <Body data={data} isAll={span === 'all'} onRun={setRun} />}
      </SpanCard>
      {runId !== null && (
        <RunCard id={runId} bpm={resource.data?.referenceHeartRateBpm ?? null} onClose={() => setRun(null)} />
      )}
      <HeatCard />
      {resource.data !== null && <MarksCard marks={resource.data.marks} />}
    </>
  )
}

interface BodyProps {
  readonly data: AtOnePulse
  readonly isAll: boolean
  readonly onRun: (id: string) => void
}

function Body({ data, isAll, onRun }: BodyProps) {
  const { change, runs, weeks, day } = data
  const since = shiftedDay(day, -YEAR_DAYS)
  const shown = isAll ? weeks : weeks.filter(({ weekStart }) => dayNumber(weekStart) >= dayNumber(since))
  return (
    <>
      <p class="better-lead">
        {changeWords(data)}{' '}
        <Help about="fitness at one heart rate">
          How fast you run at the same heart rate, averaged over 28 days. It’s adjusted for heat, wind, hills, length,
          time of day, place and tiredness by what your own runs show of them. 1 change in 5 is outside its range.
          Changes are understated by about a tenth.
        </Help>
      </p>
      {change.reasons.includes('poorFit') && <AboutEstimate of={{ ...change, reasons: [] }} />}
      <p>{checkWords(data.selfCheck)}</p>
      {shown.length > 0 && (
        <>
          <FitnessChart weeks={shown} points={data.points} onRun={onRun} />
          <p class="muted small">
            Speed at {number(data.referenceHeartRateBpm)} bpm against today, by week, with its 80% range. Dots are runs
            of the last year adjusted for conditions, hollow ones for heart rate only. Based on{' '}
            {counted(runs.used, 'steady run')}: {number(runs.window)} in the last 28 days, {number(runs.before)} in the
            28 days it is compared with.
          </p>
        </>
      )}
    </>
  )
}
