import { DayAxis } from '../../charts/month-names.tsx'
import { Levels, Plot, scaleOf } from '../../charts/plot.tsx'
import { bandPath, linePath } from '../../charts/scale.ts'
import { dayNumber, shiftedDay } from '../../days.ts'
import { counted, date, number, range } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import type { Vo2max } from '../../types.ts'

const HEIGHT = 220
const TOP = 12
const BOTTOM = 26
type Week = Vo2max['weeks'][number] & { readonly value: number; readonly low: number; readonly high: number }

/** The VDOT at the end of each week with its band, and the runs that it is computed from. */
export function Vo2maxChart({ weeks, points }: Pick<Vo2max, 'weeks' | 'points'>) {
  const start = dayNumber(weeks[0]?.weekStart ?? '')
  const end = Math.max(start + 7, dayNumber(weeks.at(-1)?.weekStart ?? '') + 7)
  const known = weeks.filter((week): week is Week => week.value !== null && week.low !== null && week.high !== null)
  const inSight = points.filter((point) => dayNumber(point.date) >= start)
  const values = [...known.flatMap(({ low, high }) => [low, high]), ...inSight.map(({ value }) => value)]
  const { y, marks } = scaleOf(values.length > 0 ? values : [40, 50], {
    top: TOP,
    height: HEIGHT - TOP - BOTTOM,
    steps: [1, 2, 5, 10, 20],
  })
  const shareOf = (day: string, days = 0) => (dayNumber(day) + days - start) / (end - start)
  return (
    <Plot
      label="VDOT by week. Arrow keys move between weeks"
      height={HEIGHT}
      count={weeks.length}
      textAt={(place) => weekWords(weeks[place])}
      shareOf={(place) => shareOf(weeks[place]!.weekStart, 7)}
      of={[weeks, points]}
      draw={({ x }) => {
        const pixelsOf = (week: Week, value: number) => [x(shareOf(week.weekStart, 7)), y(value)] as const
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => number(mark)} />
            {unbroken(known).map((weeks) => (
              <g key={weeks[0]?.weekStart}>
                <path
                  class="band"
                  d={bandPath(
                    weeks.map((week) => pixelsOf(week, week.high)),
                    weeks.map((week) => pixelsOf(week, week.low)),
                  )}
                />
                <path class="line" d={linePath(weeks.map((week) => pixelsOf(week, week.value)))} />
              </g>
            ))}
            {inSight.map((point) => (
              <Run key={point.workoutId} point={point} x={x(shareOf(point.date, 0.5))} y={y(point.value)} />
            ))}
            {weeks.length > 0 && (
              <DayAxis
                from={weeks[0]!.weekStart}
                to={shiftedDay(weeks.at(-1)!.weekStart, 6)}
                x={(day) => x(shareOf(day))}
              />
            )}
          </>
        )
      }}
    />
  )
}

function Run({ point, x, y }: { readonly point: Vo2max['points'][number]; readonly x: number; readonly y: number }) {
  const why = point.used ? '' : `, excluded: ${point.reason === null ? 'outlier' : reasonWords([point.reason])}`
  const shape = point.source === 'race' ? 4.5 : 3
  return (
    <path
      class={point.used ? 'tc-dot' : 'tc-dot hollow'}
      d={
        point.source === 'race'
          ? `M${x} ${y - shape}l${shape} ${shape}l${-shape} ${shape}l${-shape} ${-shape}Z`
          : `M${x - shape} ${y}a${shape} ${shape} 0 1 0 ${2 * shape} 0a${shape} ${shape} 0 1 0 ${-2 * shape} 0Z`
      }
    >
      <title>{`${date(point.date, 'short')}: ${number(point.value, 1)}${why}`}</title>
    </path>
  )
}

function weekWords(week: Vo2max['weeks'][number] | undefined): string {
  if (week === undefined) return ''
  const { weekStart, value, low, high, n } = week
  const day = `Week of ${date(weekStart, 'short')}`
  if (value === null) return `${day}: too few runs`
  return `${day}: ${number(value)} (${range(number(low), number(high))}), ${counted(n, 'run')}`
}

/** Weeks without a value interrupt the line. */
function unbroken(known: readonly Week[]): Week[][] {
  const found: Week[][] = []
  for (const week of known) {
    const last = found.at(-1)
    if (last !== undefined && dayNumber(week.weekStart) - dayNumber(last.at(-1)?.weekStart ?? '') === 7) last.push(week)
    else found.push([week])
  }
  return found
}
