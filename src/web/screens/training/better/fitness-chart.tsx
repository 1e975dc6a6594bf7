import { DayAxis } from '../../../charts/month-names.tsx'
import { Dot, Levels, Plot, scaleOf } from '../../../charts/plot.tsx'
import { bandPath, linePath } from '../../../charts/scale.ts'
import { dayNumber, shiftedDay } from '../../../days.ts'
import { date, range, signed } from '../../../format.ts'
import type { AtOnePulse } from '../../../types.ts'

const HEIGHT = 260
const TOP = 12
const BOTTOM = 26

type Week = AtOnePulse['weeks'][number]

interface FitnessChartProps {
  readonly weeks: readonly Week[]
  readonly points: AtOnePulse['points']
  /** Called for a run whose parts are asked for. */
  readonly onRun: (id: string) => void
}

/** Fitness at the end of each week with its band, and the runs: corrected, and hollow as they were run. */
export function FitnessChart({ weeks, points, onRun }: FitnessChartProps) {
  const start = dayNumber(weeks[0]!.weekStart)
  const end = dayNumber(weeks.at(-1)!.weekStart) + 7
  const inSight = points.filter((point) => dayNumber(point.date) >= start)
  const values = [...weeks.flatMap(({ low, high }) => [low, high]), ...inSight.map(({ corrected }) => corrected)]
  const { y, marks } = scaleOf(values, { top: TOP, height: HEIGHT - TOP - BOTTOM, steps: [1, 2, 5, 10] })
  const isWithin = (value: number) => value >= marks[0]! && value <= marks.at(-1)!
  const shareOf = (day: string, days = 0) => (dayNumber(day) + days - start) / (end - start)
  return (
    <Plot
      label="Fitness at one heart rate. Arrow keys move between runs, Enter shows the breakdown of a run"
      height={HEIGHT}
      count={inSight.length}
      textAt={(place) => runWords(inSight[place], weeks)}
      shareOf={(place) => shareOf(inSight[place]!.date, 0.5)}
      onOpen={(place) => onRun(inSight[place]!.workoutId)}
      of={[weeks, inSight.length, points]}
      draw={({ x }) => {
        const pixelsOf = (week: Week, value: number) => [x(shareOf(week.weekStart, 7)), y(value)] as const
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => `${mark === 0 ? '0' : signed(mark)}%`} />
            <path
              class="band"
              d={bandPath(
                weeks.map((week) => pixelsOf(week, week.high)),
                weeks.map((week) => pixelsOf(week, week.low)),
              )}
            />
            {inSight.map((point) => {
              const shared = { x: x(shareOf(point.date, 0.5)), title: date(point.date, 'short') }
              return (
                <g key={point.workoutId} class="better-run">
                  {isWithin(point.asRun) && <Dot {...shared} y={y(point.asRun)} isHollow />}
                  <Dot {...shared} y={y(point.corrected)} />
                </g>
              )
            })}
            <path class="line" d={linePath(weeks.map((week) => pixelsOf(week, week.value)))} />
            <DayAxis
              from={weeks[0]!.weekStart}
              to={shiftedDay(weeks.at(-1)!.weekStart, 6)}
              x={(day) => x(shareOf(day))}
            />
          </>
        )
      }}
      table={{
        caption: 'Fitness at one heart rate by week, against today',
        heads: ['Week of', 'Speed', '80% range'],
        rows: () =>
          weeks
            .toReversed()
            .map(({ weekStart, value, low, high }) => [
              date(weekStart, 'short'),
              `${signed(value, 1)}%`,
              `${range(signed(low, 1), signed(high, 1))}%`,
            ]),
      }}
    />
  )
}

function runWords(point: AtOnePulse['points'][number] | undefined, weeks: readonly Week[]): string {
  if (point === undefined) return ''
  const week = weeks.find(({ weekStart }) => dayNumber(weekStart) + 7 > dayNumber(point.date))
  const fitness = week === undefined ? '' : ` · fitness that week ${signed(week.value, 1)}%`
  const run = `adjusted ${signed(point.corrected, 1)}%, as run ${signed(point.asRun, 1)}%`
  return `${date(point.date, 'long')}: ${run}${fitness}`
}
