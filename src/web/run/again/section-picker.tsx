import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { SHORTEST_RUN_S, SHORTEST_STRETCH_M } from '../../../engine/limits.ts'
import { date, distance, duration, number, signedTime, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Card, DataTable } from '../../ui/card.tsx'
import { TERMS } from '../../words.ts'
import { figuresText, nearestRow, type Parts, type RunSeries, sectionFigures } from '../charts/series.ts'
import { useInk } from '../ink.ts'
import { drawDot, pathStrokes, strokeSteps } from '../map/map-drawing.ts'
import { boxOf, fittedView, projected } from '../map/projection.ts'
import { trimmedRange } from '../map/route-colours.ts'
import { keySteps, type Passes, type Section, useDrawing } from '../run-view.ts'
import { passesSentences, startingSection } from './sections.ts'

export interface SectionPickerProps extends Parts<'runId' | 'series' | 'clock' | 'view'> {
  /** It is below the map, and has the passes of other runs; else it is within the charts, which have its numbers. */
  readonly hasRoute: boolean
}

/** Two handles over the whole run that set the stretch shown by charts, map and passes. */
export function SectionPicker({ runId, series, clock, view, hasRoute }: SectionPickerProps) {
  const units = useUnits()
  const group = useRef<HTMLDivElement>(null)
  const chosen = useStore(view.zoom)
  const lastS = series.elapsedS.at(-1)!
  const section = chosen ?? { fromS: 0, toS: lastS }
  useEffect(() => {
    if (view.zoom.get() === null) view.zoom.set(startingSection(series))
    group.current?.querySelector<HTMLElement>('[role=slider]')?.focus({ preventScroll: true })
    group.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const change = (from: number, to: number) => {
    const isStart = from !== section.fromS
    const fromS = Math.max(0, isStart ? Math.min(from, section.toS - SHORTEST_RUN_S) : section.fromS)
    const toS = Math.min(lastS, isStart ? section.toS : Math.max(to, section.fromS + SHORTEST_RUN_S))
    view.zoom.set({ fromS, toS })
  }
  const close = () => view.picking.set(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and margins of its own
    <div
      class="section-picker whole stack gap-2"
      role="group"
      aria-label="Section"
      ref={group}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <p class="muted small">
        {hasRoute
          ? 'Drag the ends, or tap the route: first where the section starts, then where it ends.'
          : 'Drag the ends, drag across a chart, or spread two fingers on it.'}
      </p>
      <StretchRange
        series={series}
        faint={[
          [0, section.fromS],
          [section.toS, lastS],
        ]}
        handles={[
          { label: 'Start of section', atS: section.fromS, onMove: (atS) => change(atS, section.toS) },
          { label: 'End of section', atS: section.toS, onMove: (atS) => change(section.fromS, atS) },
        ]}
      />
      <p class="small">
        {hasRoute && <strong>{figuresText(sectionFigures(series, section, clock), units)}</strong>}{' '}
        <span class="muted">{placeText(series, section, units)}</span>
      </p>
      {hasRoute && <PassesLine runId={runId} series={series} section={section} />}
      <div class="actions start">
        <Button size="small" kind="primary" onClick={close}>
          Done
        </Button>
        <Button
          size="small"
          onClick={() => {
            view.zoom.set(null)
            close()
          }}
        >
          Whole run
        </Button>
      </div>
    </div>
  )
}

/** `from 2.10 km to 3.40 km`. */
function placeText({ distanceM, elapsedS }: RunSeries, { fromS, toS }: Section, units: Units): string {
  const place = (atS: number) =>
    distanceM === null ? duration(atS) : text(distance(distanceM[nearestRow(elapsedS, atS)]!, units))
  return `from ${place(fromS)} to ${place(toS)}`
}

/** The first sentence on the passes of the section; the card below has all of them. */
function PassesLine({ runId, series, section }: PassesCardProps) {
  const passes = usePasses(runId, series, section)
  const [sentence] = passes === null ? [] : passesSentences(passes)
  return (
    <p class="small" role="status">
      {sentence ?? 'Select at least 100 m to see how often you’ve run here.'}{' '}
      {passes !== null && passes.count > 1 && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => document.querySelector('.run-again')?.scrollIntoView({ block: 'start' })}
        >
          See all times
        </Button>
      )}
    </p>
  )
}

