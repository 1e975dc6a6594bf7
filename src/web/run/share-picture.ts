import { hoursAndMinutes } from '../../engine/intervals/summary.ts'
import { type Box, fittedRoute } from '../../engine/route/box.ts'
import { date, distance, duration, elevation, number, pace, type Quantity, type Units } from '../format.ts'
import type { SharedView } from '../types.ts'
import { TERMS } from '../words.ts'

/** Pixels; the size that messages show of a link. */
const [WIDTH, HEIGHT] = [1200, 630]
const EDGE = 64
const PANEL: Box = { x: 552, y: 40, width: 608, height: 550 }
/** The light theme of src/web/theme.css. */
const INK = {
  ...{ ground: '#f6f5f1', surface: '#fffefb', line: '#e2dfd6', text: '#1b2224', muted: '#5f6663' },
  ...{ accent: '#0b6a70', soft: '#dcebe9', accent2: '#a5630f' },
} as const

/** A picture of a run for others, made from nothing but what they see of it. */
export async function sharePicture(view: SharedView, units: Units): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  draw(canvas.getContext('2d')!, view, units)
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (bytes === null) throw new Error('This browser can’t save pictures')
  return bytes
}

/** The numbers, the distance first; of a cut run as roughly as they are known. */
export function pictureFigures(view: SharedView, units: Units): (readonly [name: string, value: Quantity])[] {
  const { isTrimmed, distanceM, timeS, paceS, elevGainM, avgHeartRateBpm: heartRate } = view
  return [
    [TERMS.distance, distance(distanceM, units, isTrimmed ? 1 : 2)],
    [TERMS.time, { value: isTrimmed ? hoursAndMinutes(timeS) : duration(timeS), unit: '' }],
    ...(paceS === null ? [] : [[TERMS.pace, pace(paceS, units)] as const]),
    ...(elevGainM === null ? [] : [['Climb', elevation(elevGainM, units)] as const]),
    ...(heartRate === null ? [] : [[TERMS.heartRate, { value: number(heartRate), unit: 'bpm' }] as const]),
  ]
}

/** Shares of paces that a profile leaves out at each end: standing at a light is no pace. */
const OUTSIDE = 0.03
type Column = NonNullable<SharedView['series']>['paceS']
type Points = readonly (readonly [x: number, y: number])[]

/** Values over the distance within a box; null: too few. @param isPace smaller values are higher */
export function profilePoints(distanceM: Column, values: Column, { x, y, width, height }: Box, isPace: boolean) {
  const points = (distanceM ?? []).flatMap((metres, k) => {
    const value = values?.[k] ?? null
    return metres === null || value === null ? [] : [{ metres, value }]
  })
  const endM = points.at(-1)?.metres ?? 0
  if (points.length < 2 || endM <= 0) return null
  const sorted = points.map(({ value }) => value).sort((a, b) => a - b)
  const outside = isPace ? Math.floor(sorted.length * OUTSIDE) : 0
  const [low, high] = [sorted[outside]!, sorted.at(-1 - outside)!]
  // what hardly changes is no mountain: seconds per km, metres
  const spread = Math.max(high - low, isPace ? 60 : 40)
  return points.map(({ metres, value }) => {
    const share = (Math.min(Math.max(value, low), high) - (low + high) / 2) / spread + 0.5
    return [x + (metres / endM) * width, y + (isPace ? share : 1 - share) * height] as const
  })
}

/** Lines of a text, the last one cut with …; words are cut only where they are longer than a line. @param fits whether a line does */
export function textLines(text: string, most: number, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  for (let rest = text.trim(); rest !== '' && lines.length < most; ) {
    const end = lines.length === most - 1 && !fits(rest) ? '…' : ''
    let line = rest
    while (line.length > 1 && !fits(line + end)) {
      line = line.includes(' ') ? line.slice(0, line.lastIndexOf(' ')).trimEnd() : [...line].slice(0, -1).join('')
    }
    lines.push(line + end)
    rest = rest.slice(line.length).trim()
  }
  return lines
}

type Context = CanvasRenderingContext2D

