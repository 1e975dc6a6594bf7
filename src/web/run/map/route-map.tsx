import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { runDay, unitLengthM } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/form.tsx'
import { failureNotice, Lazy } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import type { SectionPickerProps } from '../again/section-picker.tsx'
import { type End, startingSection, tappedSection } from '../again/sections.ts'
import { nearestRow, type Parts, type RunSeries } from '../charts/series.ts'
import { useInk, useSize, withContext } from '../ink.ts'
import { inNextFrame, useDrawing } from '../run-view.ts'
import { Legend, MapControls, PhotoPins, type Pin, useMapTiles } from './map-controls.tsx'
import { drawPointer, drawRoute, type Frame, type RouteDrawing, rowNear } from './map-drawing.ts'
import {
  boxOf,
  fittedView,
  mapKeys,
  pannedView,
  projected,
  type Size,
  useMapGestures,
  type View,
  zoomAtMiddle,
  zoomedView,
} from './projection.ts'
import { type RouteMetric, routeColours } from './route-colours.ts'
import { useTiles } from './tile-layer.ts'

interface RouteMapProps extends Parts<'series' | 'view'> {
  readonly photos: readonly Pin[]
  /** Text for screen readers. */
  readonly label: string
  /** Shown directly below the map. */
  readonly children: ComponentChildren
}

const PADDING_PX = 30
/** Height of the area with scale and buttons. */
const FOOT_PX = 26
const HOVER_PX = 28
const KEY_PAN_PX = 60
const NAMES: Readonly<Record<RouteMetric, string>> = { pace: TERMS.pace, heartRate: TERMS.heartRate, grade: 'Grade' }
/** No line is drawn across a longer gap between rows. */
const BREAK_S = 60

/**
 * The route drawn to scale, on a plain background or, where the runner turned it on, on a street map from our server.
 */
export function RouteMap({ series, view, photos, label, children }: RouteMapProps) {
  const units = useUnits()
  const ink = useInk()
  const available = useMemo(
    () => (['pace', 'heartRate', 'grade'] as const).filter((metric) => series.metrics[metric] !== null),
    [series],
  )
  const [metric, setMetric] = useState<RouteMetric>('pace')
  const chosen = available.includes(metric) ? metric : (available[0] ?? 'pace')
  const points = useMemo(() => projected(series.lat!, series.lon!), [series])
  const colours = useMemo(() => routeColours(series, chosen, { ink, units }), [series, chosen, ink, units])
  const streets = useMapTiles()
  const { tiles, isMissing } = useTiles(streets.isOn, ink, () => scheduleDrawing())
  const route = useMemo<RouteDrawing>(
    () => ({
      points,
      distanceM: series.distanceM,
      isBreak: breaksOf(series),
      colours,
      ink,
      units,
      unitM: unitLengthM(units),
      tiles,
    }),
    [points, colours, series, ink, units, tiles],
  )

  const frame = useRef<HTMLDivElement>(null)
  const ground = useRef<HTMLCanvasElement>(null)
  const pointer = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const place = useRef<View | null>(null)
  /** Set after the runner moved the map: resizing then keeps the position. */
  const isMoved = useRef(false)

  /** Which end of the stretch the next tap sets. */
  const nextEnd = useRef<End>('start')
  useEffect(
    () =>
      view.picking.watch(() => {
        nextEnd.current = 'start'
      }),
    [view],
  )

  const box = useMemo(() => boxOf(points), [points])
  const placedFor = useRef<readonly unknown[]>([])
  const placeNow = (): View | null => {
    if (box === null || size === null) return null
    const isNew = placedFor.current[0] !== size || placedFor.current[1] !== box
    if (place.current === null || (!isMoved.current && isNew)) {
      placedFor.current = [size, box]
      const clear = { ...size, height: size.height - FOOT_PX }
      place.current = pannedView(fittedView(box, clear, PADDING_PX), 0, -FOOT_PX / 2)
    }
    return place.current
  }
  const [pinned, setPinned] = useState<Frame | null>(null)
  const drawAll = () => {
    const at = placeNow()
    if (at === null || size === null) return
    if (photos.length > 0 && (pinned?.view !== at || pinned.size !== size)) setPinned({ view: at, size })
    withContext(ground.current, size, (context) => drawRoute(context, route, { view: at, size }))
    drawMoving()
  }
  const drawMoving = () => {
    const at = placeNow()
    if (at === null || size === null) return
    const section = view.section.get() ?? view.zoom.get()
    const rows =
      section === null
        ? null
        : ([nearestRow(series.elapsedS, section.fromS), nearestRow(series.elapsedS, section.toS)] as const)
    const row = view.cursor.get()
    // without a cursor where the ghost was at the end of this run
    const ghostRow = view.ghost.get()?.rowOf(row < 0 ? series.n - 1 : row) ?? -1
    withContext(pointer.current, size, (context) =>
      drawPointer(context, route, { view: at, size, rows, row, ghostRow }),
    )
  }
  useDrawing([], drawAll, [route, size, photos])
  useDrawing([view.cursor, view.section, view.zoom, view.ghost], drawMoving, [route, size])

  const move = (change: (at: View, size: Size) => View) => {
    const at = placeNow()
    if (at === null || size === null) return
    isMoved.current = true
    place.current = change(at, size)
    scheduleDrawing()
  }
  const latest = useRef(drawAll)
  latest.current = drawAll
  const drawLatest = useMemo(() => () => latest.current(), [])
  const scheduleDrawing = () => inNextFrame(drawLatest)
  const zoomMiddle = (factor: number) => zoomAtMiddle(move, factor)
  const showAll = () => {
    isMoved.current = false
    place.current = null
    drawAll()
  }
  useMapGestures(frame, {
    onPan: (dx, dy) => move((at) => pannedView(at, dx, dy)),
    onZoom: (factor, px, py) => move((at, area) => zoomedView(at, factor, { px, py, size: area })),
    onHover: (px, py) => {
      const at = place.current
      if (at === null || size === null) return
      view.cursor.set(rowNear(points, at, { px, py, size, mostPx: HOVER_PX }))
    },
    onLeave: () => view.cursor.set(-1),
    onTap: (px, py) => {
      const at = place.current
      if (at === null || size === null || !view.picking.get()) return
      const row = rowNear(points, at, { px, py, size, mostPx: HOVER_PX })
      if (row < 0) return
      const now = view.zoom.get() ?? startingSection(series)
      const end = nextEnd.current
      view.zoom.set(tappedSection(now, end, series.elapsedS[row]!, series.elapsedS.at(-1)!))
      nextEnd.current = end === 'start' ? 'end' : 'start'
    },
    onDouble: (px, py) => {
      // while a stretch is selected, two quick taps set both ends and do not zoom
      if (!view.picking.get()) move((at, area) => zoomedView(at, 2, { px, py, size: area }))
    },
    onSelect: (from, to) => {
      const at = place.current
      if (at === null || size === null) return
      const rows = [from, to].map(({ x, y }) => rowNear(points, at, { px: x, py: y, size, mostPx: HOVER_PX }))
      const [first, last] = [Math.min(...rows), Math.max(...rows)]
      if (first < 0 || first === last) return
      view.zoom.set({ fromS: series.elapsedS[first]!, toS: series.elapsedS[last]! })
    },
  })
  const onKeyDown = mapKeys({ move, panPx: KEY_PAN_PX, showAll })

  return (
    <section class="card run-map" aria-label="Route">
      <div class="map-window">
        <div
          class="map-frame"
          ref={frame}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved with the arrow keys
          tabIndex={0}
          role="application"
          aria-roledescription="map"
          aria-label={label}
          onKeyDown={onKeyDown}
        >
          <canvas ref={ground} />
          <canvas ref={pointer} />
        </div>
        <PhotoPins photos={photos} frame={pinned} onOpen={openInGallery} />
        <RaceChip view={view} />
        <MapControls
          isOnStreets={streets.isOn}
          isMissing={isMissing}
          onStreets={(isOn) => void streets.turn(isOn)}
          onZoom={zoomMiddle}
          onShowAll={showAll}
        />
      </div>
      {children}
      {available.length > 0 && (
        <div class="map-foot flow spread">
          {available.length > 1 ? (
            <Segments
              legend="Route colour"
              value={chosen}
              options={available.map((name) => [name, NAMES[name]] as const)}
              onValue={setMetric}
            />
          ) : (
            <span class="muted small">{NAMES[chosen]}</span>
          )}
          <div class="map-more flow spread">
            {colours !== null && <Legend colours={colours.colours} from={colours.lowText} to={colours.highText} />}
            <SectionButton view={view} />
          </div>
        </div>
      )}
    </section>
  )
}

