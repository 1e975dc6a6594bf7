import { DayAxis } from '../../charts/month-names.tsx'
import { Levels, Plot, scaleOf } from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import { dayNumber } from '../../days.ts'
import { date, duration, localDay } from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import type { EffortProgress } from '../../types.ts'
import { today } from '../stats.ts'

const HEIGHT = 260
const [TOP, BOTTOM] = [14, 30]
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600]

/** The record as steps; its efforts, those of the top ten and the fastest of each year as dots. */
export function ProgressChart({ progress: { records, years, top } }: { readonly progress: EffortProgress }) {
  const isRecord = (id: string) => records.some(({ workoutId }) => workoutId === id)
  const byRun = new Map([...records, ...years, ...top].map((effort) => [effort.workoutId, effort]))
  const all = [...byRun.values()].toSorted((a, b) => a.workoutDate.localeCompare(b.workoutDate))
  const last = records.at(-1)!
  const from = localDay(all[0]!.workoutDate)
  const days = Math.max(1, dayNumber(today()) - dayNumber(from))
  const shareOf = (day: string) => (dayNumber(day) - dayNumber(from)) / days
  const shareAt = (place: number) => shareOf(localDay(all[place]!.workoutDate))
  const { y, marks } = scaleOf(
    all.map(({ timeS }) => timeS),
    // faster is higher
    { top: TOP, height: HEIGHT - TOP - BOTTOM, isUpsideDown: true, steps: STEPS_S },
  )
  return (
    <Plot
      class="best-chart"
      label="Record progression and fastest runs. Arrow keys go through them, Enter opens one"
      height={HEIGHT}
      left={58}
      right={14}
      count={all.length}
      textAt={(place) => {
        const { workoutId, workoutDate, timeS } = all[place]!
        return `${date(workoutDate)}: ${duration(timeS)}${isRecord(workoutId) ? ', a record' : ''}`
      }}
      start={all.findIndex(({ workoutId }) => workoutId === last.workoutId)}
      shareOf={shareAt}
      onOpen={(place) => navigate(`/app/runs/${all[place]!.workoutId}`)}
      isOpenedByMouse
      aside={(place) => <Link href={`/app/runs/${all[place]!.workoutId}`}>Open run</Link>}
      of={[records, years, top]}
      draw={({ x }) => {
        const steps = records.flatMap(({ workoutDate, timeS }, i) => {
          const at = x(shareOf(localDay(workoutDate)))
          const before = records.slice(Math.max(0, i - 1), i)
          return [...before.map((one) => one.timeS), timeS].map((seconds) => [at, y(seconds)] as const)
        })
        const line = [...steps, [x(1), y(last.timeS)] as const]
        const floor = HEIGHT - BOTTOM
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
