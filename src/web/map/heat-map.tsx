import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted, distance, number, runDay, runName, text } from '../format.ts'
import { Link, navigate } from '../router.ts'
import { type Ink, useInk, useSize, withContext } from '../run/ink.ts'
import { Legend, MapChoice, MapSource, PhotoPins, type Pin, useMapTiles } from '../run/map/map-controls.tsx'
import { drawGrid, drawScale, type Frame } from '../run/map/map-drawing.ts'
import {
  fittedView,
  latitudeAt,
  mapKeys,
  metresPerPixel,
  pannedView,
  type Size,
  useMapGestures,
  type View,
  worldY,
  zoomAtMiddle,
  zoomedView,
} from '../run/map/projection.ts'
import { TILE_PX, useTiles } from '../run/map/tile-layer.ts'
import { inNextFrame } from '../run/run-view.ts'
import { useResource, useUnits } from '../state.ts'
import type { Answer } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { createHeatLayer, heatRamp, runsOf } from './heat-layer.ts'
import {
  type MapFilter,
  nameOf,
  PHOTOS,
  type Place,
  pixelOf,
  runsQuery,
  SQUARES,
  spotOf,
  viewAt,
} from './map-address.ts'
import { createSquaresLayer, SquaresLegend } from './squares.tsx'

interface HeatMapProps {
  readonly filter: MapFilter
  /** Of all runs. */
  readonly all: Answer<'/map/heat'>
  /** Of those of the filter; null: not known yet. */
  readonly heat: Answer<'/map/heat'> | null
  readonly places: readonly Place[]
  /** null: not shown, or not known yet. */
  readonly squares: Answer<'/map/squares'> | null
  /** The view to begin with; null: fitted to the runs. */
  readonly first: View | null
  /** A view to show, once for each value; null: none was asked for. */
  readonly shown: { readonly view: View } | null
  /** Called with the view after it was moved. */
  readonly onView: (view: View) => void
}

/** Runs that all together need a wider view are not all fitted at first. */
const LEAST_ZOOM = 11
const PADDING_PX = 40
const KEY_PAN_PX = 80
/** How far from a tap a run is found. */
const TAP_PX = 10
const RADIUS_M = { least: 5, most: 200 } as const
/** Counts above are known within 4 %. */
const EXACT_RUNS = 33

