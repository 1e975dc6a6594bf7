import { DAY_MS } from '../../engine/units.ts'
import { DayAxis, Levels, Plot, scaleOf } from '../charts/plot.tsx'
import { linePath, slowestShown } from '../charts/scale.ts'
import {
  counted,
  date,
  dayNumber,
  distanceName,
  duration,
  localDay,
  number,
  pace,
  runName,
  signedTime,
  text,
  timeDifference,
} from '../format.ts'
import { Link, navigate, useRoute } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { BestEfforts, EffortProgress } from '../types.ts'
import { Card, DataTable, Facts, Medal, Unconfirmed } from '../ui/card.tsx'
import { Empty, Loaded, Pending } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { today } from './stats.ts'
import './later.css'

/** Shown first, since most runners have run it. */
const USUAL_M = 5000

/** The fastest time of each distance, and all about one of them. */
export function Bests() {
  const { query } = useRoute()
  const { data, error } = useResource('/stats/best-efforts')
  const bests = data?.distances ?? []
  const of = (metres: number) => bests.find(({ distanceM }) => distanceM === metres)
  const chosen = of(Number(query.get('distance'))) ?? of(USUAL_M) ?? bests.at(-1)
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Personal bests</h1>
      </div>
      {data === null ? (
        <Pending error={error} height="560px" />
      ) : chosen === undefined ? (
        <div class="card">
          <Empty icon="trophy" title="No personal bests yet">
            They appear here after a recorded run of 400 m or more.
          </Empty>
        </div>
      ) : (
        <div class="bests form top">
          <Distances bests={bests} chosen={chosen} />
          <OneDistance key={chosen.distanceM} best={chosen} />
        </div>
      )}
    </div>
  )
}

type Best = BestEfforts['distances'][number]

function Distances({ bests, chosen }: { readonly bests: readonly Best[]; readonly chosen: Best }) {
  const units = useUnits()
  return (
    <nav class="best-distances stack gap-2" aria-label="Distances">
      {bests.map((best) => (
        <Link
          key={best.distanceM}
          href={`/app/bests?distance=${best.distanceM}`}
          isReplacing
          class="best-distance stack"
          {...(best === chosen ? { 'aria-current': 'true' as const } : {})}
        >
          <span class="best-name muted tiny">{distanceName(best.distance)}</span>{' '}
          <strong>{duration(best.timeS)}</strong>{' '}
          <span class="wide-only block whole tiny muted">
            {text(pace(best.timeMs / best.distanceM, units))} · {dayOf(best, 'shortMonthYear')}
          </span>
        </Link>
      ))}
    </nav>
  )
}

type Dated = Pick<Best, 'workoutDate' | 'utcOffsetMinutes'>

/** The day of a run where it was run. */
function dayOf({ workoutDate, utcOffsetMinutes }: Dated, style: 'short' | 'shortMonthYear' = 'short'): string {
  return date(workoutDate, style, utcOffsetMinutes)
}

/** The record of a distance with its progression, the ten fastest efforts, and the fastest of each year. */
function OneDistance({ best }: { readonly best: Best }) {
  return (
    <Loaded of={useResource(`/stats/best-efforts/${best.distanceM}/progress`)} height="560px">
      {(progress) => (
        <div class="best-parts form top">
          <Head best={best} progress={progress} />
          <TopTen progress={progress} />
          {progress.years.length > 1 && <Years progress={progress} />}
          {progress.records.length > 1 && <Progression progress={progress} />}
        </div>
      )}
    </Loaded>
  )
}

interface PartProps {
  readonly progress: EffortProgress
}

