import type { ComponentChildren } from 'preact'
import { shiftedDay } from '../days.ts'
import { date, number } from '../format.ts'
import { Link, navigate } from '../router.ts'
import { daysPath } from '../screens/run-query.ts'
import { Plot } from './plot.tsx'
import { linePath } from './scale.ts'

const HEIGHT = 184
const TOP = 14
const BOTTOM = 24
const SIDE = 6

export interface WeekStats {
  /** Monday, `yyyy-MM-dd`. */
  readonly weekStart: string
  /** Cumulative from Monday. */
  readonly currentWeek: readonly number[]
  readonly currentWeekTotal: number
  /** Of the three weeks before. */
  readonly threeWeekAverage: number
  readonly rangeMin: number
  readonly rangeMax: number
}

interface EffortBandProps {
  readonly stats: WeekStats
  /** Load or relative effort. */
  readonly name: string
  /** 0 is Monday. */
  readonly today: number
  /** No run of the week has a heart rate, so no line is drawn. */
  readonly isUnknown: boolean
  /** Text above, for the effort at the end of a day of the week; null: nothing is pointed at. */
  readonly caption: (effort: number | null, day: string) => ComponentChildren
}

/** Cumulative effort of the week, with the range and the average of the three weeks before. */
export function EffortBand({ stats, name, today, isUnknown, caption }: EffortBandProps) {
  const { currentWeek, rangeMin, rangeMax, threeWeekAverage, weekStart } = stats
  const max = Math.max(rangeMax, ...currentWeek, 1)
  const y = (value: number) => TOP + (1 - value / max) * (HEIGHT - TOP - BOTTOM)
  const known = isUnknown ? [] : currentWeek.slice(0, today + 1)
  const soFar = isUnknown ? 'unknown' : number(currentWeek.at(-1) ?? 0)
  const day = (index: number, form: 'weekday' | 'day') => date(shiftedDay(weekStart, index), form)
  return (
    <Plot
      class="effort-band"
      label={`${name} so far: ${soFar}; the last 3 weeks: ${number(rangeMin)} to ${number(rangeMax)}, on average ${number(threeWeekAverage, 0)}. Arrow keys go through the days, Enter shows the runs until one`}
      height={HEIGHT}
      left={SIDE}
      right={SIDE}
      count={known.length}
      textAt={(place) => `${number(known[place] ?? null)} until ${day(place, 'day')}`}
      caption={(place) => caption(place === null ? null : known[place]!, day(place ?? today, 'day'))}
      onOpen={(place) => navigate(daysPath(weekStart, shiftedDay(weekStart, place)))}
      isOpenedByMouse
      shareOf={(place) => place / 6}
      table={{
        caption: `${name} this week`,
        heads: ['Until', name],
        rows: () =>
          known.map((value, place) => {
            const path = daysPath(weekStart, shiftedDay(weekStart, place))
            return [day(place, 'day'), value > 0 ? <Link href={path}>{number(value)}</Link> : number(value)]
          }),
      }}
      of={[JSON.stringify(stats), name, today, isUnknown]}
      draw={({ x, width }) => {
        const points = known.map((value, index) => [x(index / 6), y(value)] as const)
        const last = points.at(-1)
        return (
          <>
            {rangeMax > 0 && (
              <>
                <rect
                  class="band"
                  x={0}
                  width={width}
                  y={y(rangeMax)}
                  height={Math.max(2, y(rangeMin) - y(rangeMax))}
                  rx={6}
                />
                <line class="band-average" x1={0} x2={width} y1={y(threeWeekAverage)} y2={y(threeWeekAverage)} />
              </>
            )}
            <line class="base" x1={0} x2={width} y1={y(0)} y2={y(0)} />
            <path class="line" d={linePath(points)} />
            {last !== undefined && <circle class="dot" cx={last[0]} cy={last[1]} r={5} />}
            {Array.from({ length: 7 }, (_, index) => (
              <text
                key={index}
                class={index === today ? 'tick strong' : 'tick'}
                x={x(index / 6)}
                y={HEIGHT - 6}
                text-anchor={index === 0 ? 'start' : index === 6 ? 'end' : 'middle'}
                dx={index === 0 ? -SIDE : index === 6 ? SIDE : 0}
              >
                {day(index, 'weekday').slice(0, width < 260 ? 1 : 3)}
              </text>
            ))}
          </>
        )
      }}
    />
  )
}
