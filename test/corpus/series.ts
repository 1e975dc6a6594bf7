// What EXPECTED.json calls `_method.series`, made without any of the service's code.
import { corpusFile } from '../corpus.ts'

/** One record as another reader sees it. */
export interface PlainRecord {
  readonly timeMs: number
  readonly lat: number
  readonly lon: number
  readonly hr: number | null
  /** Number of the GPX segment. */
  readonly segment: number
}

/** Piecewise-linear distance over time. */
export interface Series {
  readonly tS: Float64Array
  readonly distanceM: Float64Array
}

/** The timed track points of a corpus GPX file, found with regular expressions. */
export function gpxRecords(name: string): PlainRecord[] {
  const segments = new TextDecoder().decode(corpusFile(name)).split(/<trkseg[^>]*>/)
  return segments.slice(1).flatMap((part, segment) =>
    [...part.matchAll(/<trkpt([^>]*)>([\s\S]*?)<\/trkpt>/g)].flatMap(([, attributes = '', body = '']) => {
      const time = /<time>\s*([^<]+?)\s*<\/time>/.exec(body)?.[1]
      if (time === undefined) return []
      const [lat, lon] = [/\blat="([^"]+)"/, /\blon="([^"]+)"/].map((one) => Number(one.exec(attributes)?.[1]))
      const hr = /<(?:\w+:)?hr>\s*([^<]+?)\s*</.exec(body)?.[1]
      return [{ timeMs: Date.parse(time), lat: lat!, lon: lon!, hr: hr === undefined ? null : Number(hr), segment }]
    }),
  )
}

/** Series over great-circle steps on a sphere of 6,371,000 m, across segments or only within them. */
export function haversineSeries(records: readonly PlainRecord[], isJoined: boolean): Series {
  let sum = 0
  return seriesOf(
    records.map((record, i) => {
      const last = records[i - 1]
      if (last !== undefined && (isJoined || last.segment === record.segment)) sum += haversineM(last, record)
      return [record.timeMs, sum]
    }),
  )
}

/**
 * Of Unix milliseconds and metres in file order; an earlier time is dropped, an equal one keeps the later sample, distance
 * never falls.
 */
export function seriesOf(knots: readonly (readonly [number, number])[]): Series {
  const tS: number[] = []
  const distanceM: number[] = []
  for (const [timeMs, metres] of knots) {
    const seconds = timeMs / 1000
    const last = tS.at(-1)
    if (Number.isNaN(metres) || (last !== undefined && seconds < last)) continue
    const d = Math.max(metres, distanceM.at(-1) ?? Number.NEGATIVE_INFINITY)
    if (seconds === last) distanceM[distanceM.length - 1] = d
    else {
      tS.push(seconds)
      distanceM.push(d)
    }
  }
  return { tS: Float64Array.from(tS, (s) => s - tS[0]!), distanceM: Float64Array.from(distanceM) }
}

function haversineM(a: PlainRecord, b: PlainRecord): number {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Mean heart rate over time: each reading holds until the next one, for ten seconds at most. Zeros and 255 are none. */
export function timeWeightedHr(records: readonly Pick<PlainRecord, 'timeMs' | 'hr'>[]): number | null {
  const readings = records.filter(({ hr }) => hr !== null && hr > 0 && hr < 255)
  let weight = 0
  let sum = 0
  for (const [i, { timeMs, hr }] of readings.entries()) {
    const next = readings[i + 1]
    const seconds = next === undefined ? 1 : Math.min(10, Math.max(0, (next.timeMs - timeMs) / 1000))
    weight += seconds
    sum += seconds * hr!
  }
  return weight > 0 ? sum / weight : null
}
