import { duration, number } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { TERMS } from '../../words.ts'
import { ZONE_NAMES } from '../../zone-names.ts'
import type { Detail, Zones } from '../types.ts'
import { secondsWithin } from './zone-seconds.ts'
import './run-tables.css'

/** Time in each heart-rate zone. */
export function ZonesBar({ run, zones }: { readonly run: Detail; readonly zones: Zones | null }) {
  const seconds = secondsWithin(run.hrZoneSeconds ?? [], run.timerTimeS ?? run.durationS)
  const total = seconds.reduce((sum, value) => sum + value, 0)
  if (total === 0) return null
  return (
    <Card title="Time in zones" class="run-zones">
      <div class="zones-bar" aria-hidden="true">
        {seconds.map((value, k) => (
          <span key={k} class={`zone-part zone${k + 1}`} style={{ flexGrow: value }} hidden={value === 0} />
        ))}
      </div>
      <table class="run-table zones-table">
        <thead class="hidden-text">
          <tr>
            <th scope="col">Zone</th>
            <th scope="col">{TERMS.hr}</th>
            <th scope="col">{TERMS.time}</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {seconds
            .map((value, k) => (
              <tr key={k}>
                <th scope="row">
                  <span class={`zone-dot zone${k + 1}`} aria-hidden="true" />
                  <span class="zone-number">{k + 1}</span> {ZONE_NAMES[k]}
                </th>
                <td class="muted">{boundsText(zones, k)}</td>
                <td>{duration(value)}</td>
                <td class="muted">{number((value / total) * 100)}%</td>
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </Card>
  )
}

function boundsText(zones: Zones | null, k: number): string {
  const zone = zones?.zones[k]
  if (zone === undefined) return ''
  const next = zones?.zones[k + 1]
  return next === undefined ? `${zone.minBpm}+` : `${zone.minBpm}–${next.minBpm - 1}`
}
