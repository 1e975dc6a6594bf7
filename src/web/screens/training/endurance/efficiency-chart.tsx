import { DayAxis } from '../../../charts/month-names.tsx'
import { Dot, type Frame, Levels, Limit, Line, Plot, PlotTitle, scaleOf } from '../../../charts/plot.tsx'
import { linePath } from '../../../charts/scale.ts'
import { dayNumber } from '../../../days.ts'
import { date, number, pace, signed, text, type Units, unitLengthM } from '../../../format.ts'
import { reasonWords } from '../../../reason-words.ts'
import { Link, navigate } from '../../../router.ts'
import { useUnits } from '../../../state.ts'
import type { Efficiency } from '../../../types.ts'

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
}

/** Pace at one heart rate, and decoupling below it, with a common cursor. */
export function EfficiencyChart({ runs, trend, referenceBpm }: EfficiencyChartProps) {
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
      label={`Pace at ${referenceBpm} bpm and decoupling by run. Arrow keys move between runs, Enter opens one`}
      height={HEIGHT}
      count={runs.length}
      textAt={(place) => runWords(runs[place], units)}
      shareOf={(place) => shareOf(days[place]!)}
      isOpenedByMouse
      onOpen={(place) => navigate(`/app/runs/${runs[place]?.workoutId}`)}
      aside={(place) => <Link href={`/app/runs/${runs[place]?.workoutId}`}>Open the run</Link>}
      of={[runs, trend, units]}
      draw={(frame) => (
        <>
          <PlotTitle y={PACE.top} text={`Pace at ${referenceBpm} bpm`} />
          <Levels at={paceScale.marks} y={paceScale.y} text={(mark) => pace(mark / perUnit, units).value} />
          <PlotTitle y={DECOUPLING.top} text="Decoupling, %" />
          <Levels at={lostScale.marks} y={lostScale.y} text={signedMark} />
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

export function isWarm({ wbgtC }: EfficientRun): boolean {
  return wbgtC !== null && wbgtC > WARM_C
}

function signedMark(mark: number): string {
  return mark === 0 ? '0' : signed(mark)
}

function runWords(run: EfficientRun | undefined, units: Units): string {
  if (run === undefined) return ''
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
