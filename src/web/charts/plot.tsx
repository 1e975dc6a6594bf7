import { type ComponentChildren, createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { date, shiftedDay } from '../format.ts'
import { createStore, type Store, useStore } from '../store.ts'
import { DataTable } from '../ui/card.tsx'

/** The drawing of a plot and the ends of its horizontal axis, pixels. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  /** The pixel of a share of the axis. */
  readonly x: (share: number) => number
}

interface PlotProps extends PlaceOptions {
  readonly height: number
  /** Room beside the axis. */
  readonly left?: number
  readonly right?: number
  /** Where a place is on the axis, 0 to 1, ascending. */
  readonly shareOf: (place: number) => number
  /** What is drawn. */
  readonly of: readonly unknown[]
  /** Returns the SVG content, again only when the size or `of` changes. */
  readonly draw: (frame: Frame) => ComponentChildren
  /** Returns what is drawn over it at the cursor; by default a line. */
  readonly point?: (frame: Frame, place: number) => ComponentChildren
  /** Text above the drawing; by default the description of the place. `place` is null while nothing is pointed at. */
  readonly caption?: (place: number | null) => ComponentChildren
  /** Content after the description, such as a link. */
  readonly aside?: (place: number) => ComponentChildren
  readonly class?: string
  /** Lines are thin. */
  readonly isDense?: boolean
  /** Content between the drawing and its table, such as a key. */
  readonly children?: ComponentChildren
  readonly table?: TableViewProps
}

const Size = createContext<Frame>({ width: 0, height: 0, left: 0, right: 0, x: () => 0 })

/** The frame of the plot that a component is drawn in. */
export const useFrame = () => useContext(Size)

/** A drawing with one cursor for mouse, finger and keys, whose place is described above it and for screen readers. */
export function Plot(props: PlotProps) {
  const { height, left = 40, right = 10, count, shareOf, of, draw, caption, aside, isDense = false } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const nearest = (event: PointerEvent) => {
    const share = shareAt(event, left, right)
    let best = 0
    for (let place = 1; place < count; place += 1) {
      if (Math.abs(shareOf(place) - share) <= Math.abs(shareOf(best) - share)) best = place
    }
    return best
  }
  const { place, shown, stated, attributes } = usePlace(nearest, props)
  const frame = useMemo(() => {
    const x = (share: number) => left + share * (width - left - right)
    return { width, height, left, right: width - right, x }
  }, [width, height, left, right])
  const drawn = useMemo(() => width > 0 && draw(frame), [frame, ...of])
  const point = props.point ?? (({ x }: Frame, at: number) => <Line at={x(shareOf(at))} />)
  return (
    <>
      <figure class={props.class ?? 'tc'}>
        <figcaption>
          {caption?.(place) || (
            <>
              <span aria-hidden="true">{stated}</span> {aside?.(shown)}
            </>
          )}
        </figcaption>
        <div
          ref={ref}
          class={count === 0 ? 'chart' : 'chart pointable'}
          style={{ height: `${height}px` }}
          {...attributes}
        >
          {width > 0 && (
            <svg width={width} height={height} aria-hidden="true" class={isDense ? 'dense' : ''}>
              <Size.Provider value={frame}>
                {drawn}
                {place !== null && point(frame, place)}
              </Size.Provider>
            </svg>
          )}
        </div>
      </figure>
      {props.children}
      {props.table !== undefined && <TableView {...props.table} />}
    </>
  )
}

/** A vertical line through all parts of a plot. */
export function Line({ at, class: name = 'pointer' }: { readonly at: number; readonly class?: string }) {
  return <line class={name} x1={at} x2={at} y1={12} y2={useFrame().height - 26} />
}

interface LevelProps {
  readonly y: number
  readonly text: string
  readonly isBase?: boolean
}

/** A grid line with its number. */
export function Level({ y, text, isBase = false }: LevelProps) {
  const { left, right } = useFrame()
  return (
    <g>
      <line class={isBase ? 'base' : 'grid'} x1={left} x2={right} y1={y} y2={y} />
      <text class="tick" x={left - 6} y={y + 4} text-anchor="end">
        {text}
      </text>
    </g>
  )
}

