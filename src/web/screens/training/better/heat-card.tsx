import { HEAT_BASE_C, HEAT_SLOPES } from '../../../../engine/training/conditions.ts'
import { Levels, Plot, scaleOf } from '../../../charts/plot.tsx'
import { bandPath, linePath } from '../../../charts/scale.ts'
import { TableView } from '../../../charts/table-view.tsx'
import { number, paceDifference, range, type Units } from '../../../format.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { Conditions } from '../../../types.ts'
import { Card } from '../../../ui/card.tsx'
import { Pending } from '../../../ui/empty.tsx'
import { Help } from '../../../ui/help.tsx'
import { offsetQuery } from '../../stats.ts'
import { percentWords, termName } from './better-words.ts'

const HEIGHT = 220
const TOP = 12
const BOTTOM = 26

type Heat = Conditions['heat'][number]

/** What heat costs this runner, and the other conditions. */
export function HeatCard() {
  const { data, error } = useResource(`/truth/conditions?${offsetQuery()}`)
  return (
    <Card
      title="Heat"
      aside={
        <Help about="the heat curve">
          What your own runs show heat to cost, against a day of WBGT 12, which is about 10 °C. WBGT joins temperature
          and humidity. The light area is what most runners lose. The curve is usually a little too low, since the
          weather is that of the area, not of the road.
        </Help>
      }
    >
      {data === null ? (
        <Pending error={error} height="280px" />
      ) : data.heat.length === 0 ? (
        <p class="muted">Your heat curve appears once there is enough for the card above.</p>
      ) : (
        <Body data={data} />
      )}
    </Card>
  )
}

function Body({ data: { heat, week, terms } }: { readonly data: Conditions }) {
  const units = useUnits()
  return (
    <>
      <p class="better-lead">{weekWords(week, units)}</p>
      <HeatChart heat={heat} />
      <p class="muted small">{curveWords(heat)}</p>
      <TableView
        summary="Other conditions"
        caption="Other conditions, 80% ranges; positive is slower"
        heads={['Condition', 'Slower by', 'Unit']}
        rows={() =>
          terms.map((term) => [
            termName(term.name),
            percentWords(term, term.name === 'wind' ? 0 : 1),
            term.name === 'wind' ? '' : term.unit.replace('%/', 'per '),
          ])
        }
      />
    </>
  )
}

function weekWords(week: Conditions['week'], units: Units): string {
  if (week === null) return 'No runs with weather last week.'
  const { value, low, high } = week.cost
  const of = (seconds: number | null) => paceDifference(seconds ?? 0, units)
  const plain = (seconds: number | null) =>
    of(seconds)
      .replace(/\s?s?\/.*$/, '')
      .trim()
  if (!week.stated || !((value ?? 0) > 0)) return 'No clear cost of heat last week.'
  return `Heat cost ${of(value)} last week (${range(plain(low), plain(high))}).`
}

function curveWords(heat: readonly Heat[]): string {
  const known = heat.filter(({ stated }) => stated)
  const shown = known.find(({ wbgtC }) => wbgtC >= 20) ?? known.at(-1)
  if (shown === undefined) return 'No clear cost of heat so far. A summer of runs would show it.'
  const atLeast = shown.atLeast ? 'at least ' : ''
  return `At WBGT ${shown.wbgtC} heat costs you ${atLeast}${percentWords(shown.cost)} of your pace. Dashed: not clear yet.`
}

/** The runner's own curve with its band over the range of most runners. */
function HeatChart({ heat }: { readonly heat: readonly Heat[] }) {
  const [first, last] = [heat[0]!.wbgtC, heat.at(-1)!.wbgtC]
  const usual = (wbgtC: number, slope: number) => slope * Math.max(0, wbgtC - HEAT_BASE_C)
  const most = usual(last, HEAT_SLOPES.high)
  const values = heat.flatMap(({ cost }) => [cost.low ?? 0, cost.high ?? 0])
  const { y, marks } = scaleOf([0, most, ...values], { top: TOP, height: HEIGHT - TOP - BOTTOM, steps: [1, 2, 5, 10] })
  const shareOf = (wbgtC: number) => (wbgtC - first) / (last - first)
  const from = heat.findIndex(({ stated }) => stated)
  const sure = from === -1 ? [] : heat.slice(from)
  return (
    <Plot
      label="Your cost of heat by WBGT. Arrow keys move along the curve"
      height={HEIGHT}
      count={heat.length}
      textAt={(place) => pointWords(heat[place])}
      shareOf={(place) => shareOf(heat[place]!.wbgtC)}
      of={[heat]}
      draw={({ x }) => {
        const points = (of: (one: Heat) => number | null, some = heat) =>
          some.map((one) => [x(shareOf(one.wbgtC)), y(of(one) ?? 0)] as const)
        const line = (some: readonly Heat[]) => linePath(points(({ cost }) => cost.value, some))
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => `${number(mark)}%`} />
            <path
              class="better-usual"
              d={bandPath(
                points(({ wbgtC }) => usual(wbgtC, HEAT_SLOPES.high)),
                points(({ wbgtC }) => usual(wbgtC, HEAT_SLOPES.low)),
              )}
            />
            <path
              class="band"
              d={bandPath(
                points(({ cost }) => cost.high),
                points(({ cost }) => cost.low),
              )}
            />
            <path class="line ahead" d={line(from === -1 ? heat : heat.slice(0, from + 1))} />
            <path class="line" d={line(sure)} />
            {heat
              .filter(({ wbgtC }) => wbgtC % 4 === 0)
              .map(({ wbgtC }) => (
                <text key={wbgtC} class="tick" x={x(shareOf(wbgtC))} y={HEIGHT - 6} text-anchor="middle">
                  {wbgtC}
                </text>
              ))}
          </>
        )
      }}
    />
  )
}

function pointWords(one: Heat | undefined): string {
  if (one === undefined) return ''
  const unclear = one.stated || one.cost.value === 0 ? '' : ', not clear'
  return `WBGT ${one.wbgtC}: ${one.atLeast ? 'at least ' : ''}${percentWords(one.cost)}${unclear}`
}
