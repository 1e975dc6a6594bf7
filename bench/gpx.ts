import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { gpxFormat, readGpx } from '../src/formats/xml/gpx.ts'

const RUNS = 10
const SPEED_POINTS = 18_000
const DAY_POINTS = 86_400
const DAY_BYTES = 60_000_000

/** Prints how fast a GPX of five hours with extensions is read, saxes beside it, and what a 60 MB day-long file takes in memory. */
export async function benchGpx(): Promise<void> {
  const bytes = seededGpx(SPEED_POINTS, 0)
  const megabytes = bytes.length / 1e6
  console.log(`GPX of ${SPEED_POINTS} points with extensions, ${megabytes.toFixed(1)} MB, best of ${RUNS}`)
  for (const [what, run] of [
    ['points read (readGpx)', () => readGpx(bytes)],
    ['whole parse with raw data', () => gpxFormat.parse(bytes, { filename: 'bench.gpx' })],
    ['points read by saxes', () => saxesPoints(bytes)],
  ] as const) {
    const ms = bestMs(run)
    console.log(`  ${what.padEnd(28)} ${ms.toFixed(1)} ms  ${((megabytes / ms) * 1000).toFixed(0)} MB/s`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-gpx-'))
  try {
    const file = join(folder, 'day.gpx')
    await Bun.write(file, seededGpx(DAY_POINTS, DAY_BYTES))
    const child = Bun.spawn([process.execPath, import.meta.path, file], { stdout: 'pipe' })
    console.log((await new Response(child.stdout).text()).trimEnd())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** In a process of its own: peak memory of one parse, the file's bytes included. */
function measureMemory(file: string): void {
  const bytes = new Uint8Array(readFileSync(file))
  const before = peakMegabytes()
  const started = performance.now()
  const { activities } = gpxFormat.parse(bytes, { filename: 'day.gpx' })
  const ms = performance.now() - started
  const size = `${activities[0]?.recording?.n} points, ${(bytes.length / 1e6).toFixed(1)} MB`
  console.log(`GPX of ${size}: ${ms.toFixed(0)} ms, peak RSS ${peakMegabytes()} MB (${before} MB before the parse)`)
}

function bestMs(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < RUNS; i++) {
    const started = performance.now()
    run()
    best = Math.min(best, performance.now() - started)
  }
  return best
}

/** The same points on every machine; padded inside the points to `minBytes` as verbose exporters do. Written into one buffer. */
function seededGpx(n: number, minBytes: number): Uint8Array {
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const encoder = new TextEncoder()
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx creator="bench" version="1.1" xmlns="http://www.topografix.com/GPX/1/1" ' +
    'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">\n<trk><name>Bench</name><trkseg>\n'
  const tail = '</trkseg></trk>\n</gpx>\n'
  const padding = ' '.repeat(Math.max(0, Math.ceil(minBytes / n) - 320))
  const buffer = new Uint8Array(head.length + tail.length + n * (420 + padding.length))
  let at = encoder.encodeInto(head, buffer).written
  for (let i = 0; i < n; i++) {
    const lat = (47 + i * 2.7e-5 + random() * 1e-5).toFixed(7)
    const lon = (8 + random() * 1e-5).toFixed(7)
    const time = new Date(1_714_543_200_000 + i * 1000).toISOString()
    const point =
      `   <trkpt lat="${lat}" lon="${lon}">\n    <ele>${(400 + random() * 5).toFixed(1)}</ele>\n    <time>${time}</time>\n` +
      `    <extensions>\n     <gpxtpx:TrackPointExtension>\n      <gpxtpx:atemp>21</gpxtpx:atemp>\n      <gpxtpx:hr>${140 + (i % 30)}</gpxtpx:hr>\n` +
      `      <gpxtpx:cad>85</gpxtpx:cad>\n     </gpxtpx:TrackPointExtension>${padding}\n    </extensions>\n   </trkpt>\n`
    at += encoder.encodeInto(point, buffer.subarray(at)).written
  }
  at += encoder.encodeInto(tail, buffer.subarray(at)).written
  return buffer.subarray(0, at)
}

function saxesPoints(bytes: Uint8Array): number {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const columns: Record<string, number[]> = { lat: [], lon: [], ele: [], time: [], hr: [], cad: [], atemp: [] }
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    if (name !== 'trkpt') return
    columns.lat?.push(Number(attributes.lat))
    columns.lon?.push(Number(attributes.lon))
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    const local = name.slice(name.indexOf(':') + 1)
    columns[local]?.push(local === 'time' ? Date.parse(text.trim()) : Number(text))
    text = ''
  })
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length; at += 65_536) {
    parser.write(decoder.decode(bytes.subarray(at, at + 65_536), { stream: true }))
  }
  parser.close()
  return columns.lat?.length ?? 0
}

/** Highest resident size of this process so far; 0 where /proc does not tell. */
function peakMegabytes(): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024)
  } catch {
    return 0
  }
}

if (import.meta.main) {
  if (process.argv[2] !== undefined) measureMemory(process.argv[2])
  else await benchGpx()
}
