import { distance, duration, pace, text, type Units } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { nearestRow, type RunSeries } from '../charts/series.ts'
import { type RunView, sectionHandlers } from '../run-view.ts'
import type { Effort } from '../types.ts'
import './run-tables.css'

interface EffortsTableProps {
  readonly efforts: readonly Effort[]
  readonly series: RunSeries | null
  readonly units: Units
  readonly view: RunView
}

/** The fastest stretch of each distance within this run, and where it was. */
export function EffortsTable({ efforts, series, units, view }: EffortsTableProps) {
  return (
    <Card title="Best efforts in this run" class="run-efforts">
      <table class="run-table run-best pointing">
        <thead>
          <tr>
            <th scope="col">Distance</th>
            <th scope="col">Time</th>
            <th scope="col">Pace</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {efforts.map((effort) => {
            const section = { fromS: effort.startS, toS: effort.endS }
            return (
              <tr key={effort.distance} {...sectionHandlers(view, section)}>
                <th scope="row">
                  <button
                    type="button"
                    class="split-name"
                    aria-label={`${effort.distance}: show in the charts`}
                    onClick={() => view.zoom.set(view.zoom.get()?.fromS === section.fromS ? null : section)}
                  >
                    {effort.distance}
                  </button>
                </th>
                <td class="run-best-time">{duration(effort.timeMs / 1000)}</td>
                <td>{text(pace(effort.timeMs / effort.distanceM, units))}</td>
                <td class="muted">{startText(series, effort.startS, units)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

function startText(series: RunSeries | null, startS: number, units: Units): string {
  const { distanceM = null } = series ?? {}
  if (series === null || distanceM === null) return duration(startS)
  return text(distance(distanceM[nearestRow(series.elapsedS, startS)]!, units, 1))
}
