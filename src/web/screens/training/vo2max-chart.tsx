import { linePath } from '../../charts/scale.ts'
import { usePlace } from '../../charts/use-place.ts'
import { useWidth } from '../../charts/use-width.ts'
import { dayNumber, shiftedDay } from '../../days.ts'
import { counted, date, number } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import type { Vo2max } from '../../types.ts'
import { DayAxis } from './month-names.tsx'
import { scaleOf } from './plot.tsx'

const HEIGHT = 220
const TOP = 12
const BOTTOM = 26
const LEFT = 34
const RIGHT = 10
type Week = Vo2max['weeks'][number] & { readonly value: number; readonly low: number; readonly high: number }

/** The effective VO2max at the end of each week with its band, and the runs that it is computed from. */
export function Vo2maxChart({ weeks, points }: Pick<Vo2max, 'weeks' | 'points'>) {
  const [ref, width] = useWidth<HTMLDivElement>()
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
  const x = (day: number) => LEFT + ((day - start) / (end - start)) * (width - LEFT - RIGHT)
  const at = ({ clientX, currentTarget }: PointerEvent) => {
    if (!(currentTarget instanceof Element)) return null
    const share = (clientX - currentTarget.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT)
    return Math.max(0, Math.min(weeks.length - 1, Math.floor(share * weeks.length)))
  }
  const { place, handlers } = usePlace({ count: weeks.length, at })
  const shown = weeks[place ?? weeks.length - 1]
  const told = shown === undefined ? '' : tellWeek(shown)
  const xOfWeek = ({ weekStart }: { readonly weekStart: string }) => x(dayNumber(weekStart) + 7)
  return (
    <figure class="tc">
      <figcaption aria-hidden="true">{told}</figcaption>
      <div
        ref={ref}
        class="chart pointable"
        style={{ height: `${HEIGHT}px` }}
        role="slider"
        tabIndex={0}
        aria-label="Effective VO2max by week. Arrow keys go through the weeks"
        aria-valuemin={1}
        aria-valuemax={weeks.length}
        aria-valuenow={(place ?? weeks.length - 1) + 1}
        aria-valuetext={told}
        {...handlers}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true">
            {marks.map((mark) => (
              <g key={mark}>
                <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(mark)} y2={y(mark)} />
                <text class="tick" x={LEFT - 6} y={y(mark) + 4} text-anchor="end">
                  {number(mark)}
                </text>
              </g>
            ))}
            {stretches(known).map((part) => (
              <g key={part[0]?.weekStart}>
                <path
                  class="band"
                  d={`${linePath([
                    ...part.map((week) => [xOfWeek(week), y(week.high)] as const),
                    ...part.toReversed().map((week) => [xOfWeek(week), y(week.low)] as const),
                  ])}Z`}
                />
                <path class="line" d={linePath(part.map((week) => [xOfWeek(week), y(week.value)] as const))} />
              </g>
            ))}
            {inSight.map((point) => (
              <Dot key={point.workoutId} point={point} x={x(dayNumber(point.date) + 0.5)} y={y(point.value)} />
            ))}
            {place !== null && shown !== undefined && (
              <line class="pointer" x1={xOfWeek(shown)} x2={xOfWeek(shown)} y1={TOP} y2={HEIGHT - BOTTOM} />
            )}
            {weeks.length > 0 && (
              <DayAxis
                from={weeks[0]!.weekStart}
                to={shiftedDay(weeks.at(-1)!.weekStart, 6)}
                x={(day) => x(dayNumber(day))}
                left={LEFT}
                right={RIGHT}
                width={width}
                y={HEIGHT - 6}
              />
            )}
          </svg>
        )}
      </div>
    </figure>
  )
}

function Dot({ point, x, y }: { readonly point: Vo2max['points'][number]; readonly x: number; readonly y: number }) {
  const why = point.used
    ? ''
    : `, left out: ${point.reason === null ? 'unlike the other runs' : reasonWords([point.reason])}`
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

function tellWeek({ weekStart, value, low, high, n }: Vo2max['weeks'][number]): string {
  const day = `Week from ${date(weekStart, 'short')}`
  if (value === null) return `${day}: too few runs`
  return `${day}: ${number(value)} (${number(low)} to ${number(high)}), ${counted(n, 'run')}`
}

/** Weeks without a value interrupt the line. */
function stretches(known: readonly Week[]): Week[][] {
  const parts: Week[][] = []
  for (const week of known) {
    const last = parts.at(-1)
    if (last !== undefined && dayNumber(week.weekStart) - dayNumber(last.at(-1)?.weekStart ?? '') === 7) last.push(week)
    else parts.push([week])
  }
  return parts
}
