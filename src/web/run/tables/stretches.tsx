import type { ComponentChildren } from 'preact'
import { Fragment } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { distance, distanceUnit, duration, elevation, number, pace, signed, text, type Units } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button, Icon } from '../../ui/button.tsx'
import { failureNotice, Lazy } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import type { MaybeSeries, Parts } from '../charts/series.ts'
import type { FixDialogProps } from '../fix/fix-dialog.tsx'
import { type Intervals, type Lap, type Split, sectionHandlers, useDrawing } from '../run-view.ts'
import {
  barLengths,
  extremesOf,
  intervalsText,
  lapRows,
  ownSplits,
  repetitionRows,
  type StretchGroup,
  type StretchRow,
  splitGroups,
  splitRows,
  unitsOf,
} from './rows.ts'

interface StretchesProps extends Shared, Parts<'run' | 'clock'> {
  /** Laps and intervals are loaded after the samples, which matter more. */
  readonly isReady: boolean
}

type Shared = MaybeSeries & Parts<'view'>

/** The parts of the run, each kind in its own tab. */
export function Stretches({ run, clock, isReady, series, view }: StretchesProps) {
  const units = useUnits()
  const shared = { series, view }
  const laps = useResource(isReady ? `/workouts/${run.id}/laps` : null)
  const intervals = useResource(isReady ? `/workouts/${run.id}/intervals` : null)
  const splits = useMemo(() => {
    const isOther = unitsOf(run.splits, units) !== units
    return (isOther && !run.hasRoute && series !== null ? ownSplits(series, units) : null) ?? run.splits
  }, [run.splits, run.hasRoute, series, units])
  const tabs: StretchTab[] = []
  if (run.splits.length > 0) {
    tabs.push({
      name: TERMS.splits,
      aside: <CutAnew run={run} />,
      content: <SplitsTable splits={splits} clock={clock} {...shared} />,
    })
  }
  // a single lap is the whole run
  if (laps.data !== null && laps.data.length > 1) {
    tabs.push({ name: 'Laps', content: <LapsTables laps={laps.data} clock={clock} {...shared} /> })
  }
  if (intervals.data !== null && intervals.data.sets.length > 0) {
    tabs.push({
      name: 'Intervals',
      ...(series === null ? {} : { aside: <EditReps run={run} series={series} /> }),
      content: <IntervalsTable intervals={intervals.data} {...shared} />,
    })
  }
  return <StretchTabs label="Splits and laps" tabs={tabs} />
}

/** Splits in kilometres or miles; for long runs in groups of five that can be opened. */
function SplitsTable({ splits, clock, series, view }: Shared & Parts<'clock'> & { splits: readonly Split[] }) {
  const units = useUnits()
  const cutIn = unitsOf(splits, units)
  const rows = useMemo(() => splitRows(splits, { cutIn, clock }), [splits, cutIn, clock])
  const groups = useMemo(() => splitGroups(rows), [rows])
  const [isWhole, setWhole] = useState(false)
  const [opened, setOpened] = useState<readonly string[]>([])
  const table = { caption: TERMS.splits, nameHead: distanceUnit(cutIn), series, view }
  if (groups === null) return <StretchTable {...table} rows={rows} />
  const toggle = ({ key }: StretchGroup) =>
    setOpened(opened.includes(key) ? opened.filter((other) => other !== key) : [...opened, key])
  const shown: readonly StretchRow[] = isWhole
    ? rows
    : groups.flatMap((group) => (opened.includes(group.key) ? [group, ...group.parts] : [group]))
  return (
    <>
      <StretchTable
        {...table}
        rows={shown}
        compared={isWhole || opened.length > 0 ? rows : groups}
        nameOf={(row) =>
          isGroup(row) && (
            <button
              type="button"
              class="split-name level gap-1 bare"
              aria-expanded={opened.includes(row.key)}
              aria-label={`${row.spoken}: ${opened.includes(row.key) ? 'show as one' : 'show each'}`}
              onClick={() => toggle(row)}
            >
              <Icon name={opened.includes(row.key) ? 'below' : 'right'} />
              {row.name}
            </button>
          )
        }
      />
      <div class="actions start above-3">
        <Button size="small" icon={isWhole ? 'above' : 'below'} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show in groups' : `Show all ${number(rows.length)} splits`}
        </Button>
      </div>
    </>
  )
}