interface PassesCardProps extends Parts<'runId' | 'series'> {
  readonly section: Section
}

/** A selection must be unchanged for this long before its passes are requested. */
const STABLE_MS = 350
const SHOWN = 8

/** All passes of the selected stretch, earlier and later. */
export function PassesCard({ runId, series, section }: PassesCardProps) {
  const data = usePasses(runId, series, section)
  const [isLong, setLong] = useState(false)
  if (data === null) return null
  const isFirst = data.count === 1
  const shown = isLong ? data.passes : data.passes.slice(0, SHOWN)
  return (
    <Card title={isFirst ? 'First time here' : 'Your times here'} class="run-again">
      <p class="below-3">{passesSentences(data).join(' ')}</p>
      {!isFirst && (
        <div class="table-frame">
          <DataTable
            class="run-table"
            heads={['Run', 'Direction', 'Elapsed', 'vs. this run', TERMS.hr]}
            rows={shown.map((pass) => rowOf(pass, data.own))}
          />
        </div>
      )}
      {!isFirst && !isLong && data.passes.length > SHOWN && (
        <Button size="small" kind="quiet" onClick={() => setLong(true)}>
          {data.passes.length < data.count
            ? `Show latest ${number(data.passes.length)}`
            : `Show all ${number(data.count)}`}
        </Button>
      )}
    </Card>
  )
}

function rowOf(pass: Passes['own'], own: Passes['own']) {
  const isOwn = pass.workoutId === own.workoutId && pass.startElapsedS === own.startElapsedS
  const isSame = pass.direction === 'same'
  return [
    isOwn ? (
      <strong>This run</strong>
    ) : (
      <Link href={`/app/runs/${pass.workoutId}`} title={pass.name ?? undefined}>
        {date(pass.startedAt, 'short', pass.utcOffsetMinutes)}
      </Link>
    ),
    isSame ? 'this way' : 'other way',
    duration(pass.elapsedS),
    isOwn || !isSame ? '' : signedTime(pass.elapsedS - own.elapsedS),
    pass.avgHeartRateBpm === null ? '' : `${number(pass.avgHeartRateBpm)}\u00a0bpm`,
  ]
}

/** All passes of a stretch, loaded once its selection is stable; null before, and for a stretch that is too short. */
function usePasses(runId: string, series: RunSeries, section: Section): Passes | null {
  const stretch = useStable(stretchText(series, section))
  return useResource(stretch === null ? null : `/workouts/${runId}/passes?${stretch}`).data
}

/** The metres of a section as a query; null for one that is too short. */
function stretchText({ distanceM, elapsedS }: RunSeries, { fromS, toS }: Section): string | null {
  if (distanceM === null) return null
  const fromM = Math.ceil(distanceM[nearestRow(elapsedS, fromS)]!)
  const toM = Math.floor(distanceM[nearestRow(elapsedS, toS)]!)
  return toM - fromM < SHORTEST_STRETCH_M ? null : `fromM=${fromM}&toM=${toM}`
}

function useStable<T>(value: T): T | null {
  const [stable, setStable] = useState<T | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), STABLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return stable
}

const WIDTH = 600
const HEIGHT = 90

interface Handle {
  readonly label: string
  readonly atS: number
  readonly onMove: (atS: number) => void
}

interface StretchRangeProps {
  readonly series: RunSeries
  readonly handles: readonly Handle[]
  /** Parts that are drawn faint, elapsed seconds. */
  readonly faint: readonly (readonly [fromS: number, toS: number])[]
}

