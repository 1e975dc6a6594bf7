import { linePath } from '../../charts/scale.ts'
import { useWidth } from '../../charts/use-width.ts'
import { date, duration, number } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { EffortProgress } from '../../types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'

const HEIGHT = 190
const [TOP, BOTTOM, LEFT, RIGHT] = [14, 26, 58, 14]

interface ProgressDialogProps {
  readonly distance: string
  readonly distanceM: number
  readonly onClose: () => void
}

/** The history of one distance's record, and the fastest of each year. */
export function ProgressDialog({ distance, distanceM, onClose }: ProgressDialogProps) {
  const { data, error, reload } = useResource<EffortProgress>(`/stats/best-efforts/${distanceM}/progress`)
  return (
    <Dialog title={`${distance}: your record over time`} onClose={onClose} isWide>
      {data === null ? (
        error === null ? (
          <SkeletonLines count={6} height="24px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <>
          {data.records.length > 1 && <ProgressChart progress={data} />}
          <table class="efforts-table progress-table">
            <thead>
              <tr>
                <th scope="col">Record of</th>
                <th scope="col" class="end">
                  Time
                </th>
                <th scope="col" class="end">
                  Faster by
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
                      {before === undefined ? 'the first' : duration((before.timeMs - record.timeMs) / 1000)}
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
                  <th scope="col">Best of</th>
                  <th scope="col" class="end">
                    Time
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
function ProgressChart({ progress }: { readonly progress: EffortProgress }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { records, years } = progress
  const times = [...records, ...years].map(({ timeMs }) => timeMs)
  const [fastest, slowest] = [Math.min(...times), Math.max(...times)]
  const [fromMs, toMs] = [Date.parse(records[0]?.workoutDate ?? ''), Date.now()]
  const x = (at: string | number) => {
    const share = ((typeof at === 'string' ? Date.parse(at) : at) - fromMs) / Math.max(1, toMs - fromMs)
    return LEFT + share * (width - LEFT - RIGHT)
  }
  // faster is higher
  const y = (timeMs: number) => TOP + ((timeMs - fastest) / Math.max(1, slowest - fastest)) * (HEIGHT - TOP - BOTTOM)
  const steps = records.flatMap((record, i) => {
    const before = records[i - 1]
    const at = x(record.workoutDate)
    return [...(before === undefined ? [] : [[at, y(before.timeMs)] as const]), [at, y(record.timeMs)] as const]
  })
  const last = records.at(-1)
  return (
    <div ref={ref} class="chart" style={{ height: `${HEIGHT}px` }}>
      {width > 0 && last !== undefined && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {[fastest, slowest].map((timeMs) => (
            <g key={timeMs}>
              <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(timeMs)} y2={y(timeMs)} />
              <text class="tick" x={LEFT - 8} y={y(timeMs) + 4} text-anchor="end">
                {duration(timeMs / 1000)}
              </text>
            </g>
          ))}
          <text class="tick" x={LEFT} y={HEIGHT - 6}>
            {date(records[0]?.workoutDate ?? '')}
          </text>
          <text class="tick" x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
            today
          </text>
          <path class="line" d={linePath([...steps, [x(toMs), y(last.timeMs)]])} />
          {years.map((best) => (
            <circle key={best.year} class="progress-year" cx={x(best.workoutDate)} cy={y(best.timeMs)} r={3.5} />
          ))}
        </svg>
      )}
    </div>
  )
}