function draw(context: Context, view: SharedView, units: Units): void {
  fill(context, rounded({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, 0), INK.ground)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  const write = writer(context)
  const isDrawn = drawPanel(context, view, write)
  if (!isDrawn) drawBird(context, [722, 240, 9], [INK.soft, INK.soft])
  const room = (isDrawn ? PANEL.x - 40 : WIDTH - EDGE) - EDGE
  const size = isDrawn ? 42 : 60
  const named = textLines(view.name ?? 'Run', isDrawn ? 2 : 1, (line) => write.width(line, size, 640) <= room)
  for (const [k, line] of named.entries()) write(line, { x: EDGE, y: 54 + size + 50 * k, size, weight: 640 })
  const day = date(view.date, 'full') + (view.time === null ? '' : `, ${view.time}`)
  write(day, { x: EDGE, y: 46 + size + 50 * named.length, size: 22, ink: INK.muted })
  const quantity = ({ value, unit }: Quantity, x: number, y: number, size: number) => {
    const width = write(value, { x, y, size, weight: 640 })
    write(unit, { x: x + width + size * 0.16, y, size: size * 0.5, ink: INK.muted, weight: 500 })
  }
  const [first, ...others] = pictureFigures(view, units)
  quantity(first![1], EDGE - 4, isDrawn ? 330 : 370, isDrawn ? 104 : 150)
  const columns = isDrawn ? 2 : 4
  for (const [k, [name, value]] of others.entries()) {
    const x = EDGE + (k % columns) * (room / columns)
    const y = (isDrawn ? 392 : 442) + 84 * Math.floor(k / columns)
    write(name, { x, y, size: 19, ink: INK.muted })
    quantity(value, x, y + 38, 34)
  }
  drawBird(context, [EDGE, 562, 0.8], [INK.accent, INK.accent2])
  write('Harrier', { x: EDGE + 46, y: 584, size: 22, weight: 680 })
}

interface Written {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly weight?: number
  readonly ink?: string
}

type Write = ReturnType<typeof writer>

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

/** The route, else a profile, on a card. @returns whether there is either */
function drawPanel(context: Context, { route, series }: SharedView, write: Write): boolean {
  const card = rounded(PANEL, 28)
  const within = (x: number, y: number) => {
    return { x: PANEL.x + x, y: PANEL.y + y, width: PANEL.width - 2 * x, height: PANEL.height - 2 * y }
  }
  const profile = (values: Column, isPace: boolean) =>
    profilePoints(series?.distanceM ?? null, values, within(2, 150), isPace)
  const climbs = route === null ? profile(series?.elevationM ?? null, false) : null
  const points = climbs ?? profile(series?.paceS ?? null, true)
  if (route === null && points === null) return false
  fill(context, card, INK.surface)
  stroke(context, card, INK.line, 2)
  if (route !== null) drawRoute(context, fittedRoute(route.coordinates, within(64, 64)).points)
  else if (points !== null) {
    write(climbs === null ? TERMS.pace : 'Elevation', { x: PANEL.x + 36, y: PANEL.y + 60, size: 22, ink: INK.muted })
    context.save()
    context.clip(card)
    drawProfile(context, points, climbs === null ? INK.accent : INK.accent2)
    context.restore()
  }
  return true
}

function drawRoute(context: Context, points: Points): void {
  const line = lineOf(points)
  stroke(context, line, INK.soft, 22)
  stroke(context, line, INK.accent, 8)
  const around = ([x, y]: Points[number], radius: number) => {
    return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
  }
  const [start, finish] = [rounded(around(points[0]!, 14), 14), rounded(around(points.at(-1)!, 10), 4)]
  fill(context, start, INK.surface)
  stroke(context, start, INK.accent, 7)
  stroke(context, finish, INK.surface, 5)
  fill(context, finish, INK.text)
}

function drawProfile(context: Context, points: Points, ink: string): void {
  const bottom = PANEL.y + PANEL.height
  context.globalAlpha = 0.16
  fill(context, lineOf([...points, [points.at(-1)![0], bottom], [points[0]![0], bottom]]), ink)
  context.globalAlpha = 1
  stroke(context, lineOf(points), ink, 6)
}

/** That of `Logo`: its wings and the track below them. */
function drawBird(context: Context, [x, y, scale]: readonly [number, number, number], inks: readonly [string, string]) {
  context.save()
  context.translate(x, y)
  context.scale(scale, scale)
  stroke(context, new Path2D('M2 9c8-3 15 0 21 10C29 9 36 6 44 9'), inks[0], 4.5)
  stroke(context, new Path2D('M23 19v12'), inks[1], 4.5)
  context.restore()
}

function lineOf(points: Points): Path2D {
  const path = new Path2D()
  for (const [x, y] of points) path.lineTo(x, y)
  return path
}

function rounded({ x, y, width, height }: Box, radius: number): Path2D {
  const path = new Path2D()
  path.roundRect(x, y, width, height, radius)
  return path
}

function stroke(context: Context, path: Path2D, ink: string, width: number): void {
  context.lineWidth = width
  context.strokeStyle = ink
  context.stroke(path)
}

function fill(context: Context, path: Path2D, ink: string): void {
  context.fillStyle = ink
  context.fill(path)
}
