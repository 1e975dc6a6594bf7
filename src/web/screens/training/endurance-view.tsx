import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import {
  DayAxis,
  Dot,
  Ends,
  type Frame,
  Levels,
  Limit,
  Line,
  Plot,
  PlotTitle,
  scaleOf,
  TableView,
} from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import {
  counted,
  date,
  dayNumber,
  distance,
  distanceUnit,
  number,
  pace,
  shiftedDay,
  signed,
  temperature,
  text,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useLoaded, useUnits } from '../../state.ts'
import type { Efficiency } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { reasonWords } from '../../words.ts'
import { offsetQuery, today } from '../stats.ts'
import { SpanCard } from './cards.tsx'
import { IntensityCard } from './intensity-card.tsx'
import { runsOfAllYears, WINDOW_DAYS } from './series.ts'

const SPANS = [
  ['92', '3 months'],
  ['366', '1 year'],
  [String(WINDOW_DAYS - 1), '3 years'],
  ['all', 'All'],
] as const

/** Endurance: pace at one heart rate, decoupling, long runs, and intensity. */
export function EnduranceView() {
  const [span, setSpan] = useState<string>('366')
  const path = `/training/efficiency?${offsetQuery()}` as const
  const since = `${path}&from=${span === 'all' ? '' : shiftedDay(today(), -Number(span))}` as const
  const all = async () => {
    const years = await api.get(`/stats/available-years?${offsetQuery()}`)
    const ask = (from: string, to: string) => api.get(`${path}&from=${from}&to=${to}`)
    return await runsOfAllYears(today(), years.at(-1) ?? new Date().getFullYear(), ask)
  }
  const resource = useLoaded(span === 'all' ? `${path}&all` : since, span === 'all' ? all : () => api.get(since))
  return (
    <>
      <SpanCard title="Efficiency" spans={SPANS} span={span} onSpan={setSpan} resource={resource} height="470px">
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

function EfficiencyBody({ data }: { readonly data: Efficiency }) {
  const units = useUnits()
  const { runs, trend, referenceHeartRateBpm: bpm } = data
  const isLong = runs[0]!.date < shiftedDay(today(), 1 - WINDOW_DAYS)
  return (
    <>
      <p>{isLong ? 'The trend covers three years at most.' : trendWords(trend, units)}</p>
      <EfficiencyChart data={data} />
      <p class="muted small">
        Pace of each run at {bpm} bpm; faster is higher. Hollow dots are warm days, excluded from the trend. Decoupling
        is the drop in distance per heartbeat in the second half of a steady run. Many coaches look for less than 5%
        (dashed line). <Link href="/app/settings#training">Set the heart rate</Link>.
      </p>
      <TableView
        caption="Efficiency by run"
        heads={['Day', `At ${bpm} bpm`, 'Metres per beat', 'Decoupling', 'WBGT']}
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

type EfficientRun = Efficiency['runs'][number]

/** Runs warmer than this are drawn hollow and excluded from the trend; simplified WBGT in °C. */
const WARM_C = 23
/** Friel's limit for coupled; drawn as a line, not as a grade. */
const COUPLED_PCT = 5

const PACE = { top: 22, height: 150 }
const DECOUPLING = { top: 214, height: 100 }
const HEIGHT = 340

/** Pace at one heart rate, and decoupling below it, with a common cursor. */
function EfficiencyChart({ data: { runs, trend, referenceHeartRateBpm: bpm } }: { readonly data: Efficiency }) {
  const units = useUnits()
  const perUnit = unitLengthM(units) / 1000
  const days = runs.map((run) => dayNumber(run.date))
  const [first, last] = [days[0]!, Math.max(days.at(-1)!, days[0]! + 7)]
  const shareOf = (day: number) => (day - first) / (last - first)
  const paces = runs.flatMap(({ paceAtReferenceS: paceS }) => (paceS === null ? [] : [paceS * perUnit]))
  const lost = runs.flatMap(({ decouplingPct }) => decouplingPct ?? [])
  const paceScale = scaleOf(paces.length > 0 ? paces : [300], {
    ...PACE,
    isUpsideDown: true,
    steps: [10, 15, 30, 60, 120, 300],
  })
  const lostScale = scaleOf([0, COUPLED_PCT, ...lost], { ...DECOUPLING, steps: [5, 10, 20, 50] })
  const dotsOf = ({ x }: Frame, index: number, isPointed = false) => {
    const run = runs[index]!
    const { workoutId, paceAtReferenceS: paceS, decouplingPct } = run
    const shared = { x: x(shareOf(days[index]!)), isPointed, isHollow: isWarm(run), title: runWords(run, units) }
    return (
      <g key={workoutId}>
        {paceS !== null && <Dot {...shared} y={paceScale.y(paceS * perUnit)} />}
        {decouplingPct !== null && <Dot {...shared} y={lostScale.y(decouplingPct)} />}
      </g>
    )
  }
  return (
    <Plot
      label={`Pace at ${bpm} bpm and decoupling by run. Arrow keys move between runs, Enter opens one`}
      height={HEIGHT}
      count={runs.length}
      textAt={(place) => runWords(runs[place]!, units)}
      shareOf={(place) => shareOf(days[place]!)}
      isOpenedByMouse
      onOpen={(place) => navigate(`/app/runs/${runs[place]?.workoutId}`)}
      aside={(place) => <Link href={`/app/runs/${runs[place]?.workoutId}`}>Open the run</Link>}
      of={[runs, trend, units]}
      draw={(frame) => (
        <>
          <PlotTitle y={PACE.top} text={`Pace at ${bpm} bpm`} />
          <Levels at={paceScale.marks} y={paceScale.y} text={(mark) => pace(mark / perUnit, units).value} />
          <PlotTitle y={DECOUPLING.top} text="Decoupling, %" />
          <Levels at={lostScale.marks} y={lostScale.y} text={(mark) => (mark === 0 ? '0' : signed(mark))} />
          <Limit y={lostScale.y(COUPLED_PCT)} />
          {trend?.supported === true && (
            <path
              class="line"
              d={linePath(
                trendEnds(runs, trend.slopeSPerKmPerWeek).map(
                  ([day, paceS]) => [frame.x(shareOf(day)), paceScale.y(paceS * perUnit)] as const,
                ),
              )}
            />
          )}
          {runs.map((_, index) => dotsOf(frame, index))}
          <DayAxis from={runs[0]!.date} to={runs.at(-1)!.date} x={(day) => frame.x(shareOf(dayNumber(day)))} />
        </>
      )}
      point={(frame, place) => (
        <>
          {dotsOf(frame, place, true)}
          <Line at={frame.x(shareOf(days[place]!))} />
        </>
      )}
    />
  )
}

function isWarm({ wbgtC }: EfficientRun): boolean {
  return wbgtC !== null && wbgtC > WARM_C
}

function runWords(run: EfficientRun, units: Units): string {
  const { paceAtReferenceS: paceS, decouplingPct, decouplingReason } = run
  const said = [
    paceS === null ? 'too little time at this heart rate' : text(pace(paceS, units)),
    decouplingPct === null
      ? `no decoupling: ${decouplingReason === null ? 'no heart rate' : reasonWords([decouplingReason])}`
      : `decoupling ${signed(decouplingPct, 1)}%`,
    ...(isWarm(run) ? [`warm (WBGT ${number(run.wbgtC)}\u00a0°C), excluded from the trend`] : []),
  ]
  return `${date(run.date, 'long')}: ${said.join(' · ')}`
}

/** The ends of a line with this slope and as many runs above as below. */
function trendEnds(runs: readonly EfficientRun[], slopePerWeek: number): (readonly [day: number, paceS: number])[] {
  const counted = runs.flatMap((run) =>
    run.paceAtReferenceS === null || isWarm(run) ? [] : [[dayNumber(run.date), run.paceAtReferenceS] as const],
  )
  const heights = counted.map(([day, paceS]) => paceS - (slopePerWeek * day) / 7).toSorted((a, b) => a - b)
  const middle = (heights.length - 1) / 2
  const height = (heights[Math.floor(middle)]! + heights[Math.ceil(middle)]!) / 2
  return [counted[0]!, counted.at(-1)!].map(([day]) => [day, height + (slopePerWeek * day) / 7] as const)
}

const SHOWN = 6
const CURVE_HEIGHT = 220
const CURVES = { top: 16, height: 170 }
/** Ratio from which on durability is lost. */
const ONSET = 1.025

type Curve = Awaited<ReturnType<typeof loadCurves>>[number]

/** Heart rate over speed along the last long runs, as overlaid curves. */
function DurabilityCard({ runs }: { readonly runs: readonly EfficientRun[] }) {
  const long = runs.filter(({ durability }) => durability !== null).slice(-SHOWN)
  const key = long.length === 0 ? null : `/training/efficiency/${long.map(({ workoutId }) => workoutId).join()}`
  const curves = useLoaded(key, () => loadCurves(long))
  return (
    <Card
      title="Durability"
      aside={
        <Help about="durability">
          Heartbeats per metre of each 5 km, compared with kilometres 5–10. A flat curve means the end of the run cost
          no more than its start. The loss begins where it is above 2.5% twice in a row. Heat and a fast start raise it
          too.
        </Help>
      }
    >
      {long.length === 0 ? (
        <p>Durability needs runs of 20 km or more with heart rate throughout. There are none in this period.</p>
      ) : (
        <Loaded of={curves} height="260px">
          {(data) => <Curves curves={data} />}
        </Loaded>
      )}
    </Card>
  )
}

async function loadCurves(runs: readonly EfficientRun[]) {
  const loaded = runs.map(async ({ workoutId, date: day }) => {
    const { durability } = await api.get(`/workouts/${workoutId}/training`)
    if (durability === null) return []
    const ratios = durability.ratios.map(([km = 0, ratio = 1]) => [km, ratio] as const)
    return [{ ...durability, ratios, workoutId, date: day }]
  })
  return (await Promise.all(loaded)).flat()
}

function Curves({ curves }: { readonly curves: readonly Curve[] }) {
  const units = useUnits()
  const kms = [...new Set(curves.flatMap(({ ratios }) => ratios.map(([km]) => km)))].toSorted((a, b) => a - b)
  const [from, to] = [kms[0]!, Math.max(kms.at(-1)!, kms[0]! + 1)]
  const all = curves.flatMap(({ ratios }) => ratios.map(([, ratio]) => ratio))
  const { y, marks } = scaleOf([0.98, 1.06, ...all], { ...CURVES, steps: [0.02, 0.05, 0.1] })
  const shareOf = (km: number) => (km - from) / (to - from)
  // whole kilometres, which are not whole miles
  const far = (km: number) => {
    const { value, unit } = distance(1000 * km, units, units === 'metric' ? 0 : 1)
    return `${value} ${unit}`
  }
  const textAt = (place: number) => {
    const km = kms[place]!
    const said = curves.flatMap((curve, index) => {
      const ratio = curve.ratios.find(([at]) => at === km)?.[1]
      return ratio === undefined ? [] : [`${LETTERS[index]} ${signed(100 * (ratio - 1), 1)}%`]
    })
    return `Heartbeats from ${far(km)}: ${said.join(' · ')}`
  }
  return (
    <Plot
      label="Heartbeats per metre by distance. Arrow keys move between kilometres"
      height={CURVE_HEIGHT}
      count={kms.length}
      textAt={textAt}
      shareOf={(place) => shareOf(kms[place]!)}
      of={[curves, units]}
      draw={({ x }) => {
        const pixelsOf = ([km, ratio]: Curve['ratios'][number]) => [x(shareOf(km)), y(ratio)] as const
        const letters = letterPlaces(curves.map(({ ratios }) => pixelsOf(ratios.at(-1)!)))
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => `${mark === 1 ? '0' : signed(100 * (mark - 1))}%`} base={1} />
            <Limit y={y(ONSET)} />
            {curves.map(({ workoutId, ratios }, index) => (
              <g key={workoutId}>
                <path
                  class="line"
                  style={index < curves.length - 1 ? EARLIER : LATEST}
                  d={linePath(ratios.map(pixelsOf))}
                />
                <text class="tick strong" x={letters[index]![0]} y={letters[index]![1]} text-anchor="end">
                  {LETTERS[index]}
                </text>
              </g>
            ))}
            <Ends from={`from ${far(from)}`} to={`from ${far(to)}`} />
          </>
        )
      }}
    >
      <ul class="small tiles gap-2 above-3 below-3">
        {curves.map(({ workoutId, date: day, last, onsetKm }, index) => (
          <li key={workoutId}>
            <strong>{LETTERS[index]}</strong> <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link>:{' '}
            {onsetKm === null ? 'no visible loss' : `loss from ${far(onsetKm)}, ${lossWord(last)} at the end`}
          </li>
        ))}
      </ul>
      <p class="muted small">
        {counted(curves.length, 'long run')}, the latest drawn boldest. Dashed: where loss becomes visible.
      </p>
    </Plot>
  )
}

const LATEST = { strokeWidth: 3 }
const EARLIER = { stroke: 'var(--muted)', strokeWidth: 1.5, opacity: 0.75 }
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const

/** Room of a letter, pixels. */
const LETTER_PX = 10

/** Letters above the ends of curves; one that would cover an earlier one goes above it. */
function letterPlaces(ends: readonly (readonly [x: number, y: number])[]): (readonly [x: number, y: number])[] {
  const places: (readonly [x: number, y: number])[] = []
  for (const [endX, endY] of ends) {
    const x = endX - 4
    let y = endY - 6
    while (places.some(([otherX, otherY]) => Math.abs(otherX - x) < LETTER_PX && Math.abs(otherY - y) < LETTER_PX)) {
      y -= LETTER_PX
    }
    places.push([x, y])
  }
  return places
}

/** Categories of Smyth 2022, from 82,303 marathons. */
function lossWord(last: number): string {
  if (last <= ONSET) return 'gone'
  return last < 1.1 ? 'low' : last < 1.2 ? 'moderate' : 'high'
}
