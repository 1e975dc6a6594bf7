import { unwrapped } from '../charts/route-thumb.tsx'
import { date, distance, duration, elevation, number, pace, type Quantity, type Units } from '../format.ts'
import type { SharedView } from '../types.ts'
import { TERMS } from '../words.ts'

/** Pixels; the size that pages and messages show of a link. */
const [WIDTH, HEIGHT] = [1200, 630]
/** The light theme of src/web/theme.css. */
const INK = {
  ...{ ground: '#f6f5f1', surface: '#fffefb', line: '#e2dfd6', text: '#1b2224', muted: '#5f6663' },
  ...{ accent: '#0b6a70', soft: '#dcebe9', accent2: '#a5630f' },
} as const
const EDGE = 64
const PANEL: Box = { x: 552, y: 40, width: 608, height: 550 }

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Point = readonly [x: number, y: number]

/** A picture of a run for others, made from nothing but what they see of it. */
export async function sharePicture(view: SharedView, units: Units): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser can’t draw pictures')
  draw(context, view, units)
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (bytes === null) throw new Error('This browser can’t save pictures')
  return bytes
}

/** The numbers, the distance first; of a cut run as roughly as they are known. */
export function pictureFigures(view: SharedView, units: Units): (readonly [name: string, value: Quantity])[] {
  const { isTrimmed, timeS, paceS, elevGainM, avgHeartRateBpm } = view
  return [
    [TERMS.distance, distance(view.distanceM, units, isTrimmed ? 1 : 2)],
    [TERMS.time, { value: isTrimmed ? minutesText(timeS) : duration(timeS), unit: '' }],
    ...(paceS === null ? [] : [[TERMS.pace, pace(paceS, units)] as const]),
    ...(elevGainM === null ? [] : [['Climb', elevation(elevGainM, units)] as const]),
    ...(avgHeartRateBpm === null ? [] : [[TERMS.heartRate, { value: number(avgHeartRateBpm), unit: 'bpm' }] as const]),
  ]
}

/** `1 h 5 min` */
function minutesText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** Points of a route within a box, north up. @param coordinates [longitude, latitude] */
export function routePoints(coordinates: readonly (readonly number[])[], box: Box): Point[] {
  const squeeze = Math.cos(((coordinates[0]?.[1] ?? 0) * Math.PI) / 180)
  const xs = unwrapped(coordinates.map(([lon = 0]) => lon)).map((lon) => lon * squeeze)
  const ys = coordinates.map(([, lat = 0]) => -lat)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min(box.width / (right - left || 1e-9), box.height / (bottom - top || 1e-9))
  return xs.map((x, k) => [
    (x - (left + right) / 2) * scale + box.x + box.width / 2,
    (ys[k]! - (top + bottom) / 2) * scale + box.y + box.height / 2,
  ])
}

/** Shares of values that a profile leaves out at each end: standing at a light is no pace. */
const OUTSIDE = 0.03

/** Values over the distance within a box; null: too few. @param isTurned smaller values are higher, as of paces */
export function profilePoints(
  { distanceM, values }: { readonly distanceM: Column; readonly values: Column },
  box: Box,
  isTurned: boolean,
): Point[] | null {
  const points = (distanceM ?? []).flatMap((metres, k) => {
    const value = values?.[k] ?? null
    return metres === null || value === null ? [] : [{ metres, value }]
  })
  const endM = points.at(-1)?.metres ?? 0
  if (points.length < 2 || endM <= 0) return null
  const sorted = points.map(({ value }) => value).sort((a, b) => a - b)
  const outside = isTurned ? Math.floor(sorted.length * OUTSIDE) : 0
  const [low, high] = [sorted[outside]!, sorted[sorted.length - 1 - outside]!]
  // what hardly changes is no mountain
  const spread = Math.max(high - low, isTurned ? 60 : 40)
  return points.map(({ metres, value }) => {
    const share = (Math.min(Math.max(value, low), high) - (low + high) / 2) / spread + 0.5
    return [box.x + (metres / endM) * box.width, box.y + (isTurned ? share : 1 - share) * box.height]
  })
}

type Column = NonNullable<SharedView['series']>['paceS']

/** Lines of a text that fit, the last one cut with … @param fits whether a line does */
export function textLines(text: string, most: number, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < most) {
    if (fits(rest)) return [...lines, rest]
    const isLast = lines.length === most - 1
    const letters = [...rest]
    const end = isLast ? '…' : ''
    let count = letters.length
    while (count > 1 && !fits(letters.slice(0, count).join('').trimEnd() + end)) count -= 1
    // a word is cut only where it alone is longer than the line
    const space = letters.lastIndexOf(' ', count)
    const cut = space > 0 ? space : count
    lines.push(letters.slice(0, cut).join('').trimEnd() + end)
    rest = letters.slice(cut).join('').trim()
  }
  return lines
}

type Context = CanvasRenderingContext2D

