import { useRef, useState } from 'preact/hooks'
import { ApiError, api } from '../../api.ts'
import { distance, distanceUnit, duration, elevation, number, pace, type Units, unitLengthM } from '../../format.ts'
import { invalidate } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast.tsx'
import type { RunSeries } from '../charts/series.ts'
import { type RunView, sectionHandlers, useDrawing } from '../run-view.ts'
import type { Section, Split } from '../types.ts'
import './run-tables.css'

interface SplitsTableProps {
  readonly runId: string
  /** Without one they cannot be cut anew. */
  readonly hasRoute: boolean
  readonly splits: readonly Split[]
  /** null: the samples are not there, so no cursor points at a split. */
  readonly series: RunSeries | null
  readonly units: Units
  readonly view: RunView
}

/** A last split shorter than this part of the others is shown with its own length. */
const WHOLE = 0.995
/** A marathon in kilometres is shown whole; of a longer run the first ones, until the runner wants all. */
const MOST_SPLITS = 50
const FIRST_SPLITS = 30
/** The bar of the slowest split; a bar from nothing would hide what differs. */
const SHORTEST_BAR = 0.28

/** The run in kilometres or miles; pointing at one shows it on the map and in the charts, pressing it zooms there. */
export function SplitsTable({ runId, hasRoute, splits, series, units, view }: SplitsTableProps) {
  const has = (name: keyof Split) => splits.some((split) => split[name] !== null)
  const cutIn = unitsOf(splits, units)
  const barOf = barLengths(splits)
  const [isWhole, setWhole] = useState(splits.length <= MOST_SPLITS)
  const body = useRef<HTMLTableSectionElement>(null)
  useCursorRow(body, { splits, series, view })
  return (
    <Card
      title="Splits"
      class="run-splits"
      aside={hasRoute && cutIn !== units ? <CutAnew runId={runId} units={units} /> : undefined}
    >
      <div class="table-frame">
        <table class="run-table splits pointing">
          <thead>
            <tr>
              <th scope="col">{distanceUnit(cutIn)}</th>
              <th scope="col" class="split-pace">
                Pace {pace(null, units).unit}
              </th>
              {has('gapPaceS') && <th scope="col">GAP</th>}
              {has('avgHeartRateBpm') && <th scope="col">Heart</th>}
              {has('elevGainM') && <th scope="col">Climb</th>}
              {has('avgCadenceRpm') && (
                <th scope="col" class="wide-only">
                  Cadence
                </th>
              )}
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {splits.slice(0, isWhole ? splits.length : FIRST_SPLITS).map((split, index) => (
              <tr key={split.idx} {...sectionHandlers(view, sectionOf(split))}>
                <th scope="row">
                  <SplitButton split={split} index={index} cutIn={cutIn} view={view} />
                </th>
                <td class="split-pace">
                  <span class="split-bar" style={{ width: `${barOf(split) * 100}%` }} aria-hidden="true" />
                  <span class="split-value">{pace(split.paceS, units).value}</span>
                </td>
                {has('gapPaceS') && <td>{pace(split.gapPaceS, units).value}</td>}
                {has('avgHeartRateBpm') && <td>{number(split.avgHeartRateBpm)}</td>}
                {has('elevGainM') && <td class="split-climb">{climbText(split, units)}</td>}
                {has('avgCadenceRpm') && (
                  <td class="wide-only">{number(split.avgCadenceRpm === null ? null : split.avgCadenceRpm * 2)}</td>
                )}
                <td>{duration(split.durationS)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isWhole && (
        <div class="actions start splits-more">
          <Button size="small" icon="below" onClick={() => setWhole(true)}>
            Show all {number(splits.length)} splits
          </Button>
        </div>
      )}
    </Card>
  )
}

type CursorRowOptions = Pick<SplitsTableProps, 'splits' | 'series' | 'view'>

/** Marks the row of the split that the cursor of charts and map stands in; nothing is rendered anew for it. */
function useCursorRow(
  body: { readonly current: HTMLTableSectionElement | null },
  { splits, series, view }: CursorRowOptions,
): void {
  useDrawing([view.cursor], () => {
    const row = view.cursor.get()
    const atS = row < 0 ? null : (series?.elapsedS[row] ?? null)
    const at = atS === null ? -1 : splitAt(splits, atS)
    const marked = body.current?.querySelector('.under-cursor')
    const next = body.current?.rows[at] ?? null
    if (marked === next) return
    marked?.classList.remove('under-cursor')
    next?.classList.add('under-cursor')
  }, [splits, series])
}

/** The split of an elapsed second; -1: none, as before the first one or where their times are not known. */
function splitAt(splits: readonly Split[], atS: number): number {
  return splits.findIndex(({ startElapsedS, endElapsedS }, index) => {
    if (startElapsedS === null || endElapsedS === null) return false
    return atS >= startElapsedS && (atS < endElapsedS || (atS === endElapsedS && index === splits.length - 1))
  })
}

interface SplitButtonProps extends Pick<SplitsTableProps, 'view'> {
  readonly split: Split
  readonly index: number
  readonly cutIn: Units
}

function SplitButton({ split, index, cutIn, view }: SplitButtonProps) {
  const unitM = unitLengthM(cutIn)
  const isWhole = split.distanceM >= unitM * WHOLE && split.distanceM < unitM * (2 - WHOLE)
  const section = sectionOf(split)
  const name = isWhole ? String(index + 1) : distance(split.distanceM, cutIn).value
  if (section === null) return <span>{name}</span>
  return (
    <button
      type="button"
      class="split-name"
      aria-label={`Split ${index + 1}: show in the charts`}
      onClick={() => view.zoom.set(view.zoom.get()?.fromS === section.fromS ? null : section)}
    >
      {name}
    </button>
  )
}

function sectionOf({ startElapsedS, endElapsedS }: Split): Section | null {
  return startElapsedS === null || endElapsedS === null ? null : { fromS: startElapsedS, toS: endElapsedS }
}

/** Older runs keep the unit of their time until the runner wants another one. */
function CutAnew({ runId, units }: Pick<SplitsTableProps, 'runId' | 'units'>) {
  const [isBusy, setBusy] = useState(false)
  const cut = async () => {
    setBusy(true)
    try {
      await api.send('POST', `/workouts/${runId}/recalculate-splits`)
      invalidate(`/workouts/${runId}`)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That did not work. Try again.')
    }
    setBusy(false)
  }
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void cut()}>
      Cut in {units === 'metric' ? 'kilometres' : 'miles'}
    </Button>
  )
}

/** The unit they were cut in: the stored one may be another than the reader's. */
function unitsOf(splits: readonly Split[], units: Units): Units {
  const first = splits[0]
  if (first === undefined || splits.length < 2) return units
  const middle = (unitLengthM('metric') + unitLengthM('imperial')) / 2
  return first.distanceM < middle ? 'metric' : 'imperial'
}

/** Faster is longer. */
function barLengths(splits: readonly Split[]): (split: Split) => number {
  const speeds = splits.filter(({ paceS }) => paceS > 0).map(({ paceS }) => 1 / paceS)
  const most = Math.max(...speeds)
  const least = Math.min(...speeds)
  return ({ paceS }) => {
    if (!(paceS > 0)) return 0
    const share = most > least ? (1 / paceS - least) / (most - least) : 1
    return SHORTEST_BAR + (1 - SHORTEST_BAR) * share
  }
}

function climbText({ elevGainM, elevLossM }: Split, units: Units): string {
  const up = elevation(elevGainM, units).value
  const down = elevation(elevLossM, units).value
  return `+${up} −${down}`
}
