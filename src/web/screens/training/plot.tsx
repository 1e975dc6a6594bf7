import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { type Steps, usePlace } from '../../charts/use-place.ts'
import { useWidth } from '../../charts/use-width.ts'
import { number } from '../../format.ts'
import '../../charts/charts.css'

/** Edges of plots, pixels from the sides of the drawing. */
export const LEFT = 40
export const RIGHT = 10

interface PlotProps {
  /** Includes what the arrow keys move through. */
  readonly label: string
  readonly height: number
  /** Number of places of the cursor. */
  readonly count: number
  /** The description of a place. */
  readonly tell: (place: number) => string
  /** The place at a pixel from the left. */
  readonly placeAt: (x: number, width: number) => number
  readonly steps?: Steps
  /** Called on Enter and mouse click; touching only moves the cursor. */
  readonly onOpen?: (place: number) => void
  /** Returns the SVG content; `place` is null while nothing is pointed at. */
  readonly draw: (width: number, place: number | null) => ComponentChildren
  /** Content after the description, such as a link. */
  readonly aside?: (place: number) => ComponentChildren
}

/** A chart with one cursor for mouse, finger and keys, whose place is described above it and for screen readers. */
export function Plot({ label, height, count, tell, placeAt, steps, onOpen, draw, aside }: PlotProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const isMouse = useRef(false)
  const at = ({ clientX, currentTarget, pointerType }: PointerEvent) => {
    isMouse.current = pointerType === 'mouse'
    if (!(currentTarget instanceof Element)) return null
    const x = clientX - currentTarget.getBoundingClientRect().left
    return Math.max(0, Math.min(count - 1, placeAt(x, width)))
  }
  const { place, handlers } = usePlace({
    count,
    at,
    ...(steps === undefined ? {} : { steps }),
    ...(onOpen === undefined ? {} : { onEnter: onOpen }),
  })
  const shown = Math.min(place ?? count - 1, count - 1)
  const told = tell(shown)
  return (
    <figure class="tc">
      <figcaption>
        <span aria-hidden="true">{told}</span> {aside?.(shown)}
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter does it, see usePlace */}
      <div
        ref={ref}
        class="chart pointable"
        style={{ height: `${height}px` }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={shown + 1}
        aria-valuetext={told}
        {...handlers}
        onClick={() => {
          if (place !== null && isMouse.current) onOpen?.(place)
        }}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            {draw(width, place)}
          </svg>
        )}
      </div>
    </figure>
  )
}

interface LevelProps {
  readonly y: number
  readonly width: number
  readonly text: string
  readonly isBase?: boolean
}

/** A grid line with its number. */
export function Level({ y, width, text, isBase = false }: LevelProps) {
  return (
    <g>
      <line class={isBase ? 'base' : 'grid'} x1={LEFT} x2={width - RIGHT} y1={y} y2={y} />
      <text class="tick" x={LEFT - 6} y={y + 4} text-anchor="end">
        {text}
      </text>
    </g>
  )
}

/** The name of a part of a chart, above it. */
export function PlotTitle({ y, text }: { readonly y: number; readonly text: string }) {
  return (
    <text class="tick strong" x={LEFT} y={y - 8}>
      {text}
    </text>
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

/** Such as `52 %`, from a share of 0 to 1. */
export function percent(share: number): string {
  return `${number(100 * share)}\u00a0%`
}