interface LevelsProps {
  readonly at: readonly number[]
  readonly y: (mark: number) => number
  readonly text: (mark: number) => string
  /** The mark that is the base line. */
  readonly base?: number
}

/** Grid lines at the marks of a scale. */
export function Levels({ at, y, text, base = 0 }: LevelsProps) {
  return at.map((mark) => <Level key={mark} y={y(mark)} text={text(mark)} isBase={Math.abs(mark - base) < 1e-6} />)
}

/** A dashed line that values are compared with. */
export function Limit({ y }: { readonly y: number }) {
  const { left, right } = useFrame()
  return <line class="band-average" x1={left} x2={right} y1={y} y2={y} />
}

/** The name of a part of a chart, above it. */
export function PlotTitle({ y, text }: { readonly y: number; readonly text: string }) {
  return (
    <text class="tick strong" x={useFrame().left} y={y - 8}>
      {text}
    </text>
  )
}

/** What both ends of the axis are. */
export function Ends({ from, to }: { readonly from: string; readonly to: string }) {
  const { left, right, height } = useFrame()
  return (
    <g>
      <text class="tick" x={left} y={height - 6}>
        {from}
      </text>
      <text class="tick" x={right} y={height - 6} text-anchor="end">
        {to}
      </text>
    </g>
  )
}

/** A scale with round marks that contains all values, of which there must be at least one. */
export function scaleOf(values: readonly number[], { top, height, isUpsideDown = false, steps }: ScaleOptions) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = steps.find((one) => (most - least) / one <= 4) ?? steps.at(-1)!
  const low = Math.floor(least / step) * step
  const high = Math.max(low + step, Math.ceil(most / step) * step)
  const marks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step)
  const share = (value: number) => (value - low) / (high - low)
  return { marks, y: (value: number) => top + (isUpsideDown ? share(value) : 1 - share(value)) * height }
}

interface ScaleOptions {
  readonly top: number
  readonly height: number
  /** Small values are high, as for paces. */
  readonly isUpsideDown?: boolean
  /** Round distances between marks, smallest first. */
  readonly steps: readonly number[]
}

interface DotProps {
  readonly x: number
  readonly y: number
  readonly isHollow?: boolean
  readonly isPointed?: boolean
  readonly title: string
}

/** A hollow dot is excluded from the calculation that the chart shows. */
export function Dot({ x, y, isHollow = false, isPointed = false, title }: DotProps) {
  return (
    <circle class="tc-dot" style={{ fill: isHollow ? 'var(--surface)' : '' }} cx={x} cy={y} r={isPointed ? 5 : 3}>
      <title>{title}</title>
    </circle>
  )
}

/** Possible distances between shown month names; each includes January. */
const EVERY = [1, 2, 3, 4, 6, 12, 24, 60] as const
/** Room for one name, and for the last one before the right edge, pixels. */
const NAME_PX = 56
const LAST_PX = 24

/** Names of months at the pixels of their first days, as many as fit; years alone when only one month of each fits. */
function MonthNames({ firsts }: { readonly firsts: readonly { readonly day: string; readonly x: number }[] }) {
  const { left, width, height } = useFrame()
  const fitting = Math.max(1, Math.floor((width - left) / NAME_PX))
  const every = EVERY.find((months) => firsts.length / months <= fitting) ?? 120
  return (
    <g>
      {firsts.map(
        ({ day, x }) =>
          (12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1) % every === 0 &&
          x < width - LAST_PX && (
            <text key={day} class="tick" x={x} y={height - 6}>
              {every >= 12
                ? day.slice(0, 4)
                : date(day, day.endsWith('-01-01') && width > 500 ? 'shortMonthYear' : 'month')}
            </text>
          ),
      )}
    </g>
  )
}

interface DayAxisProps {
  /** First and last day, ISO. */
  readonly from: string
  readonly to: string
  /** The place of a day between them. */
  readonly x: (day: string) => number
}

/** The axis of a chart over days: names of months, and both ends where there are too few of them. */
export function DayAxis({ from, to, x }: DayAxisProps) {
  const firsts: { day: string; x: number }[] = []
  for (let day = from; day <= to; day = nextMonth(day)) if (day.endsWith('-01')) firsts.push({ day, x: x(day) })
  if (firsts.length > 1) return <MonthNames firsts={firsts} />
  return <Ends from={date(from, 'day')} to={date(to, 'day')} />
}