function draw(context: Context, view: SharedView, units: Units): void {
  context.fillStyle = INK.ground
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  const write = writer(context)
  const isDrawn = drawPanel(context, view, write)
  // instead of what there is not
  if (!isDrawn) drawBird(context, { x: 722, y: 240, scale: 9, inks: [INK.soft, INK.soft] })
  const room = (isDrawn ? PANEL.x - 40 : WIDTH - EDGE) - EDGE
  const size = isDrawn ? 42 : 60
  const named = textLines(view.name ?? 'Run', isDrawn ? 2 : 1, (line) => write.width(line, size, 640) <= room)
  for (const [k, line] of named.entries()) write(line, { x: EDGE, y: 54 + size + 50 * k, size, weight: 640 })
  const day = date(view.date, 'full') + (view.time === null ? '' : `, ${view.time}`)
  write(day, { x: EDGE, y: 46 + size + 50 * named.length, size: 22, ink: INK.muted })
  const [first, ...others] = pictureFigures(view, units)
  const quantity = ({ value, unit }: Quantity, x: number, y: number, size: number) => {
    const width = write(value, { x, y, size, weight: 640 })
    if (unit !== '') write(unit, { x: x + width + size * 0.16, y, size: size * 0.5, ink: INK.muted, weight: 500 })
  }
  quantity(first![1], EDGE - 4, isDrawn ? 330 : 370, isDrawn ? 104 : 150)
  const columns = isDrawn ? 2 : 4
  for (const [k, [name, value]] of others.entries()) {
    const x = EDGE + (k % columns) * (room / columns)
    const y = 392 + 84 * Math.floor(k / columns) + (isDrawn ? 0 : 50)
    write(name, { x, y, size: 19, ink: INK.muted })
    quantity(value, x, y + 38, 34)
  }
  drawBird(context, { x: EDGE, y: 562, scale: 0.8, inks: [INK.accent, INK.accent2] })
  write('Harrier', { x: EDGE + 46, y: 584, size: 22, weight: 680 })
}

interface Bird {
  readonly x: number
  readonly y: number
  readonly scale: number
  /** Of its wings and of the track below them. */
  readonly inks: readonly [string, string]
}

/** That of `Logo`. */
function drawBird(context: Context, { x, y, scale, inks: [wings, track] }: Bird): void {
  context.save()
  context.translate(x, y)
  context.scale(scale, scale)
  context.lineWidth = 4.5
  strokePath(context, new Path2D('M2 9c8-3 15 0 21 10C29 9 36 6 44 9'), wings)
  strokePath(context, new Path2D('M23 19v12'), track)
  context.restore()
}

type Write = ReturnType<typeof writer>

interface Written {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly weight?: number
  readonly ink?: string
}

/** Writes a text on its baseline. @returns its width */
function writer(context: Context) {
  const family = getComputedStyle(document.body).fontFamily
  const width = (text: string, size: number, weight: number) => {
    context.font = `${weight} ${size}px ${family}`
    context.letterSpacing = `${size > 30 ? -0.02 * size : 0}px`
    return context.measureText(text).width
  }
  const write = (text: string, { x, y, size, weight = 400, ink = INK.text }: Written) => {
    const end = width(text, size, weight)
    context.fillStyle = ink
    context.fillText(text, x, y)
    return end
  }
  return Object.assign(write, { width })
}

function strokePath(context: Context, path: Path2D, ink: string): void {
  context.strokeStyle = ink
  context.stroke(path)
}

/** The route, else a profile, on a card. @returns whether there is either */
function drawPanel(context: Context, { route, series }: SharedView, write: Write): boolean {
  const inner = (x: number, y: number): Box => ({
    ...{ x: PANEL.x + x, y: PANEL.y + y },
    ...{ width: PANEL.width - 2 * x, height: PANEL.height - 2 * y },
  })
  const ground = new Path2D()
  ground.roundRect(PANEL.x, PANEL.y, PANEL.width, PANEL.height, 28)
  const card = () => {
    context.fillStyle = INK.surface
    context.fill(ground)
    context.lineWidth = 2
    strokePath(context, ground, INK.line)
  }
  if (route !== null) {
    card()
    drawRoute(context, routePoints(route.coordinates, inner(64, 64)))
    return true
  }
  const box = inner(2, 150)
  const distanceM = series?.distanceM ?? null
  const climbs = profilePoints({ distanceM, values: series?.elevationM ?? null }, box, false)
  const points = climbs ?? profilePoints({ distanceM, values: series?.paceS ?? null }, box, true)
  if (points === null) return false
  card()
  write(climbs === null ? TERMS.pace : 'Elevation', { x: PANEL.x + 36, y: PANEL.y + 60, size: 22, ink: INK.muted })
  context.save()
  context.clip(ground)
  drawProfile(context, points, climbs === null ? INK.accent : INK.accent2)
  context.restore()
  return true
}

function lineOf(points: readonly Point[]): Path2D {
  const path = new Path2D()
  for (const [x, y] of points) path.lineTo(x, y)
  return path
}

function drawRoute(context: Context, points: readonly Point[]): void {
  const line = lineOf(points)
  context.lineWidth = 22
  strokePath(context, line, INK.soft)
  context.lineWidth = 8
  strokePath(context, line, INK.accent)
  const [start, finish] = [points[0]!, points.at(-1)!]
  const circle = new Path2D()
  circle.arc(start[0], start[1], 14, 0, 2 * Math.PI)
  context.fillStyle = INK.surface
  context.fill(circle)
  context.lineWidth = 7
  strokePath(context, circle, INK.accent)
  const square = new Path2D()
  square.roundRect(finish[0] - 10, finish[1] - 10, 20, 20, 4)
  context.lineWidth = 5
  strokePath(context, square, INK.surface)
  context.fillStyle = INK.text
  context.fill(square)
}

function drawProfile(context: Context, points: readonly Point[], ink: string): void {
  const bottom = PANEL.y + PANEL.height
  const area = lineOf([...points, [points.at(-1)![0], bottom], [points[0]![0], bottom]])
  context.globalAlpha = 0.16
  context.fillStyle = ink
  context.fill(area)
  context.globalAlpha = 1
  context.lineWidth = 6
  strokePath(context, lineOf(points), ink)
}
