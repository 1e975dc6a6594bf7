import { DAY_MS } from '../../../engine/units.ts'
import {
  counted,
  date,
  distanceName,
  duration,
  number,
  pace,
  runName,
  signedTime,
  text,
  timeDifference,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { BestEfforts, EffortProgress } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Medal, Unconfirmed } from '../../ui/medal.tsx'
import { TERMS } from '../../words.ts'
import { ProgressChart } from './progress-chart.tsx'

/** Ranks with a medal. */
const MEDALS = 3

/** The record of a distance with its progression, the ten fastest efforts, and the fastest of each year. */
export function OneDistance({ best }: { readonly best: BestEfforts['distances'][number] }) {
  const { data, error } = useResource(`/stats/best-efforts/${best.distanceM}/progress`)
  if (data === null) return <Pending error={error} height="560px" />
  return (
    <div class="best-parts">
      <Head best={best} progress={data} />
      <TopTen progress={data} />
      {data.years.length > 1 && <Years progress={data} />}
      {data.records.length > 1 && <Progression progress={data} />}
    </div>
  )
}

interface PartProps {
  readonly progress: EffortProgress
}

function Head({ best, progress }: PartProps & { readonly best: BestEfforts['distances'][number] }) {
  const units = useUnits()
  const { records, runs, distanceM } = progress
  const gainS = records[0]!.timeS - best.timeS
  const facts = [
    [TERMS.pace, text(pace(best.timeMs / distanceM, units))],
    ['Run', <Link href={`/app/runs/${best.workoutId}`}>{date(best.workoutDate)}</Link>],
    ['Efforts', number(runs)],
    ['Since the first', gainS > 0 ? signedTime(-gainS) : null],
  ] as const
  return (
    <Card title={distanceName(best.distance)} class="best-head" aside={best.isUnconfirmed && <Unconfirmed />}>
      <div class="best-sum">
        <p class="best-time">{duration(best.timeS)}</p>
        <Facts of={facts} />
      </div>
      {progress.top.length > 1 ? (
        <ProgressChart progress={progress} />
      ) : (
        <p class="muted">Your progression appears here after a second effort over this distance.</p>
      )}
    </Card>
  )
}

function TopTen({ progress: { top, distanceM } }: PartProps) {
  const units = useUnits()
  const [first] = top
  const rows = top.map(({ rank, name, timeS, timeMs, workoutId, workoutDate, isUnconfirmed }) => [
    rank <= MEDALS ? <Medal place={rank}>{rank}</Medal> : rank,
    <strong>{duration(timeS)}</strong>,
    rank === 1 ? '' : signedTime(timeS - first!.timeS),
    text(pace(timeMs / distanceM, units)),
    <>
      <Link href={`/app/runs/${workoutId}`} aria-label={`Run of ${date(workoutDate)}`}>
        {date(workoutDate)}
      </Link>
      {isUnconfirmed && <Unconfirmed />}
      <span class="best-run cut muted">{runName({ name, startedAt: workoutDate, utcOffsetMinutes: null })}</span>
    </>,
  ])
  return (
    <Card title="Top ten" class="best-top">
      <DataTable class="efforts-table" heads={['Rank', TERMS.time, 'Behind', TERMS.pace, 'Run']} rows={rows} />
    </Card>
  )
}

function Years({ progress: { years } }: PartProps) {
  const rows = years.toReversed().map(({ year, timeS, workoutId, runs }, back) => {
    const before = years.at(-2 - back)
    return [
      <Link href={`/app/runs/${workoutId}`} aria-label={`Run of the best of ${year}`}>
        {year}
      </Link>,
      <strong>{duration(timeS)}</strong>,
      before === undefined ? '' : signedTime(timeS - before.timeS),
      number(runs),
    ]
  })
  return (
    <Card title="By year">
      <DataTable class="efforts-table" heads={['Year', 'Best', 'Change', 'Efforts']} rows={rows} />
    </Card>
  )
}

function Progression({ progress: { records } }: PartProps) {
  const rows = records.toReversed().map(({ timeS, workoutId, workoutDate }, back) => {
    const before = records.at(-2 - back)
    const after = back === 0 ? null : records.at(-back)!
    const untilMs = after === null ? Date.now() : Date.parse(after.workoutDate)
    const days = Math.floor((untilMs - Date.parse(workoutDate)) / DAY_MS)
    return [
      <Link href={`/app/runs/${workoutId}`}>{date(workoutDate)}</Link>,
      <strong>{duration(timeS)}</strong>,
      before === undefined ? 'first' : before.timeS === timeS ? '<1 s' : timeDifference(before.timeS - timeS),
      `${counted(days, 'day')}${after === null ? ' so far' : ''}`,
    ]
  })
  return (
    <Card title="Record progression">
      <DataTable class="efforts-table" heads={['Date', TERMS.time, 'Improvement', 'Stood for']} rows={rows} />
    </Card>
  )
}
