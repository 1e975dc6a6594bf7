import { api } from '../../../api.ts'
import { linePath } from '../../../charts/scale.ts'
import { counted, date, distance, number, type Units } from '../../../format.ts'
import { Link } from '../../../router.ts'
import type { RunTraining } from '../../../run/types.ts'
import { useResource, useUnits } from '../../../state.ts'
import { Card } from '../../../ui/card.tsx'
import { LoadFailure } from '../../../ui/empty.tsx'
import { Help } from '../../../ui/help.tsx'
import { Skeleton } from '../../../ui/spinner.tsx'
import { LEFT, Level, Plot, RIGHT, scaleOf } from '../plot.tsx'
import { TableView } from '../table-view.tsx'
import type { EfficientRun } from './efficiency-chart.tsx'

const SHOWN = 6
const HEIGHT = 220
const PLACE = { top: 16, height: 170 }
/** Length of the stretches that are compared. */
const WINDOW_KM = 5
/** Ratio from which on durability is lost. */
const ONSET = 1.025

interface Curve {
  readonly workoutId: string
  readonly date: string
  readonly onsetKm: number | null
  readonly last: number
  readonly ratios: readonly (readonly [km: number, ratio: number])[]
}

/** Heart rate over speed along the last long runs, as overlaid curves. */
export function DurabilityCard({ runs }: { readonly runs: readonly EfficientRun[] }) {
  const units = useUnits()
  const long = runs.filter(({ durability }) => durability !== null).slice(-SHOWN)
  const key = long.length === 0 ? null : `/training/efficiency/${long.map(({ workoutId }) => workoutId).join()}`
  const { data, error, reload } = useResource<Curve[]>(key, () => loadCurves(long))
  return (
    <Card
      title="Durability"
      aside={
        <Help about="durability">
          Heartbeats per metre of each five kilometres beside those of kilometres 5 to 10. A curve that stays low means
          that the run cost as much at its end as at its beginning; above 1.025 twice in a row the loss has begun. Heat
          and a fast start raise it as well.
        </Help>
      }
    >
      {long.length === 0 ? (
        <p>It is told of runs of 20 km and more with heart rate throughout; there is none in this time.</p>
      ) : data === null ? (
        error === null ? (
          <Skeleton height="260px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <Curves curves={data} units={units} />
      )}
    </Card>
  )
}

async function loadCurves(runs: readonly EfficientRun[]): Promise<Curve[]> {
  const loaded = runs.map(async ({ workoutId, date: day }): Promise<Curve[]> => {
    const { durability } = await api.get<RunTraining>(`/workouts/${workoutId}/training`)
    if (durability === null) return []
    const { last, onsetKm } = durability
    const ratios = durability.ratios.map(([km = 0, ratio = 1]) => [km, ratio] as const)
    return [{ workoutId, date: day, last, onsetKm, ratios }]
  })
  return (await Promise.all(loaded)).flat()
}

function Curves({ curves, units }: { readonly curves: readonly Curve[]; readonly units: Units }) {
  const kms = [...new Set(curves.flatMap(({ ratios }) => ratios.map(([km]) => km)))].toSorted((a, b) => a - b)
  const [from, to] = [kms[0]!, Math.max(kms.at(-1)!, kms[0]! + 1)]
  const all = curves.flatMap(({ ratios }) => ratios.map(([, ratio]) => ratio))
  const { y, marks } = scaleOf([0.98, 1.06, ...all], { ...PLACE, steps: [0.02, 0.05, 0.1] })
  const x = (km: number, width: number) => LEFT + ((km - from) / (to - from)) * (width - LEFT - RIGHT)
  // whole kilometres, which are no whole miles
  const far = (km: number) => {
    const { value, unit } = distance(1000 * km, units, units === 'metric' ? 0 : 1)
    return `${value} ${unit}`
  }
  const tell = (place: number) => {
    const km = kms[place]!
    const said = curves.flatMap((curve, index) => {
      const ratio = curve.ratios.find(([at]) => at === km)?.[1]
      return ratio === undefined ? [] : [`${LETTERS[index]} ${number(ratio, 3)}`]
    })
    return `The ${far(WINDOW_KM)} from ${far(km)} on: ${said.join(' · ')}`
  }
  return (
    <>
      <Plot
        label="Heartbeats per metre over the distance. Arrow keys go through the kilometres"
        height={HEIGHT}
        count={kms.length}
        tell={tell}
        placeAt={(at, width) => Math.round(((at - LEFT) / Math.max(1, width - LEFT - RIGHT)) * (kms.length - 1))}
        draw={(width, place) => {
          const letters = letterPlaces(
            curves.map(({ ratios }) => [x(ratios.at(-1)![0], width), y(ratios.at(-1)![1])] as const),
          )
          return (
            <>
              {marks.map((mark) => (
                <Level key={mark} y={y(mark)} width={width} text={number(mark, 2)} isBase={Math.abs(mark - 1) < 1e-6} />
              ))}
              <line class="band-average" x1={LEFT} x2={width - RIGHT} y1={y(ONSET)} y2={y(ONSET)} />
              {curves.map(({ workoutId, ratios }, index) => {
                return (
                  <g key={workoutId} class={index === curves.length - 1 ? 'wear latest' : 'wear'}>
                    <path class="line" d={linePath(ratios.map(([km, ratio]) => [x(km, width), y(ratio)] as const))} />
                    <text class="tick strong" x={letters[index]![0]} y={letters[index]![1]} text-anchor="end">
                      {LETTERS[index]}
                    </text>
                  </g>
                )
              })}
              {place !== null && (
                <line class="pointer" x1={x(kms[place]!, width)} x2={x(kms[place]!, width)} y1={8} y2={HEIGHT - 24} />
              )}
              <text class="tick" x={LEFT} y={HEIGHT - 6}>
                from {far(from)}
              </text>
              <text class="tick" x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
                from {far(to)}
              </text>
            </>
          )
        }}
      />
      <ul class="small wear-key">
        {curves.map(({ workoutId, date: day, last, onsetKm }, index) => (
          <li key={workoutId}>
            <strong>{LETTERS[index]}</strong> <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link>:{' '}
            {onsetKm === null ? 'no loss that shows' : `loss from ${far(onsetKm)} on, ${lossWord(last)} at the end`}
          </li>
        ))}
      </ul>
      <p class="muted small">
        {counted(curves.length, 'long run')}, the latest drawn strongest. Dashed: where the loss begins to show.
      </p>
      <TableView
        caption="Heartbeats per metre, beside those of kilometres 5 to 10"
        heads={['From', ...curves.map(({ date: day }) => date(day, 'short'))]}
        rows={() =>
          kms.map((km) => [
            far(km),
            ...curves.map(({ ratios }) => number(ratios.find(([at]) => at === km)?.[1] ?? null, 3)),
          ])
        }
      />
    </>
  )
}

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const

/** Room of a letter, pixels. */
const LETTER_PX = 10

/** Letters above the ends of curves; one that would cover an earlier one goes above it. */
function letterPlaces(ends: readonly (readonly [x: number, y: number])[]): (readonly [x: number, y: number])[] {
  const places: (readonly [x: number, y: number])[] = []
  for (const [endX, endY] of ends) {
    const x = endX - 4
    let y = endY - 6
    while (places.some(([otherX, otherY]) => Math.abs(otherX - x) < LETTER_PX && Math.abs(otherY - y) < LETTER_PX)) {
      y -= LETTER_PX
    }
    places.push([x, y])
  }
  return places
}

/** Categories of Smyth 2022, from 82,303 marathons. */
function lossWord(last: number): string {
  if (last <= ONSET) return 'gone'
  return last < 1.1 ? 'low' : last < 1.2 ? 'moderate' : 'high'
}