function Head({ best, progress }: PartProps & { readonly best: Best }) {
  const units = useUnits()
  const { records, runs, distanceM } = progress
  const gainS = records[0]!.timeS - best.timeS
  const facts = [
    [TERMS.pace, text(pace(best.timeMs / distanceM, units))],
    ['Run', <Link href={`/app/runs/${best.workoutId}`}>{dayOf(best)}</Link>],
    ['Efforts', number(runs)],
    ['Since the first', gainS > 0 ? signedTime(-gainS) : null],
  ] as const
  return (
    <Card
      title={distanceName(best.distance)}
      class="best-head"
      aside={
        <>
          {best.isRaceResult && <RaceResult />}
          {best.isUnconfirmed && <Unconfirmed />}
        </>
      }
    >
      <div class="best-sum flow spread gap-4 below-4">
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

/** The time of a race over its official distance. */
function RaceResult() {
  return (
    <span class="badge" title="The time of the race over its official distance">
      Race result
    </span>
  )
}

function TopTen({ progress: { top, distanceM } }: PartProps) {
  const units = useUnits()
  const [first] = top
  const rows = top.map(({ rank, name, timeS, timeMs, isUnconfirmed, isRaceResult, ...effort }) => [
    rank <= 3 ? <Medal place={rank}>{rank}</Medal> : rank,
    <strong>{duration(timeS)}</strong>,
    rank === 1 ? '' : signedTime(timeS - first!.timeS),
    text(pace(timeMs / distanceM, units)),
    <>
      <Link href={`/app/runs/${effort.workoutId}`} aria-label={`Run of ${dayOf(effort)}`}>
        {dayOf(effort)}
      </Link>
      {isRaceResult && <RaceResult />}
      {isUnconfirmed && <Unconfirmed />}
      <span class="best-run block push cut muted">
        {runName({ name, startedAt: effort.workoutDate, utcOffsetMinutes: effort.utcOffsetMinutes })}
      </span>
    </>,
  ])
  return (
    <Card title="Top ten" class="best-top">
      <DataTable
        class="data-table efforts-table"
        heads={['Rank', TERMS.time, 'Behind', TERMS.pace, 'Run']}
        rows={rows}
      />
    </Card>
  )
}

function Years({ progress: { years } }: PartProps) {
  const rows = years.map(({ year, timeS, workoutId, runs }, place) => [
    <Link href={`/app/runs/${workoutId}`} aria-label={`Run of the best of ${year}`}>
      {year}
    </Link>,
    <strong>{duration(timeS)}</strong>,
    place === 0 ? '' : signedTime(timeS - years[place - 1]!.timeS),
    number(runs),
  ])
  return (
    <Card title="By year">
      <DataTable
        class="data-table efforts-table"
        heads={['Year', 'Best', 'Change', 'Efforts']}
        rows={rows.toReversed()}
      />
    </Card>
  )
}

function Progression({ progress: { records } }: PartProps) {
  const rows = records.map((effort, place) => {
    const [before, after] = [records[place - 1], records[place + 1]]
    const gainS = (before?.timeS ?? 0) - effort.timeS
    const untilMs = after === undefined ? Date.now() : Date.parse(after.workoutDate)
    const days = Math.floor((untilMs - Date.parse(effort.workoutDate)) / DAY_MS)
    return [
      <Link href={`/app/runs/${effort.workoutId}`}>{dayOf(effort)}</Link>,
      <strong>{duration(effort.timeS)}</strong>,
      before === undefined ? 'first' : gainS === 0 ? '<1 s' : timeDifference(gainS),
      `${counted(days, 'day')}${after === undefined ? ' so far' : ''}`,
    ]
  })
  const heads = ['Date', TERMS.time, 'Improvement', 'Stood for']
  return (
    <Card title="Record progression">
      <DataTable class="data-table efforts-table" heads={heads} rows={rows.toReversed()} />
    </Card>
  )
}

const HEIGHT = 260
const [TOP, BOTTOM] = [14, 30]
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600]

/** The record as steps; its efforts, those of the top ten and the fastest of each year as dots. */
function ProgressChart({ progress: { records, years, top } }: { readonly progress: EffortProgress }) {
  const isRecord = (id: string) => records.some(({ workoutId }) => workoutId === id)
  const byRun = new Map([...records, ...years, ...top].map((effort) => [effort.workoutId, effort]))
  const all = [...byRun.values()].toSorted((a, b) => a.workoutDate.localeCompare(b.workoutDate))
  const last = records.at(-1)!
  const localDayOf = ({ workoutDate, utcOffsetMinutes }: Dated) => localDay(workoutDate, utcOffsetMinutes)
  const from = localDayOf(all[0]!)
  const days = Math.max(1, dayNumber(today()) - dayNumber(from))
  const shareOf = (day: string) => (dayNumber(day) - dayNumber(from)) / days
  const shareAt = (place: number) => shareOf(localDayOf(all[place]!))
  const most = slowestShown(all.map(({ timeS }) => timeS))
  const floor = HEIGHT - BOTTOM
  const { y: place, marks } = scaleOf(
    all.map(({ timeS }) => Math.min(timeS, most)),
    // faster is higher
    { top: TOP, height: HEIGHT - TOP - BOTTOM, isUpsideDown: true, steps: STEPS_S },
  )
  // an outlier stands at the bottom, and its caption says what it is
  const y = (seconds: number) => (seconds > most ? floor : place(seconds))
  return (
    <Plot
      class="best-chart"
      label="Record progression and fastest runs. Arrow keys go through them, Enter opens one"
      height={HEIGHT}
      left={58}
      right={14}
      count={all.length}
      textAt={(place) => {
        const effort = all[place]!
        return `${dayOf(effort)}: ${duration(effort.timeS)}${isRecord(effort.workoutId) ? ', a record' : ''}`
      }}
      start={all.findIndex(({ workoutId }) => workoutId === last.workoutId)}
      shareOf={shareAt}
      onOpen={(place) => navigate(`/app/runs/${all[place]!.workoutId}`)}
      isOpenedByMouse
      aside={(place) => <Link href={`/app/runs/${all[place]!.workoutId}`}>Open run</Link>}
      of={[records, years, top]}
      draw={({ x }) => {
        const steps = records.flatMap((effort, i) => {
          const at = x(shareOf(localDayOf(effort)))
          const before = records.slice(Math.max(0, i - 1), i)
          return [...before, effort].map(({ timeS }) => timeS).map((seconds) => [at, y(seconds)] as const)
        })
        const line = [...steps, [x(1), y(last.timeS)] as const]
        return (
          <>
            <Levels at={marks} y={y} text={duration} />
            <path class="area" d={linePath([[x(0), floor], ...line, [x(1), floor]])} />
            <path class="line" d={linePath(line)} />
            {all.map(({ workoutId, timeS }, place) => (
              <circle
                key={workoutId}
                class={isRecord(workoutId) ? 'dot' : 'best-dot'}
                cx={x(shareAt(place))}
                cy={y(timeS)}
                r={workoutId === last.workoutId ? 6 : isRecord(workoutId) ? 4.5 : 3.5}
              />
            ))}
            <DayAxis from={from} to={today()} x={(day) => x(shareOf(day))} />
          </>
        )
      }}
    />
  )
}