/** The gallery below shows it enlarged. */
function openInGallery({ id }: Pin): void {
  document.getElementById(`media-${id}`)?.click()
}

/** Marks rows that are not connected with the position before them. */
function breaksOf({ elapsedS, lat, metrics }: RunSeries): Uint8Array {
  const isBreak = new Uint8Array(elapsedS.length)
  let last = -1
  for (let i = 0; i < elapsedS.length; i += 1) {
    if (Number.isNaN(lat![i]!)) continue
    const isPause = last >= 0 && i > last + 1 && metrics.pace !== null && elapsedS[i]! - elapsedS[last]! > BREAK_S
    if (isPause) isBreak[i] = 1
    last = i
  }
  return isBreak
}

const nothing = () => null

/** The passes of a section, once one is selected. */
export function Passes(props: Parts<'runId' | 'series' | 'view'>) {
  const section = useStore(props.view.zoom)
  return section && <Lazy load={loadPasses} props={{ ...props, section }} waiting={nothing} />
}

const loadPasses = () => import('../again/section-picker.tsx').then(({ PassesCard }) => PassesCard)

/** Which run is raced, on the map, with the way to end it. */
function RaceChip({ view }: Parts<'view'>) {
  const rival = useStore(view.rival)
  if (rival === null) return null
  return (
    <div class="race-chip level gap-1 small">
      Racing {runDay(rival)}
      <Button size="small" kind="quiet" aria-label="End the race" onClick={() => view.rival.set(null)}>
        End
      </Button>
    </div>
  )
}

/** Button that opens two handles to select a stretch by finger or keys. */
export function SectionButton({ view }: Parts<'view'>) {
  const isOpen = useStore(view.picking)
  return (
    <Button size="small" icon="section" aria-expanded={isOpen} onClick={() => view.picking.set(!isOpen)}>
      Select a section
    </Button>
  )
}

/** The handles, shown beside their button. */
export function SectionPlace(props: SectionPickerProps) {
  return useStore(props.view.picking) && <Lazy load={loadPicker} props={props} waiting={failureNotice} />
}

const loadPicker = () => import('../again/section-picker.tsx').then(({ SectionPicker }) => SectionPicker)
