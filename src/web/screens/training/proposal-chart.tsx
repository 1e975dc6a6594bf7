import type { ComponentChildren } from 'preact'
import { Ends, Level, Plot } from '../../charts/plot.tsx'
import type { Steps } from '../../charts/use-place.ts'
import { date, distanceName, duration, number, pace, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { smoothedPaces } from '../../run/charts/smooth.ts'
import type { Samples, TrainingWindows } from '../../run/types.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Predictions, Proposals } from '../../types.ts'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'

type Kind = Proposals[number]['kind']

interface ProposalChartProps {
  readonly kind: Kind
  readonly workoutId: string
  readonly day: string
  /** Caption when the stretch cannot be found in the samples. */
  readonly words: string
}

/** The stretch of a run that a value comes from. */
interface Marked {
  readonly fromS: number
  readonly toS: number
  /** Start of the part that the mean is taken over. */
  readonly testFromS: number
  readonly words: string
}

/** Most samples requested; enough for a small chart. */
const POINTS = 600
const SMOOTHING_S = 30
const STEPS: Steps = { ArrowLeft: -6, ArrowDown: -6, ArrowRight: 6, ArrowUp: 6, PageDown: -60, PageUp: 60 }
const HEIGHT = 104
const [TOP, BOTTOM] = [10, 84]
/** Least width of the marked stretch; 15 s of an hour would be invisible otherwise. */
const LEAST_PX = 3
const NARROW_PX = 12
/** Least range of the vertical axis, so that a steady run looks steady: beats per minute, and a share of the speed. */
const LEAST_SPANS = { bpm: 30, speed: 0.2 } as const

/** A chart of the run that a proposal is based on, with the stretch that its value comes from marked. */
export function ProposalChart({ kind, workoutId, day, words }: ProposalChartProps) {
  const units = useUnits()
  const isPace = kind === 'thresholdPace'
  const samples = useResource(`/workouts/${workoutId}/samples?maxPoints=${POINTS}`)
  const windows = useResource(isPace ? null : `/workouts/${workoutId}/training/windows`)
  const predictions = useResource(isPace ? `/training/predictions?${offsetQuery()}` : null)
  const efforts = predictions.data?.efforts.filter((effort) => effort.workoutId === workoutId) ?? []
  const isWaiting = samples.isLoading || windows.isLoading || predictions.isLoading
  if (isWaiting) return <Skeleton height="140px" />
  const marked = samples.data && (isPace ? effortOf(samples.data, efforts) : heartRateWindow(kind, windows.data))
  const line = samples.data && (isPace ? speedsOf(samples.data) : samples.data.heartRateBpm)
  const elapsedS = samples.data?.elapsedS ?? null
  const caption = (
    <>
      <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link> {marked?.words ?? words}
    </>
  )
  if (marked === null || line === null || elapsedS === null) return <p class="small">{caption}</p>
  return (
    <RunLine
      elapsedS={elapsedS}
      line={line}
      marked={marked}
      leastSpan={(high) => (isPace ? LEAST_SPANS.speed * high : LEAST_SPANS.bpm)}
      words={(value) => valueText(value, isPace, units)}
      caption={caption}
    />
  )
}

function heartRateWindow(kind: Kind, windows: TrainingWindows | null): Marked | null {
  if (windows === null) return null
  const { peakHeartRate: peak, fastestHalfHour: half, hourRace: race } = windows
  if (kind === 'maxHeartRate') {
    if (peak === null) return null
    const { fromElapsedS: fromS, toElapsedS: toS, bpm } = peak
    return { fromS, toS, testFromS: fromS, words: `${number(bpm)} bpm for 15 s, from ${duration(fromS)}` }
  }
  if (race !== null) {
    const { fromElapsedS: fromS, toElapsedS: toS, bpm } = race
    return { fromS, toS, testFromS: fromS, words: `${number(bpm)} bpm from minute 10 of a race of about an hour` }
  }
  if (half === null || half.bpm === null) return null
  const { fromElapsedS: fromS, toElapsedS: toS, testFromElapsedS: testFromS, bpm } = half
  return { fromS, toS, testFromS, words: `${number(bpm)} bpm in the last 20 min of your fastest 30 min` }
}

/** The effort with the highest VDOT of the run. */
function effortOf({ bestEfforts }: Samples, efforts: Predictions['efforts']): Marked | null {
  const [best] = efforts.toSorted((a, b) => b.vdot - a.vdot)
  const effort = bestEfforts.find(({ distance }) => distance === best?.distance)
  if (effort === undefined) return null
  const { startS: fromS, endS: toS, distance, timeS } = effort
  return { fromS, toS, testFromS: fromS, words: `${distanceName(distance)} in ${duration(timeS)}` }
}

/** Smoothed speeds, m/s: unlike paces, faster is higher. */
function speedsOf({ elapsedS, paceS }: Samples): (number | null)[] | null {
  if (elapsedS === null || paceS === null) return null
  const numbers = (values: readonly (number | null)[]) => Float64Array.from(values, (value) => value ?? Number.NaN)
  const smooth = smoothedPaces(numbers(elapsedS), numbers(paceS), SMOOTHING_S)
  return Array.from(smooth, (value) => (value > 0 ? 1000 / value : null))
}

function valueText(value: number | null, isPace: boolean, units: Units): string {
  return isPace ? pace(value === null ? null : 1000 / value, units).value : number(value)
}

interface RunLineProps {
  readonly elapsedS: readonly (number | null)[]
  readonly line: readonly (number | null)[]
  readonly marked: Marked
  readonly words: (value: number | null) => string
  readonly caption: ComponentChildren
  /** Least range of the axis, given its upper end. */
  readonly leastSpan: (high: number) => number
}

function RunLine({ elapsedS, line, marked, words, leastSpan, caption }: RunLineProps) {
  const known = line.filter((value) => value !== null)
  const lastS = elapsedS.at(-1) ?? 0
  if (known.length === 0 || lastS <= 0) return null
  // the lowest 2 % are ignored for the scale, so that stops do not flatten the line
  const sorted = known.toSorted((a, b) => a - b)
  const high = sorted.at(-1)!
  const low = Math.min(sorted[Math.floor(sorted.length * 0.02)]!, high - leastSpan(high))
  const y = (value: number) => BOTTOM - ((Math.max(low, value) - low) / Math.max(1e-9, high - low)) * (BOTTOM - TOP)
  const textAt = (place: number) => `${duration(elapsedS[place]!)}: ${words(line[place] ?? null)}`
  return (
    <Plot
      class="proposal-run"
      label={`The run around the value. Arrow keys go through it`}
      height={HEIGHT}
      count={line.length}
      steps={STEPS}
      textAt={textAt}
      shareOf={(place) => (elapsedS[place] ?? 0) / lastS}
      caption={(place) => <span class="small">{place === null ? caption : textAt(place)}</span>}
      isDense
      of={[elapsedS, line, marked]}
      draw={({ x: xOf }) => {
        const x = (atS: number) => xOf(atS / lastS)
        const shade = (fromS: number, toS: number) => {
          const wide = Math.max(LEAST_PX, x(toS) - x(fromS))
          const name = wide < NARROW_PX ? 'proposal-window narrow' : 'proposal-window'
          return <rect class={name} x={x(fromS)} width={wide} y={TOP - 6} height={BOTTOM - TOP + 6} />
        }
        return (
          <>
            {[low, high].map((value) => (
              <Level key={value} y={y(value)} text={words(value)} />
            ))}
            {shade(marked.fromS, marked.toS)}
            {marked.testFromS > marked.fromS && shade(marked.testFromS, marked.toS)}
            <path class="line" d={brokenPath(elapsedS, line, { x, y })} />
            <Ends from="0:00" to={duration(lastS)} />
          </>
        )
      }}
    />
  )
}

/** An SVG path with breaks at gaps. */
function brokenPath(
  elapsedS: RunLineProps['elapsedS'],
  line: RunLineProps['line'],
  { x, y }: Readonly<Record<'x' | 'y', (value: number) => number>>,
): string {
  let isOpen = false
  const pieces = line.map((value, row) => {
    const atS = elapsedS[row] ?? null
    const isKnown = value !== null && atS !== null
    const step = isKnown ? `${isOpen ? 'L' : 'M'}${x(atS).toFixed(1)} ${y(value).toFixed(1)}` : ''
    isOpen = isKnown
    return step
  })
  return pieces.join('')
}
