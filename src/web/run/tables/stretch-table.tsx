import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { distance, duration, elevation, number, pace, text, type Units } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Icon } from '../../ui/icon.tsx'
import { TERMS } from '../../words.ts'
import type { RunSeries } from '../charts/series.ts'
import { type RunView, sectionHandlers, useDrawing } from '../run-view.ts'
import { barLengths, extremesOf, type StretchRow } from './stretch-rows.ts'
import './run-tables.css'

interface StretchTableProps {
  /** Caption for screen readers. */
  readonly caption: string
  /** Heading of the first column: `km`, `Lap`. */
  readonly nameHead: string
  readonly rows: readonly StretchRow[]
  /** Rows that bars and marks compare; absent: `rows`. */
  readonly compared?: readonly StretchRow[]
  /** null: there are no samples, so no cursor marks a row. */
  readonly series: RunSeries | null
  readonly view: RunView
  /** Whether rows have different lengths, which are then shown. */
  readonly hasDistance?: boolean
  /** Content of the first cell instead of the button that zooms the charts. */
  readonly nameOf?: (row: StretchRow) => ComponentChildren
  /** An additional last column. */
  readonly extra?: { readonly head: string; readonly cell: (row: StretchRow) => ComponentChildren }
  readonly rowClass?: (row: StretchRow) => string
}

type Column = readonly [head: ComponentChildren, cell: (row: StretchRow) => ComponentChildren, kind?: string]

const GAP = <abbr title="Grade-adjusted pace: the equivalent pace on flat ground">GAP</abbr>

/** Stretches of the run as a table; pointing at a row shows it on map and charts, pressing it zooms there. */
export function StretchTable(props: StretchTableProps) {
  const { caption, nameHead, rows, compared = rows, series, view, hasDistance = false, extra } = props
  const units = useUnits()
  const body = useRef<HTMLTableSectionElement>(null)
  useCursorRow(body, { rows, series, view })
  const has = (name: keyof StretchRow) => rows.some((row) => row[name] !== null)
  const hasTotal = has('totalS')
  const barOf = barLengths(compared)
  const extremes = extremesOf(compared)
  const columns: readonly (Column | false)[] = [
    hasDistance && [TERMS.distance, ({ distanceM }) => (distanceM === null ? '–' : text(distance(distanceM, units)))],
    [
      `Pace ${pace(null, units).unit}`,
      (row) => (
        <>
          <span class={row.isUncompared ? 'split-bar faint' : 'split-bar'} aria-hidden="true" />
          <span class="split-value">{pace(row.paceS, units).value}</span>
          {row.key === extremes?.fastest && <Mark icon="up" name="fastest" />}
          {row.key === extremes?.slowest && <Mark icon="down" name="slowest" />}
        </>
      ),
      'split-pace',
    ],
    has('gapPaceS') && [GAP, ({ gapPaceS }) => pace(gapPaceS, units).value, 'if-roomy'],
    has('heartRateBpm') && [TERMS.hr, ({ heartRateBpm }) => number(heartRateBpm)],
    // a phone has room for only one of the two columns
    has('gainM') && ['Elev gain', (row) => climbText(row, units), hasDistance ? 'split-climb if-wide' : 'split-climb'],
    has('cadenceSpm') && [TERMS.cadence, ({ cadenceSpm }) => number(cadenceSpm), 'if-wide'],
    has('powerWatts') && [TERMS.power, ({ powerWatts }) => number(powerWatts), 'if-wide'],
    [TERMS.time, ({ timeS }) => duration(timeS), hasTotal ? 'if-wide' : ''],
    hasTotal && ['Total', ({ totalS }) => duration(totalS), 'split-total'],
    extra !== undefined && [extra.head, extra.cell],
  ]
  const shown = columns.filter((column) => column !== false)
  return (
    <div class="table-frame">
      <table class="run-table splits pointing">
        <caption class="hidden-text">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{nameHead}</th>
            {shown.map(([head, , kind = ''], place) => (
              <th key={place} scope="col" class={kind}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={row.key}
              class={props.rowClass?.(row) ?? ''}
              style={{ '--bar': `${barOf(row) * 100}%` }}
              {...sectionHandlers(view, row.section)}
            >
              <th scope="row">{props.nameOf?.(row) ?? <ZoomButton row={row} view={view} />}</th>
              {shown.map(([, cell, kind = ''], place) => (
                <td key={place} class={kind}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Mark({ icon, name }: { readonly icon: 'up' | 'down'; readonly name: 'fastest' | 'slowest' }) {
  return (
    <span class={`split-mark tiny ${name}`} title={name}>
      <Icon name={icon} />
      <span class="split-mark-name">{name}</span>
    </span>
  )
}

/** Zooms the charts to a row, and out again when pressed again. */
export function ZoomButton({ row, view }: { readonly row: StretchRow; readonly view: RunView }) {
  const { section } = row
  if (section === null) return <span>{row.name}</span>
  return (
    <button
      type="button"
      class="split-name bare"
      aria-label={`${row.spoken}: show on charts`}
      onClick={() => view.zoom.set(view.zoom.get()?.fromS === section.fromS ? null : section)}
    >
      {row.name}
    </button>
  )
}

type CursorRowOptions = Pick<StretchTableProps, 'rows' | 'series' | 'view'>

/** Marks the row of the cursor of charts and map, without rendering the table. */
function useCursorRow(
  body: { readonly current: HTMLTableSectionElement | null },
  { rows, series, view }: CursorRowOptions,
): void {
  useDrawing([view.cursor], () => {
    const row = view.cursor.get()
    const atS = row < 0 ? null : (series?.elapsedS[row] ?? null)
    const at = atS === null ? -1 : rowAt(rows, atS)
    const marked = body.current?.querySelector('.under-cursor')
    const next = body.current?.rows[at] ?? null
    if (marked === next) return
    marked?.classList.remove('under-cursor')
    next?.classList.add('under-cursor')
  }, [rows, series])
}

/** The innermost row at an elapsed second; -1: none. */
function rowAt(rows: readonly StretchRow[], atS: number): number {
  const endS = Math.max(...rows.map(({ section }) => section?.toS ?? 0))
  return rows.findLastIndex(({ section }) => {
    if (section === null) return false
    return atS >= section.fromS && (atS < section.toS || (atS === section.toS && atS === endS))
  })
}

function climbText({ gainM, lossM }: StretchRow, units: Units): string {
  return `+${elevation(gainM, units).value} −${elevation(lossM, units).value}`
}