/** The first day of the month after that of a day. */
function nextMonth(day: string): string {
  return `${shiftedDay(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
}

/** Key names, and by how many places each moves. */
export type Steps = Readonly<Record<string, number>>

interface PlaceOptions {
  /** Includes what the arrow keys move through. */
  readonly label: string
  /** Number of places, 0 to `count` - 1. */
  readonly count: number
  /** The description of a place. */
  readonly textAt: (place: number) => string
  readonly steps?: Steps | undefined
  /** What is described while nothing is pointed at, and from where the first arrow key moves; by default the last one. */
  readonly start?: number | undefined
  /** Called on Enter and click. */
  readonly onOpen?: ((place: number) => void) | undefined
  /** Touching only moves the cursor, as there is a link beside it. */
  readonly isOpenedByMouse?: boolean | undefined
  /** The cursor, where others share it; -1: none. */
  readonly cursor?: Store<number> | undefined
}

const ALONG: Steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4 }

/**
 * The cursor of a chart for mouse, finger and keys, and the attributes of its element. A finger that scrolls the page
 * vertically, Escape and leaving the chart end the pointing.
 * @param at the place under a pointer; null: none
 */
export function usePlace(at: (event: PointerEvent) => number | null, options: PlaceOptions) {
  const { label, count, textAt, steps = ALONG, start = count - 1, onOpen, isOpenedByMouse = false } = options
  const own = useMemo(() => createStore(-1), [])
  const cursor = options.cursor ?? own
  const pointed = useStore(cursor)
  const isMouse = useRef(false)
  const place = pointed < 0 || count === 0 ? null : Math.min(pointed, count - 1)
  const shown = place ?? start
  const stated = count === 0 ? '' : textAt(shown)
  const leave = () => cursor.set(-1)
  const point = (event: PointerEvent) => {
    isMouse.current = event.pointerType === 'mouse'
    cursor.set(at(event) ?? -1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = steps[event.key]
    if (by !== undefined) cursor.set(Math.max(0, Math.min(count - 1, (place ?? start) + by)))
    else if (event.key === 'Home') cursor.set(0)
    else if (event.key === 'End') cursor.set(count - 1)
    else if (event.key === 'Escape' && place !== null) leave()
    else if (event.key === 'Enter' && place !== null && onOpen !== undefined) onOpen(place)
    else return
    event.preventDefault()
  }
  if (count === 0) return { place, shown, stated, attributes: { role: 'img' as const, 'aria-label': label } }
  const attributes = {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': count,
    'aria-valuenow': Math.max(1, Math.min(shown + 1, count)),
    'aria-valuetext': stated,
    onKeyDown,
    onPointerDown: point,
    onPointerMove: point,
    // after touching, the place stays when the finger is lifted
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && leave(),
    onPointerCancel: leave,
    onBlur: leave,
    onClick: () => {
      if (place !== null && (isMouse.current || !isOpenedByMouse)) onOpen?.(place)
    },
  }
  return { place, shown, stated, attributes }
}

/** The share of an element's width at which a pointer is, without its margins. */
export function shareAt({ clientX, currentTarget }: PointerEvent, left = 0, right = 0): number {
  const box = (currentTarget as Element).getBoundingClientRect()
  return (clientX - box.left - left) / Math.max(1, box.width - left - right)
}

/** The width of an element in CSS pixels, which renders again whenever it changes; 0 before the first layout. */
function useWidth<T extends Element>(): readonly [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

interface TableViewProps {
  readonly caption: string
  readonly summary?: string
  readonly heads: readonly string[]
  /** Called when the table is opened; the first cell names the row. */
  readonly rows: () => readonly (readonly ComponentChildren[])[]
}

/** The data of a chart as a table. */
export function TableView({ caption, summary = 'As a table', heads, rows }: TableViewProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="table-view above-3 small" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller has to be reached by keys
        <section tabIndex={0} aria-label={caption}>
          <DataTable caption={caption} heads={heads} rows={rows()} />
        </section>
      )}
    </details>
  )
}