/** The heat map on a plain ground or, where turned on, on a street map from our server. */
export function HeatMap({ filter, all, heat: answer, places, squares: growing, first, shown, onView }: HeatMapProps) {
  const query = runsQuery(filter).toString()
  const [isOfSquares, hasPhotos] = [filter.layer === SQUARES, filter.layer === PHOTOS]
  const ink = useInk()
  const units = useUnits()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const place = useRef<View | null>(first)
  const [hovered, setHovered] = useState<{ px: number; py: number; text: string } | null>(null)
  const [tapped, setTapped] = useState<string | null>(null)
  const [most, setMost] = useState(0)
  const [isWide, setWide] = useState(false)
  const [pinned, setPinned] = useState<Frame | null>(null)
  const { data: found } = useResource(hasPhotos && pinned !== null ? photosPath(pinned, query) : null)
  /** Those of the view before stay until the next ones are there. */
  const photos = useRef<readonly Pin[]>([])
  if (found !== null) photos.current = found.photos

  const latest = useRef(() => {})
  const drawLatest = useMemo(() => () => latest.current(), [])
  const schedule = () => inNextFrame(drawLatest)
  const streets = useMapTiles()
  const { tiles, isMissing } = useTiles(streets.isOn, ink, schedule)
  const asked = useRef(query)
  const [heat, squares] = useMemo(
    () =>
      [
        createHeatLayer(() => `?${asked.current}`, schedule),
        createSquaresLayer(() => (asked.current === '' ? '' : `&${asked.current}`), schedule),
      ] as const,
    [],
  )
  useEffect(
    () => () => {
      heat.stop()
      squares.stop()
    },
    [],
  )
  useEffect(() => {
    const isOther = asked.current !== query
    asked.current = query
    if (isOther) setTapped(null)
    heat.renew()
    squares.renew()
    schedule()
    // what the map shows is outdated when the library changes
  }, [query, answer])

  /** @param box null: there are no runs */
  const fitted = (area: Size, box = all.bounds): View => {
    if (box === null) return viewAt({ lat: 20, lon: 0 }, 2)
    const [west, east] = [box.west / 360 + 0.5, box.east / 360 + 0.5]
    return fittedView({ west, east, north: worldY(box.north), south: worldY(box.south) }, area, PADDING_PX)
  }
  const viewNow = (): View | null => {
    if (size === null) return null
    // until it is moved it follows the size
    if (place.current !== null) return place.current
    const whole = fitted(size)
    // about home where all together need a wide view, as with holidays
    const isNear = all.around === null || Math.log2(whole.scale / TILE_PX) >= LEAST_ZOOM
    return isNear ? whole : fitted(size, all.around)
  }
  const draw = () => {
    const view = viewNow()
    if (view === null || size === null) return
    withContext(canvas.current, size, (context) => {
      context.fillStyle = ink.ground
      context.fillRect(0, 0, size.width, size.height)
      if (tiles === null) drawGrid(context, ink, { view, size })
      else tiles.draw(context, { view, size })
      const isDrawn = isOfSquares
        ? squares.draw(context, { view, size }, { ink, growing })
        : heat.draw(context, { view, size }, ink)
      drawPlaces(context, places, { view, size, ink, isWide: !isDrawn })
      setWide(!isDrawn)
      drawScale(context, { ink, units }, { view, size })
    })
    setMost(heat.most())
    if (hasPhotos && (pinned?.view !== view || pinned.size !== size)) setPinned({ view, size })
  }
  latest.current = draw
  useEffect(schedule, [size, ink, units, tiles, places, isOfSquares, hasPhotos, growing])

  const move = (change: (view: View, area: Size) => View) => {
    const view = viewNow()
    if (view === null || size === null) return
    place.current = change(view, size)
    setHovered(null)
    schedule()
    onView(place.current)
  }
  useEffect(() => {
    if (shown !== null) move(() => shown.view)
  }, [shown])
  const list = (px: number, py: number) => {
    const view = viewNow()
    if (view === null || size === null) return
    const { lat, lon } = spotOf({
      x: view.x + (px - size.width / 2) / view.scale,
      y: view.y + (py - size.height / 2) / view.scale,
    })
    const radiusM = Math.min(RADIUS_M.most, Math.max(RADIUS_M.least, TAP_PX * metresPerPixel(view)))
    const spot = new URLSearchParams({ lat: lat.toFixed(6), lon: lon.toFixed(6), radiusM: radiusM.toFixed(1) })
    setTapped(query === '' ? `${spot}` : `${spot}&${query}`)
  }
  useMapGestures(frame, {
    isWhole: true,
    onPan: (dx, dy) => move((view) => pannedView(view, dx, dy)),
    onZoom: (factor, px, py) => move((view, area) => zoomedView(view, factor, { px, py, size: area })),
    onHover: (px, py) => {
      const view = viewNow()
      if (view === null || size === null) return
      const text = isOfSquares
        ? runsText(squares.runsAt({ view, size }, px, py))
        : countText(heat.codeAt({ view, size }, px, py))
      setHovered(text === null ? null : { px, py, text })
    },
    onLeave: () => setHovered(null),
    onTap: list,
    onDouble: (px, py) => move((view, area) => zoomedView(view, 2, { px, py, size: area })),
    onSelect: () => {},
  })
  const showAll = () => move((_, area) => fitted(area))
  const more = {
    Enter: () => size !== null && list(size.width / 2, size.height / 2),
    Escape: () => setTapped(null),
  }
  const onKeyDown = mapKeys({ move, panPx: KEY_PAN_PX, showAll, more })
  const named = places.find(({ name }) => name !== null)
  const label =
    answer === null
      ? 'Heat map'
      : `Heat map: ${counted(answer.runs, 'run')}${named === undefined ? '' : `, most around ${named.name}`}`
  return (
    <section class="heat-map" aria-label="Heat map">
      <div
        class="map-frame"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved with the arrow keys
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label={`${label}. Arrow keys move, + and − zoom, Enter lists the runs in the middle`}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
      </div>
      {hasPhotos && (
        <PhotoPins
          photos={photos.current}
          frame={pinned}
          onOpen={({ workoutId }) => navigate(`/app/runs/${workoutId}`)}
        />
      )}
      {hasPhotos && found !== null && found.count === 0 && (
        <p class="no-photos small" role="status">
          No photos here. Photos with a position, or of a run with a route, appear on the map; add them on a run’s page.
        </p>
      )}
      {hovered !== null && (
        <p class="heat-count tiny" style={{ left: `${hovered.px}px`, top: `${hovered.py}px` }} aria-hidden="true">
          {hovered.text}
        </p>
      )}
      <div class="heat-legend">
        {isWide ? (
          <span class="muted small">Circles: where runs start</span>
        ) : isOfSquares ? (
          <SquaresLegend isLacking={(growing?.grow ?? null) !== null} />
        ) : (
          <Legend colours={heatRamp(ink)} from="1 run" to={countText(most) ?? 'most'} />
        )}
      </div>
      <Buttons isOnStreets={streets.isOn} onZoom={(factor) => zoomAtMiddle(move, factor)} onShowAll={showAll} />
      {streets.isOn && <MapSource isMissing={isMissing} />}
      {tapped !== null && <RunsHere query={tapped} onClose={() => setTapped(null)} />}
    </section>
  )
}

