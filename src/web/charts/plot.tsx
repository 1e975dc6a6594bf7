import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { TableView, type TableViewProps } from './table-view.tsx'
import { type PlaceOptions, shareAt, usePlace } from './use-place.ts'
import { useWidth } from './use-width.ts'
import './charts.css'

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

interface Scale {
  readonly y: (value: number) => number
  readonly marks: readonly number[]
}

/** A scale with round marks that contains all values, of which there must be at least one. */
export function scaleOf(values: readonly number[], { top, height, isUpsideDown = false, steps }: ScaleOptions): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = steps.find((one) => (most - least) / one <= 4) ?? steps.at(-1)!
  const low = Math.floor(least / step) * step
  const high = Math.max(low + step, Math.ceil(most / step) * step)
  const marks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step)
  const share = (value: number) => (value - low) / (high - low)
  return { marks, y: (value) => top + (isUpsideDown ? share(value) : 1 - share(value)) * height }
}

interface ScaleOptions {
  readonly top: number
  readonly height: number
  /** Small values are high, as for paces. */
  readonly isUpsideDown?: boolean
  /** Round distances between marks, smallest first. */
  readonly steps: readonly number[]
}

/** A hollow dot is excluded from the calculation that the chart shows. */
export function Dot({
  x,
  y,
  isHollow = false,
  isPointed = false,
  title,
}: {
  readonly x: number
  readonly y: number
  readonly isHollow?: boolean
  readonly isPointed?: boolean
  readonly title: string
}) {
  return (
    <circle class={`tc-dot${isHollow ? ' hollow' : ''}`} cx={x} cy={y} r={isPointed ? 5 : 3}>
      <title>{title}</title>
    </circle>
  )
}
