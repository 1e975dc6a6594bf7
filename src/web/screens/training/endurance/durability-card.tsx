import { api } from '../../../api.ts'
import { Ends, Levels, Limit, Plot, scaleOf } from '../../../charts/plot.tsx'
import { linePath } from '../../../charts/scale.ts'
import { counted, date, distance, number } from '../../../format.ts'
import { Link } from '../../../router.ts'
import { useLoaded, useUnits } from '../../../state.ts'
import { Card } from '../../../ui/card.tsx'
import { Pending } from '../../../ui/empty.tsx'
import { Help } from '../../../ui/help.tsx'
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
  const long = runs.filter(({ durability }) => durability !== null).slice(-SHOWN)
  const key = long.length === 0 ? null : `/training/efficiency/${long.map(({ workoutId }) => workoutId).join()}`
  const { data, error } = useLoaded(key, () => loadCurves(long))
  return (
    <Card
      title="Durability"
      aside={
        <Help about="durability">
          Heartbeats per metre of each 5 km, compared with kilometres 5–10. A flat curve means the end of the run cost
          no more than its start. The loss begins where it is above 1.025 twice in a row. Heat and a fast start raise it
          too.
        </Help>
      }
    >
      {long.length === 0 ? (
        <p>Durability needs runs of 20 km or more with heart rate throughout. There are none in this period.</p>
      ) : data === null ? (
        <Pending error={error} height="260px" />
      ) : (
        <Curves curves={data} />
      )}
    </Card>
  )
}

async function loadCurves(runs: readonly EfficientRun[]): Promise<Curve[]> {
  const loaded = runs.map(async ({ workoutId, date: day }): Promise<Curve[]> => {
    const { durability } = await api.get(`/workouts/${workoutId}/training`)
    if (durability === null) return []
    const { last, onsetKm } = durability
    const ratios = durability.ratios.map(([km = 0, ratio = 1]) => [km, ratio] as const)
    return [{ workoutId, date: day, last, onsetKm, ratios }]
  })
  return (await Promise.all(loaded)).flat()
}

function Curves({ curves }: { readonly curves: readonly Curve[] }) {
  const units = useUnits()
  const kms = [...new Set(curves.flatMap(({ ratios }) => ratios.map(([km]) => km)))].toSorted((a, b) => a - b)
  const [from, to] = [kms[0]!, Math.max(kms.at(-1)!, kms[0]! + 1)]
  const all = curves.flatMap(({ ratios }) => ratios.map(([, ratio]) => ratio))
  const { y, marks } = scaleOf([0.98, 1.06, ...all], { ...PLACE, steps: [0.02, 0.05, 0.1] })
  const shareOf = (km: number) => (km - from) / (to - from)
  // whole kilometres, which are not whole miles
  const far = (km: number) => {
    const { value, unit } = distance(1000 * km, units, units === 'metric' ? 0 : 1)
    return `${value} ${unit}`
  }
  const textAt = (place: number) => {
    const km = kms[place]!
    const said = curves.flatMap((curve, index) => {
      const ratio = curve.ratios.find(([at]) => at === km)?.[1]
      return ratio === undefined ? [] : [`${LETTERS[index]} ${number(ratio, 3)}`]
    })
    return `${far(WINDOW_KM)} from ${far(km)}: ${said.join(' · ')}`
  }
  return (
    <Plot
      label="Heartbeats per metre by distance. Arrow keys move between kilometres"
      height={HEIGHT}
      count={kms.length}
      textAt={textAt}
      shareOf={(place) => shareOf(kms[place]!)}
      of={[curves, units]}
      draw={({ x }) => {
        const pixelsOf = ([km, ratio]: Curve['ratios'][number]) => [x(shareOf(km)), y(ratio)] as const
        const letters = letterPlaces(curves.map(({ ratios }) => pixelsOf(ratios.at(-1)!)))
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => number(mark, 2)} base={1} />
            <Limit y={y(ONSET)} />
            {curves.map(({ workoutId, ratios }, index) => {
              return (
                <g key={workoutId} class={index === curves.length - 1 ? 'wear latest' : 'wear'}>
                  <path class="line" d={linePath(ratios.map(pixelsOf))} />
                  <text class="tick strong" x={letters[index]![0]} y={letters[index]![1]} text-anchor="end">
                    {LETTERS[index]}
                  </text>
                </g>
              )
            })}
            <Ends from={`from ${far(from)}`} to={`from ${far(to)}`} />
          </>
        )
      }}
      table={{
        caption: 'Heartbeats per metre compared with kilometres 5–10',
        heads: ['From', ...curves.map(({ date: day }) => date(day, 'short'))],
        rows: () =>
          kms.map((km) => [
            far(km),
            ...curves.map(({ ratios }) => number(ratios.find(([at]) => at === km)?.[1] ?? null, 3)),
          ]),
      }}
    >
      <ul class="small wear-key">
        {curves.map(({ workoutId, date: day, last, onsetKm }, index) => (
          <li key={workoutId}>
            <strong>{LETTERS[index]}</strong> <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link>:{' '}
            {onsetKm === null ? 'no visible loss' : `loss from ${far(onsetKm)}, ${lossWord(last)} at the end`}
          </li>
        ))}
      </ul>
      <p class="muted small">
        {counted(curves.length, 'long run')}, the latest drawn boldest. Dashed: where loss becomes visible.
      </p>
    </Plot>
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