interface ButtonsProps {
  readonly isOnStreets: boolean
  /** Called with a factor above 1 to zoom in. */
  readonly onZoom: (factor: number) => void
  readonly onShowAll: () => void
}

const STEP = 1.6

/** What is behind the runs as a choice of two pictures, and zoom. */
function Buttons({ isOnStreets, onZoom, onShowAll }: ButtonsProps) {
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setChoosing(false), [isOnStreets])
  const buttons = [
    ['streets', 'Street map', () => setChoosing(true)],
    ['plus', 'Zoom in', () => onZoom(STEP)],
    ['minus', 'Zoom out', () => onZoom(1 / STEP)],
    ['whole', 'Show all runs', onShowAll],
  ] as const
  return (
    <>
      <div class={isOnStreets ? 'map-buttons on-streets' : 'map-buttons'}>
        {buttons.map(([icon, name, onClick]) => (
          <Button key={name} size="small" icon={icon} aria-label={name} title={name} onClick={onClick} />
        ))}
      </div>
      {isChoosing && (
        <Dialog title="Street map" onClose={() => setChoosing(false)}>
          <MapChoice />
        </Dialog>
      )}
    </>
  )
}

/** @returns null for no run */
function countText(code: number): string | null {
  const runs = runsOf(code)
  return runs > EXACT_RUNS ? `about ${number(runs)} runs` : runsText(runs)
}

function runsText(runs: number): string | null {
  return runs === 0 ? null : counted(runs, 'run')
}

