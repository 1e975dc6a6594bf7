import { Ends, Level, Plot } from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import { date, duration, number, timeDifference } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { EffortProgress } from '../../types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { TERMS } from '../../words.ts'

const HEIGHT = 190
const [TOP, BOTTOM] = [14, 26]

interface ProgressDialogProps {
  readonly distance: string
  readonly distanceM: number
  readonly onClose: () => void
}

/** The history of one distance's record, and the fastest of each year. */
export function ProgressDialog({ distance, distanceM, onClose }: ProgressDialogProps) {
  const { data, error } = useResource(`/stats/best-efforts/${distanceM}/progress`)
  return (
    <Dialog title={`${distance}: record progression`} onClose={onClose} isWide>
      {data === null ? (
        error === null ? (
          <SkeletonLines count={6} height="24px" />
        ) : (
          <LoadFailure message={error.message} />
        )
      ) : (
        <>
          {data.records.length > 1 && <ProgressChart progress={data} />}
          <table class="efforts-table progress-table">
            <thead>
              <tr>
                <th scope="col">Date</th>
                <th scope="col" class="end">
                  {TERMS.time}
                </th>
                <th scope="col" class="end">
                  Improvement
                </th>
              </tr>
            </thead>
            <tbody>
              {data.records.toReversed().map((record, back) => {
                const before = data.records.at(-2 - back)
                return (
                  <tr key={record.workoutId}>
                    <th scope="row">
                      <Link href={`/app/runs/${record.workoutId}`}>{date(record.workoutDate)}</Link>
                    </th>
                    <td class="end strong">{duration(record.timeMs / 1000)}</td>
                    <td class="end muted">
                      {before === undefined ? 'first' : timeDifference((before.timeMs - record.timeMs) / 1000)}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          {data.years.length > 1 && (
            <table class="efforts-table progress-table">
              <thead>
                <tr>
                  <th scope="col">Year</th>
                  <th scope="col" class="end">
                    {TERMS.time}
                  </th>
                  <th scope="col" class="end">
                    Runs
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.years.toReversed().map((best) => (
                  <tr key={best.year}>
                    <th scope="row">
                      <Link href={`/app/runs/${best.workoutId}`}>{best.year}</Link>
                    </th>
                    <td class="end strong">{duration(best.timeMs / 1000)}</td>
                    <td class="end muted">{number(best.runs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Dialog>
  )
}

/** The record as steps, and the best of each year as dots; the tables below have the same data. */
function ProgressChart({ progress: { records, years } }: { readonly progress: EffortProgress }) {
  const isRecord = (id: string) => records.some(({ workoutId }) => workoutId === id)
  const all = [...records, ...years.filter(({ workoutId }) => !isRecord(workoutId))].toSorted((a, b) =>
    a.workoutDate.localeCompare(b.workoutDate),
  )
  const times = all.map(({ timeMs }) => timeMs)
  const [fastest, slowest] = [Math.min(...times), Math.max(...times)]
  const [first, last] = [records[0]!, records.at(-1)!]
  const fromMs = Date.parse(first.workoutDate)
  const span = Math.max(1, Date.now() - fromMs)
  const shareOf = (day: string) => (Date.parse(day) - fromMs) / span
  // faster is higher
  const y = (timeMs: number) => TOP + ((timeMs - fastest) / Math.max(1, slowest - fastest)) * (HEIGHT - TOP - BOTTOM)
  return (
    <Plot
      label="Record and best of each year. Arrow keys go through them"
      height={HEIGHT}
      left={58}
      right={14}
      count={all.length}
      textAt={(place) => {
        const { workoutId, workoutDate, timeMs } = all[place]!
        return `${date(workoutDate)}: ${duration(timeMs / 1000)}${isRecord(workoutId) ? ', a record' : ''}`
      }}
      shareOf={(place) => shareOf(all[place]!.workoutDate)}
      of={[records, years]}
      draw={({ x }) => {
        const steps = records.flatMap(({ workoutDate, timeMs }, i) => {
          const at = x(shareOf(workoutDate))
          return [timeMs, ...records.slice(i - 1, i).map((before) => before.timeMs)]
            .toReversed()
            .map((ms) => [at, y(ms)] as const)
        })
        return (
          <>
            {[fastest, slowest].map((timeMs) => (
              <Level key={timeMs} y={y(timeMs)} text={duration(timeMs / 1000)} />
            ))}
            <Ends from={date(first.workoutDate)} to="today" />
            <path class="line" d={linePath([...steps, [x(1), y(last.timeMs)]])} />
            {years.map((best) => (
              <circle
                key={best.year}
                class="progress-year"
                cx={x(shareOf(best.workoutDate))}
                cy={y(best.timeMs)}
                r={3.5}
              />
            ))}
          </>
        )
      }}
    />
  )
}
