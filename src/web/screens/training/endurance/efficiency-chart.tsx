import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { linePath } from '../../../charts/scale.ts'
import { dayNumber } from '../../../days.ts'
import { date, number, pace, signed, text, type Units, unitLengthM } from '../../../format.ts'
import { Link, navigate } from '../../../router.ts'
import type { Efficiency } from '../../../types.ts'
import { DayAxis } from '../month-names.tsx'
import { Dot, LEFT, Level, Plot, PlotTitle, RIGHT, scaleOf } from '../plot.tsx'

export type EfficientRun = Efficiency['runs'][number]

/** Runs warmer than this are drawn hollow and excluded from the trend; simplified WBGT in °C. */
const WARM_C = 23
/** Friel's limit for coupled; drawn as a line, not as a grade. */
const COUPLED_PCT = 5

const PACE = { top: 22, height: 150 }
const DECOUPLING = { top: 214, height: 100 }
const HEIGHT = 340

interface EfficiencyChartProps {
  readonly runs: readonly EfficientRun[]
  readonly trend: Efficiency['trend']
  readonly referenceBpm: number
  readonly units: Units
}

/** Pace at one heart rate, and decoupling below it, with a common cursor. */
export function EfficiencyChart({ runs, trend, referenceBpm, units }: EfficiencyChartProps) {
  const perUnit = unitLengthM(units) / 1000
  const days = runs.map((run) => dayNumber(run.date))
  const [first, last] = [days[0]!, Math.max(days.at(-1)!, days[0]! + 7)]
  const xOf = (day: number, width: number) => LEFT + ((day - first) / (last - first)) * (width - LEFT - RIGHT)
  const paces = runs.flatMap(({ paceAtReferenceS: paceS }) => (paceS === null ? [] : [paceS * perUnit]))
  const lost = runs.flatMap(({ decouplingPct }) => decouplingPct ?? [])
  const paceScale = scaleOf(paces.length > 0 ? paces : [300], {
    ...PACE,
    isUpsideDown: true,
    steps: [10, 15, 30, 60, 120, 300],
  })
  const lostScale = scaleOf([0, COUPLED_PCT, ...lost], { ...DECOUPLING, steps: [5, 10, 20, 50] })
  const placeAt = (x: number, width: number) => {
    let best = 0
    for (const [index, day] of days.entries()) {
      if (Math.abs(xOf(day, width) - x) <= Math.abs(xOf(days[best]!, width) - x)) best = index
    }
    return best
  }
  const dotsOf = (index: number, width: number, isPointed = false) => {
    const run = runs[index]!
    const { workoutId, paceAtReferenceS: paceS, decouplingPct } = run
    const shared = { x: xOf(days[index]!, width), isPointed, isHollow: isWarm(run), title: tellRun(run, units) }
    return (
      <g key={workoutId}>
        {paceS !== null && <Dot {...shared} y={paceScale.y(paceS * perUnit)} />}
        {decouplingPct !== null && <Dot {...shared} y={lostScale.y(decouplingPct)} />}
      </g>
    )
  }
  const isAt = (place: number | null): place is number => place !== null && place < runs.length
  // thousands of dots are not compared again at every move of the pointer
  const dots = useMemo(
    () => onceByWidth((width) => <g>{runs.map((_, index) => dotsOf(index, width))}</g>),
    [runs, units],
  )
  return (
    <Plot
      label={`Pace at ${referenceBpm} bpm and decoupling by run. Arrow keys go through the runs, Enter opens one`}
      height={HEIGHT}
      count={runs.length}
      tell={(place) => tellRun(runs[place], units)}
      placeAt={placeAt}
      onOpen={(place) => navigate(`/app/runs/${runs[place]?.workoutId}`)}
      aside={(place) => <Link href={`/app/runs/${runs[place]?.workoutId}`}>Open the run</Link>}
      draw={(width, place) => (
        <>
          <PlotTitle y={PACE.top} text={`Pace at ${referenceBpm} bpm`} />
          {paceScale.marks.map((mark) => (
            <Level key={mark} y={paceScale.y(mark)} width={width} text={pace(mark / perUnit, units).value} />
          ))}
          <PlotTitle y={DECOUPLING.top} text="Decoupling, per cent" />
          {lostScale.marks.map((mark) => (
            <Level key={mark} y={lostScale.y(mark)} width={width} text={signedMark(mark)} isBase={mark === 0} />
          ))}
          <line
            class="band-average"
            x1={LEFT}
            x2={width - RIGHT}
            y1={lostScale.y(COUPLED_PCT)}
            y2={lostScale.y(COUPLED_PCT)}
          />
          {trend?.supported === true && (
            <path
              class="line"
              d={linePath(
                trendEnds(runs, trend.slopeSPerKmPerWeek).map(
                  ([day, paceS]) => [xOf(day, width), paceScale.y(paceS * perUnit)] as const,
                ),
              )}
            />
          )}
          {dots(width)}
          {isAt(place) && dotsOf(place, width, true)}
          {isAt(place) && (
            <line
              class="pointer"
              x1={xOf(days[place]!, width)}
              x2={xOf(days[place]!, width)}
              y1={12}
              y2={HEIGHT - 22}
            />
          )}
          <DayAxis
            from={runs[0]!.date}
            to={runs.at(-1)!.date}
            x={(day) => xOf(dayNumber(day), width)}
            left={LEFT}
            right={RIGHT}
            width={width}
            y={HEIGHT - 4}
          />
        </>
      )}
    />
  )
}

/** Draws again only when the width is another one. */
function onceByWidth(draw: (width: number) => VNode): (width: number) => VNode {
  let last: { readonly width: number; readonly drawn: VNode } | null = null
  return (width) => {
    if (last?.width !== width) last = { width, drawn: draw(width) }
    return last.drawn
  }
}

export function isWarm({ wbgtC }: EfficientRun): boolean {
  return wbgtC !== null && wbgtC > WARM_C
}

function signedMark(mark: number): string {
  return mark === 0 ? '0' : signed(mark)
}

/** Texts for the reasons why a run has no decoupling. */
export const NO_DECOUPLING = {
  tooShort: 'too short',
  heartRateGaps: 'heart rate has gaps',
  notSteady: 'not run evenly',
  noDistance: 'no distance',
} as const

function tellRun(run: EfficientRun | undefined, units: Units): string {
  if (run === undefined) return ''
  const { paceAtReferenceS: paceS, decouplingPct, decouplingReason } = run
  const said = [
    paceS === null ? 'too little of it at this heart rate' : text(pace(paceS, units)),
    decouplingPct === null
      ? `no decoupling: ${decouplingReason === null ? 'no heart rate' : NO_DECOUPLING[decouplingReason]}`
      : `decoupling ${signed(decouplingPct, 1)}\u00a0%`,
    ...(isWarm(run) ? [`warm (WBGT ${number(run.wbgtC)}\u00a0°C), left out of the trend`] : []),
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
