import type { ComponentChildren } from 'preact'
import { duration, number } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { TERMS } from '../../words.ts'
import { ZONE_NAMES } from '../../zone-names.ts'
import type { Detail, Zones } from '../types.ts'
import { secondsWithin } from './zone-seconds.ts'
import './run-tables.css'

/** Time in each heart-rate zone. */
export function ZonesBar({ run, zones }: { readonly run: Detail; readonly zones: Zones | null }) {
  const seconds = secondsWithin(run.hrZoneSeconds ?? [], run.timerTimeS ?? run.durationS)
  if (seconds.every((value) => value === 0)) return null
  const nameOf = (k: number) => (
    <>
      <span class="zone-number">{k + 1}</span> {ZONE_NAMES[k]}
    </>
  )
  return (
    <Card title="Time in zones" class="run-zones">
      <ZoneTimes caption="Time in zones" seconds={seconds} nameOf={nameOf} boundsOf={(k) => boundsText(zones, k)} />
    </Card>
  )
}

interface ZoneTimesProps {
  readonly caption: string
  /** By zone, not all 0. */
  readonly seconds: readonly number[]
  /** Zones are counted from 0. */
  readonly nameOf: (zone: number) => ComponentChildren
  /** Heart rates of a zone. */
  readonly boundsOf?: (zone: number) => string
}

/** The times of five zones as a bar and as a table. */
export function ZoneTimes({ caption, seconds, nameOf, boundsOf }: ZoneTimesProps) {
  const total = seconds.reduce((sum, value) => sum + value, 0)
  return (
    <>
      <div class="zones-bar" aria-hidden="true">
        {seconds.map((value, k) => (
          <span key={k} class="zone-part" style={{ flexGrow: value, background: zoneColour(k) }} hidden={value === 0} />
        ))}
      </div>
      <DataTable
        class="run-table zones-table"
        caption={caption}
        hidesHeads
        heads={['Zone', ...(boundsOf ? [TERMS.hr] : []), TERMS.time, 'Share']}
        rows={seconds
          .map((value, k) => [
            <>
              <span class="zone-dot" style={{ background: zoneColour(k) }} aria-hidden="true" />
              {nameOf(k)}
            </>,
            ...(boundsOf ? [<span class="muted">{boundsOf(k)}</span>] : []),
            duration(value),
            <span class="muted">{number((value / total) * 100)}%</span>,
          ])
          .reverse()}
      />
    </>
  )
}

const zoneColour = (zone: number) => `var(--zone${zone + 1})`

function boundsText(zones: Zones | null, k: number): string {
  const zone = zones?.zones[k]
  if (zone === undefined) return ''
  const next = zones?.zones[k + 1]
  return next === undefined ? `${zone.minBpm}+` : `${zone.minBpm}–${next.minBpm - 1}`
}