function isGroup(row: StretchRow): row is StretchGroup {
  return 'parts' in row && Array.isArray(row.parts) && row.parts.length > 0
}

/**
 * Recomputes splits of another unit than the reader's at once; after a failure, a button tries again. Without a route,
 * the service does not compute them again; the page does.
 */
function CutAnew({ run }: Parts<'run'>) {
  const units = useUnits()
  const isWanted = run.hasRoute && unitsOf(run.splits, units) !== units
  const { isBusy, act } = useAction()
  /** The unit requested automatically, so that it is requested only once. */
  const asked = useRef<Units | null>(null)
  const cut = () => act(() => api.send('POST', `/workouts/${run.id}/recalculate-splits`))
  useEffect(() => {
    if (!isWanted || asked.current === units) return
    asked.current = units
    void cut()
  }, [isWanted, units])
  if (!isWanted) return null
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void cut()}>
      Split by {units === 'metric' ? 'kilometre' : 'mile'}
    </Button>
  )
}

/** Laps pressed by the runner or made automatically by the device; nested and overlapping ones in a table of their own. */
function LapsTables({ laps, clock, ...shared }: Shared & Parts<'clock'> & { laps: readonly Lap[] }) {
  const tables = useMemo(() => {
    const of = (series: number) => laps.filter((lap) => lap.series === series)
    return [lapRows(of(0), clock), lapRows(of(1), clock)]
  }, [laps, clock])
  return (
    <>
      {tables.map(
        (rows, k) =>
          rows.length > 0 && (
            <StretchTable
              key={k}
              caption={k === 0 ? 'Laps' : 'Overlapping laps'}
              nameHead="Lap"
              rows={rows}
              hasDistance
              {...shared}
            />
          ),
      )}
    </>
  )
}

/** The repetitions of a session by set, each with its recovery. */
function IntervalsTable({ intervals, ...shared }: Shared & { readonly intervals: Intervals }) {
  const units = useUnits()
  const { sets, summary } = intervals
  const rows = useMemo(() => sets.map(repetitionRows), [sets])
  return (
    <>
      {summary !== null && (
        <p class="below-3">
          <strong>{summary.title}</strong>{' '}
          {sets.length === 1 && <span class="muted">{intervalsText(summary, units)}</span>}
        </p>
      )}
      {sets.map((set, index) => (
        <Fragment key={index}>
          {sets.length > 1 && (
            <h3 class="above-4 below-3">
              {set.title} <span class="muted">{intervalsText(set, units)}</span>
            </h3>
          )}
          <StretchTable caption={`Reps, ${set.title}`} nameHead="#" rows={rows[index]!} hasDistance {...shared} />
        </Fragment>
      ))}
      {intervals.source === 'pace' && <p class="muted small">Detected from pace changes; no laps were recorded.</p>}
      {intervals.source === 'runner' && <p class="muted small">Corrected by you.</p>}
    </>
  )
}

/** Duration, and the drop of the heart rate. */
function Recovery({ of: recovery }: { readonly of: StretchRow['recovery'] }) {
  if (recovery == null) return null
  const { durationS, heartRateDropBpm } = recovery
  return (
    <>
      {duration(durationS)}
      {heartRateDropBpm !== null && <span class="recovery-drop muted"> {signed(-heartRateDropBpm)}&nbsp;bpm</span>}
    </>
  )
}

interface StretchTableProps extends Shared {
  /** Caption for screen readers. */
  readonly caption: string
  /** Heading of the first column: `km`, `Lap`. */
  readonly nameHead: string
  readonly rows: readonly StretchRow[]
  /** Rows that bars and marks compare; absent: `rows`. */
  readonly compared?: readonly StretchRow[]
  /** Whether rows have different lengths, which are then shown. */
  readonly hasDistance?: boolean
  /** Content of the first cell instead of the button that zooms the charts, for some rows. */
  readonly nameOf?: (row: StretchRow) => ComponentChildren
}

