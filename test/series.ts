// Independent readers for the tests: what EXPECTED.json calls `_method.series`, made without any of the service's code.
import { gunzipSync } from 'node:zlib'
import { Decoder, Stream } from '@garmin/fitsdk'
import { corpusFile } from './corpus.ts'

/** One record as another reader sees it. */
export interface PlainRecord {
  readonly timeMs: number
  readonly lat: number | null
  readonly lon: number | null
  readonly distanceM: number | null
  readonly hr: number | null
  /** Number of the GPX segment. */
  readonly segment: number
}

/** Piecewise-linear distance over time. */
export interface Series {
  readonly tS: Float64Array
  readonly distanceM: Float64Array
}

/** The records of a corpus FIT file, plain or gzipped, read by Garmin's own SDK. */
export function sdkRecords(name: string): PlainRecord[] {
  const bytes = corpusFile(name)
  const unpacked = name.endsWith('.gz') ? new Uint8Array(gunzipSync(bytes)) : bytes
  const { messages } = new Decoder(Stream.fromByteArray([...unpacked])).read()
  const records = (messages.recordMesgs ?? []) as Record<string, unknown>[]
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  return records.map((record) => {
    const lat = number(record.positionLat)
    const lon = number(record.positionLong)
    return {
      timeMs: (record.timestamp as Date).getTime(),
      lat: lat === null ? null : (lat * 180) / 2 ** 31,
      lon: lon === null ? null : (lon * 180) / 2 ** 31,
      distanceM: number(record.distance),
      hr: number(record.heartRate),
      segment: 0,
    }
  })
}

/** The timed track points of a corpus GPX file, found with regular expressions. */
export function gpxRecords(name: string): PlainRecord[] {
  const text = new TextDecoder().decode(corpusFile(name))
  const records: PlainRecord[] = []
  for (const [segment, part] of text
    .split(/<trkseg[^>]*>/)
    .slice(1)
    .entries()) {
    for (const [, attributes = '', body = ''] of part.matchAll(/<trkpt([^>]*)>([\s\S]*?)<\/trkpt>/g)) {
      const time = /<time>\s*([^<]+?)\s*<\/time>/.exec(body)?.[1]
      if (time === undefined) continue
      const number = (pattern: RegExp, from: string) => {
        const found = pattern.exec(from)?.[1]
        return found === undefined ? null : Number(found)
      }
      records.push({
        timeMs: Date.parse(time),
        lat: number(/\blat="([^"]+)"/, attributes),
        lon: number(/\blon="([^"]+)"/, attributes),
        distanceM: null,
        hr: number(/<(?:\w+:)?hr>\s*([^<]+?)\s*</, body),
        segment,
      })
    }
  }
  return records
}

/** Series over the distance that the device wrote. */
export function deviceSeries(records: readonly PlainRecord[]): Series {
  return series(records.flatMap(({ timeMs, distanceM }) => (distanceM === null ? [] : [[timeMs, distanceM] as const])))
}

/** Series over great-circle steps on a sphere of 6,371,000 m, across segments or only within them. */
export function haversineSeries(records: readonly PlainRecord[], isJoined: boolean): Series {
  let last: PlainRecord | null = null
  let sum = 0
  return series(
    records.map((record) => {
      if (last !== null && (isJoined || last.segment === record.segment)) sum += haversineM(last, record)
      last = record
      return [record.timeMs, sum] as const
    }),
  )
}

/** File order; an earlier time is dropped, an equal one keeps the later sample, distance never falls. */
function series(knots: readonly (readonly [number, number])[]): Series {
  const tS: number[] = []
  const distanceM: number[] = []
  for (const [timeMs, metres] of knots) {
    const seconds = timeMs / 1000
    const last = tS.at(-1)
    if (last !== undefined && seconds < last) continue
    const d = Math.max(metres, distanceM.at(-1) ?? Number.NEGATIVE_INFINITY)
    if (seconds === last) distanceM[distanceM.length - 1] = d
    else {
      tS.push(seconds)
      distanceM.push(d)
    }
  }
  const first = tS[0] ?? 0
  return { tS: Float64Array.from(tS, (s) => s - first), distanceM: Float64Array.from(distanceM) }
}

function haversineM(a: PlainRecord, b: PlainRecord): number {
  const rad = Math.PI / 180
  const [latA, latB] = [(a.lat ?? Number.NaN) * rad, (b.lat ?? Number.NaN) * rad]
  const dLon = ((b.lon ?? Number.NaN) - (a.lon ?? Number.NaN)) * rad
  const h = Math.sin((latB - latA) / 2) ** 2 + Math.cos(latA) * Math.cos(latB) * Math.sin(dLon / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Mean heart rate over time: each reading holds until the next one, for ten seconds at most. Zeros and 255 are none. */
export function timeWeightedHr(records: readonly PlainRecord[]): number | null {
  const readings = records.filter(({ hr }) => hr !== null && hr > 0 && hr < 255)
  let weight = 0
  let sum = 0
  for (const [i, { timeMs, hr }] of readings.entries()) {
    const next = readings[i + 1]
    const seconds = next === undefined ? 1 : Math.min(10, Math.max(0, (next.timeMs - timeMs) / 1000))
    weight += seconds
    sum += seconds * (hr ?? 0)
  }
  return weight > 0 ? sum / weight : null
}