/** The runs that pass a place of the map. @param query where was tapped, with the filters of the map */
function RunsHere({ query, onClose }: { readonly query: string; readonly onClose: () => void }) {
  const units = useUnits()
  const answer = useResource(`/map/runs?${query}`)
  const count = answer.data?.count
  return (
    <section class="runs-here lines" aria-label="Runs here">
      <div class="level spread">
        <h2 aria-live="polite">
          {count === undefined ? 'Runs here' : count === 0 ? 'No runs here' : `${counted(count, 'run')} here`}
        </h2>
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <Loaded of={answer} height="120px">
        {(data) => (
          <ul class="lines">
            {data.runs.map((run) => (
              <li key={run.workoutId}>
                <Link class="block" href={`/app/runs/${run.workoutId}`}>
                  {runName(run)}
                  <span class="block muted small">
                    {runDay(run)} · {text(distance(run.distanceM, units))}
                  </span>
                </Link>
              </li>
            ))}
            {data.count > data.runs.length && <li class="muted">and {data.count - data.runs.length} earlier ones</li>}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** Tiles beyond the view whose photos are asked for, too, so that small moves ask for nothing. */
const BEYOND = 1

/** The call for the photos of a view and a little around it. @param filters as the service is asked; empty: none */
function photosPath({ view, size }: Frame, filters: string): `/map/photos?${string}` {
  const tiles = 2 ** Math.max(0, Math.floor(Math.log2(view.scale / TILE_PX)))
  const edge = (at: number, px: number, side: 1 | -1) =>
    (side * (Math.ceil(side * (at + (side * px) / 2 / view.scale) * tiles) + BEYOND)) / tiles
  const [left, right] = [edge(view.x, size.width, -1), edge(view.x, size.width, 1)]
  const [top, bottom] = [edge(view.y, size.height, -1), edge(view.y, size.height, 1)]
  const isWhole = right - left >= 1
  const longitude = (x: number) => ((((x % 1) + 1) % 1) - 0.5) * 360
  const bounds = new URLSearchParams({
    west: String(isWhole ? -180 : longitude(left)),
    south: String(latitudeAt(Math.min(1, bottom))),
    east: String(isWhole ? 180 : longitude(right)),
    north: String(latitudeAt(Math.max(0, top))),
  })
  return `/map/photos?${bounds}${filters === '' ? '' : `&${filters}`}`
}

/** From this zoom on names are written; on wider views places are circles. */
const NAMES_ZOOM = 6
const DOT_PX = 3.5
const MOST_CIRCLE_PX = 22

/** Names of places, the most important first, where no other one is. */
function drawPlaces(
  context: CanvasRenderingContext2D,
  places: readonly Place[],
  { view, size, ink, isWide }: Frame & { readonly ink: Ink; readonly isWide: boolean },
): void {
  if (isWide) drawCircles(context, places, { view, size, ink })
  if (Math.log2(view.scale / TILE_PX) < NAMES_ZOOM) return
  context.font = `600 12px ${ink.font}`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  /** One town is near many places. */
  const suggested = new Set<string>()
  const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = []
  for (const place of places.toSorted((a, b) => Number(b.isHome) - Number(a.isHome) || b.runs - a.runs)) {
    const name = nameOf(place)
    if (name === null || (place.name === null && suggested.has(name))) continue
    const [x, y] = pixelOf(place, { view, size })
    const width = context.measureText(name).width
    const box = [x - 6, y - 10, x + 12 + width, y + 10] as const
    const isOut = box[2] < 0 || box[0] > size.width || box[3] < 0 || box[1] > size.height
    const isTaken = taken.some(
      ([left, top, right, bottom]) => box[0] < right && box[2] > left && box[1] < bottom && box[3] > top,
    )
    if (isOut || isTaken) continue
    taken.push(box)
    if (place.name === null) suggested.add(name)
    context.fillStyle = place.name === null ? ink.muted : ink.text
    context.strokeStyle = ink.surface
    context.lineWidth = 2
    context.beginPath()
    context.arc(x, y, DOT_PX, 0, 2 * Math.PI)
    context.stroke()
    context.fill()
    context.lineWidth = 3.5
    context.strokeText(name, x + 9, y)
    context.fillText(name, x + 9, y)
  }
}

function drawCircles(
  context: CanvasRenderingContext2D,
  places: readonly Place[],
  { view, size, ink }: Frame & { readonly ink: Ink },
): void {
  const most = places.reduce((so, { runs }) => Math.max(so, runs), 1)
  context.fillStyle = ink.accent
  context.strokeStyle = ink.surface
  context.lineWidth = 1.5
  for (const place of places) {
    if (place.runs === 0) continue
    const [x, y] = pixelOf(place, { view, size })
    context.globalAlpha = 0.75
    context.beginPath()
    context.arc(x, y, 4 + (MOST_CIRCLE_PX - 4) * Math.sqrt(place.runs / most), 0, 2 * Math.PI)
    context.fill()
    context.globalAlpha = 1
    context.stroke()
  }
}