type Column = readonly [head: ComponentChildren, cell: (row: StretchRow) => ComponentChildren, kind?: string]

const GAP = <span title="Grade-adjusted pace: the equivalent pace on flat ground">GAP</span>

/** Stretches of the run as a table; pointing at a row shows it on map and charts, pressing it zooms there. */
function StretchTable(props: StretchTableProps) {
  const { caption, nameHead, rows, compared = rows, series, view, hasDistance = false } = props
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
          <span class="split-value bold">{pace(row.paceS, units).value}</span>
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
    rows.some(({ recovery }) => recovery !== undefined) && ['Recovery', ({ recovery }) => <Recovery of={recovery} />],
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
            <tr key={row.key} style={{ '--bar': `${barOf(row) * 100}%` }} {...sectionHandlers(view, row.section)}>
              <th scope="row">
                {props.nameOf?.(row) || <ZoomButton {...row} view={view} />}
                {row.kind != null && <span class="muted tiny"> {row.kind}</span>}
              </th>
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
      <Icon name={icon} class={icon === 'up' ? 'good' : ''} /> <span class="split-mark-name">{name}</span>
    </span>
  )
}

type ZoomButtonProps = Parts<'view'> & Pick<StretchRow, 'name' | 'section'> & Partial<Pick<StretchRow, 'spoken'>>

/** Zooms the charts to a row, and out again when pressed again. */
export function ZoomButton({ name, spoken = name, section, view }: ZoomButtonProps) {
  if (section === null) return <span>{name}</span>
  return (
    <button
      type="button"
      class="split-name bare"
      aria-label={`${spoken}: show on charts`}
      onClick={() => view.zoom.set(view.zoom.get()?.fromS === section.fromS ? null : section)}
    >
      {name}
    </button>
  )
}

/** Marks the row of the cursor of charts and map, without rendering the table. */
function useCursorRow(
  body: { readonly current: HTMLTableSectionElement | null },
  { rows, series, view }: Pick<StretchTableProps, 'rows' | 'series' | 'view'>,
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

interface StretchTab {
  readonly name: string
  /** Content at the right end of the tab line. */
  readonly aside?: ComponentChildren
  readonly content: ComponentChildren
}

/** A card with several tables in tabs; with only one, its name is the title. Arrow keys move between tabs. */
function StretchTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly StretchTab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const tab = tabs.find(({ name }) => name === chosen) ?? tabs[0]
  if (tab === undefined) return null
  const at = tabs.indexOf(tab)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(tabs[next]?.name ?? null)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const isAlone = tabs.length === 1
  return (
    <section class="card run-splits" aria-label={isAlone ? tab.name : label}>
      <div class="card-head">
        {isAlone ? (
          <h2>{tab.name}</h2>
        ) : (
          <div class="tabs level" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
            {tabs.map(({ name }) => (
              <button
                key={name}
                type="button"
                role="tab"
                class="tab bare muted"
                id={`${id}-${name}`}
                aria-selected={name === tab.name}
                aria-controls={`${id}-panel`}
                tabIndex={name === tab.name ? 0 : -1}
                onClick={() => setChosen(name)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        {tab.aside !== undefined && <div class="aside">{tab.aside}</div>}
      </div>
      <div
        {...(isAlone ? {} : { role: 'tabpanel' as const, id: `${id}-panel`, 'aria-labelledby': `${id}-${tab.name}` })}
      >
        {tab.content}
      </div>
    </section>
  )
}

/** The dialog of repairs, whose code is loaded when it is first opened. */
export function FixRun(props: FixDialogProps) {
  return <Lazy load={loadFix} props={props} waiting={failureNotice} />
}

const loadFix = () => import('../fix/fix-dialog.tsx').then(({ FixDialog }) => FixDialog)

function EditReps({ run, series }: Parts<'run' | 'series'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon="edit" onClick={() => setOpen(true)}>
        Edit reps
      </Button>
      {isOpen && <FixRun run={run} series={series} first="reps" onClose={() => setOpen(false)} />}
    </>
  )
}