/** The pace profile of the run with handles that are moved by mouse, finger or keys. */
export function StretchRange({ series, handles, faint }: StretchRangeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastS = series.elapsedS.at(-1)!
  const share = (atS: number) => (atS / lastS) * 100
  const path = useMemo(() => profilePath(series), [series])
  const secondsAt = (event: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect()
    return Math.round(((event.clientX - left) / width) * lastS)
  }
  return (
    <div class="crop-range" ref={frame}>
      <svg width="100%" height="100%" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path fill="color-mix(in srgb, var(--accent) 28%, transparent)" d={path} />
      </svg>
      {faint.map(([fromS, toS], k) => (
        <span key={k} class="crop-cut" style={{ left: `${share(fromS)}%`, width: `${share(toS - fromS)}%` }} />
      ))}
      {handles.map(({ label, atS, onMove }) => (
        <div
          key={label}
          class="crop-handle"
          style={{ left: `${share(atS)}%` }}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.round(lastS)}
          aria-valuenow={Math.round(atS)}
          aria-valuetext={duration(atS)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            event.currentTarget.focus()
            event.preventDefault()
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(secondsAt(event))
          }}
          onKeyDown={(event) => {
            const to = movedByKey(event, atS, lastS)
            if (to === null) return
            event.preventDefault()
            onMove(to)
          }}
        />
      ))}
    </div>
  )
}

/** The place after a key press. @returns null for other keys */
function movedByKey({ key, shiftKey }: KeyboardEvent, atS: number, lastS: number): number | null {
  if (key === 'Home' || key === 'End') return key === 'Home' ? 0 : lastS
  const step = keySteps(shiftKey ? 10 : 1, 60)[key]
  return step === undefined ? null : atS + step
}

/** Speed over time as a filled shape; gaps are drawn as standing. */
function profilePath({ elapsedS, metrics }: RunSeries): string {
  const values = metrics.pace ?? metrics.heartRate ?? metrics.elevation
  if (values === null) return ''
  const isPace = metrics.pace !== null
  const heights = values.map((value) => (isPace ? 1000 / value : value))
  const [low, high] = trimmedRange(heights, 0.01) ?? [0, 1]
  const floor = isPace ? 0 : low
  const lastS = elapsedS.at(-1)!
  const points: string[] = [`M0 ${HEIGHT}`]
  for (let x = 0; x <= WIDTH; x += 2) {
    const value = heights[nearestRow(elapsedS, (x / WIDTH) * lastS)]!
    const share = Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, (value - floor) / Math.max(1e-9, high - floor)))
    points.push(`L${x} ${(HEIGHT - share * (HEIGHT - 8)).toFixed(1)}`)
  }
  return `${points.join('')}L${WIDTH} ${HEIGHT}Z`
}

const SIZE = { width: 660, height: 220 }
const PADDING_PX = 18

interface RoutePartsProps {
  readonly series: RunSeries
  /** Ends of all parts but the last, elapsed seconds, ascending; each is marked by a dot. */
  readonly ends: readonly number[]
  readonly isColoured: (part: number) => boolean
  /** The ends are start and end of one stretch; their dots differ. */
  readonly isStretch?: boolean
}

/** The route with some of its parts in colour. */
export function RouteParts({ series, ends, isColoured, isStretch = false }: RoutePartsProps) {
  const ink = useInk()
  const canvas = useRef<HTMLCanvasElement>(null)
  const points = useMemo(
    () => (series.lat === null || series.lon === null ? null : projected(series.lat, series.lon)),
    [series],
  )
  useDrawing([], () => {
    const context = canvas.current?.getContext('2d')
    const box = points === null ? null : boxOf(points)
    if (canvas.current === null || context === null || context === undefined || points === null || box === null) return
    const ratio = window.devicePixelRatio
    canvas.current.width = SIZE.width * ratio
    canvas.current.height = SIZE.height * ratio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, SIZE.width, SIZE.height)
    const rows = ends.map((endS) => nearestRow(series.elapsedS, endS))
    const steps = Int8Array.from(points.x, (_, row) => (isColoured(rows.filter((end) => row > end).length) ? 1 : 0))
    const view = fittedView(box, SIZE, PADDING_PX)
    const strokes = pathStrokes(points, { view, size: SIZE, steps, isBreak: new Uint8Array(points.x.length) })
    context.lineJoin = 'round'
    context.lineCap = 'round'
    context.lineWidth = 3
    strokeSteps(context, strokes, [ink.faint, ink.accent])
    for (const [place, row] of rows.entries()) {
      const colour = isStretch && place === 0 ? ink.good : ink.text
      drawDot(context, { points }, { view, size: SIZE, row, colours: [colour, ink.surface] })
    }
  }, [series, points, ink, ends.join(), isColoured(0), isColoured(1)])
  if (points === null) return null
  return <canvas class="crop-route" ref={canvas} />
}
