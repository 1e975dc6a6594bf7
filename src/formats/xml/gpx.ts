import { NO_TOTALS } from '../../engine/numbers.ts'
import { LENGTHS } from '../../texts.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { type RawMetadata, rawTrack } from '../raw-track.ts'
import { isIndoor, isOtherSport, otherSportError, runTypeOf } from '../sport.ts'
import { PointTable } from '../table/points.ts'
import { cleanText } from '../text-values.ts'
import { rootName, scanXml, type XmlHandler } from './scanner.ts'
import type { XmlAttributes, XmlText } from './text.ts'
/** GPX 1.0 and 1.1, with or without namespace: all tracks and segments are one run (CONTRACT 7.2). */
export const gpxFormat: Format = {
  type: 'gpx',
  detect: (head) => rootName(head)?.toLowerCase() === 'gpx',
  parse: parseGpx,
}

/** Everything that is read out of a GPX: its track points in file order, and its texts. */
export interface GpxDocument {
  readonly points: PointTable
  /** Name and description of the first track that has one. */
  readonly trackName: string | null
  readonly trackDescription: string | null
  /** Type of the first track that has one. */
  readonly sport: string | null
  readonly creator: string | null
  readonly metadata: RawMetadata
}

/** Elements and attributes by local name: whatever namespace or version an extension has, its `hr` is a heart rate. */
const ID = {
  gpx: 0,
  trk: 1,
  trkseg: 2,
  trkpt: 3,
  ele: 4,
  time: 5,
  lat: 6,
  lon: 7,
  name: 8,
  desc: 9,
  type: 10,
  metadata: 11,
  author: 12,
  keywords: 13,
  creator: 14,
  hr: 15,
  heartrate: 16,
  HeartRateBpm: 17,
  cad: 18,
  cadence: 19,
  RunCadence: 20,
  power: 21,
  PowerInWatts: 22,
  watts: 23,
  atemp: 24,
  temp: 25,
  temperature: 26,
  Temperature: 27,
  speed: 28,
} as const

/** @throws FormatError */
function parseGpx(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const document = readGpx(bytes)
  const { points, sport, creator } = document
  const rows = usableRows(points)
  if (!anySport && sport !== null && isOtherSport(sport)) throw otherSportError(sport)
  const activity: Activity = {
    startedAtMs: points.firstTimeMs(rows),
    recording: points.recording(rows, {
      elevationSource: creator !== null && /barometer/i.test(creator) ? 'baro' : 'unknown',
      indoor: isIndoor(sport),
      hasSegments: true,
    }),
    totals: NO_TOTALS,
    name: cleanText(document.trackName ?? document.metadata.name, LENGTHS.name),
    notes: cleanText(document.trackDescription, LENGTHS.notes),
    runType: runTypeOf(sport),
    rpe: null,
    source: 'gpx_import',
    device: cleanText(creator, LENGTHS.device),
    weather: null,
    utcOffsetMinutes: null,
    rawGpxData: rawTrack(
      points,
      Array.from({ length: points.n }, (_, row) => row),
      { metadata: document.metadata, source: 'gpx_import' },
    ),
    rawFitData: null,
    rawStravaData: null,
  }
  return { type: 'gpx', activities: [activity], skippedOther: 0 }
}

/**
 * Points with a time and a measurement; one whose position is unusable keeps its heart rate and its time. A file where most points have no time is a drawn route: a few timed points among them would make a
 * run of some seconds out of it.
 * @throws FormatError when fewer than two are left
 */
function usableRows(points: PointTable): number[] {
  const rows: number[] = []
  let timed = 0
  let placed = 0
  for (let row = 0; row < points.n; row++) {
    if (!points.hasTime(row)) continue
    timed++
    if (points.hasPosition(row)) placed++
    if (points.hasData(row)) rows.push(row)
  }
  if (placed === 0) throw new FormatError('GPX has no track points with times')
  if (placed === 1) throw new FormatError('GPX has only one track point with a time')
  if (timed * 2 < points.n) throw new FormatError('Most track points of this GPX have no time')
  return rows
}

/**
 * The whole of a GPX document as read: nothing is dropped, values out of range included.
 * @throws FormatError when it is no well-formed GPX
 */
export function readGpx(bytes: Uint8Array): GpxDocument {
  const reader = new GpxReader()
  scanXml(bytes, Object.keys(ID), reader)
  return reader
}

class GpxReader implements XmlHandler, GpxDocument {
  readonly points = new PointTable()
  trackName: string | null = null
  trackDescription: string | null = null
  sport: string | null = null
  creator: string | null = null
  readonly metadata: { -readonly [Key in keyof RawMetadata]: RawMetadata[Key] } = {
    name: null,
    desc: null,
    author: null,
    time: null,
    keywords: null,
  }
  private segment = -1
  private inPoint = false

  open(id: number, _parent: number, attributes: XmlAttributes): void {
    if (id === ID.trkpt) {
      const { next } = this.points
      next.latDeg = attributes.number(ID.lat)
      next.lonDeg = attributes.number(ID.lon)
      next.segment = Math.max(this.segment, 0)
      this.inPoint = true
    } else if (id === ID.trkseg) {
      this.segment++
    } else if (id === ID.gpx) {
      this.creator = attributes.string(ID.creator) || null
    }
  }

  close(id: number, parent: number, text: XmlText): void {
    if (this.inPoint) this.closeInPoint(id, parent, text)
    else if (parent === ID.trk) this.closeInTrack(id, text)
    // GPX 1.0 has these directly in the root.
    else if (parent === ID.metadata || parent === ID.gpx) this.closeInMetadata(id, text)
    else if (parent === ID.author && id === ID.name) this.metadata.author ??= text.string() || null
  }

  private closeInPoint(id: number, parent: number, text: XmlText): void {
    const { next } = this.points
    switch (id) {
      case ID.trkpt:
        this.points.add()
        this.inPoint = false
        break
      case ID.ele:
        if (parent === ID.trkpt) next.elevM = text.number()
        break
      case ID.time:
        if (parent === ID.trkpt) next.timeMs = text.timeMs()
        break
      case ID.hr:
      case ID.heartrate:
      case ID.HeartRateBpm:
        next.heartRateBpm = present(text.number(), next.heartRateBpm)
        break
      case ID.cad:
      case ID.cadence:
      case ID.RunCadence:
        next.cadence = present(text.number(), next.cadence)
        break
      case ID.power:
      case ID.PowerInWatts:
      case ID.watts:
        next.powerW = present(text.number(), next.powerW)
        break
      case ID.atemp:
      case ID.temp:
      case ID.temperature:
      case ID.Temperature:
        next.temperatureC = present(text.number(), next.temperatureC)
        break
      case ID.speed:
        next.speedMps = present(text.number(), next.speedMps)
        break
    }
  }

  private closeInTrack(id: number, text: XmlText): void {
    if (id === ID.name) this.trackName ??= text.string() || null
    else if (id === ID.desc) this.trackDescription ??= text.string() || null
    else if (id === ID.type) this.sport ??= text.string() || null
  }

  private closeInMetadata(id: number, text: XmlText): void {
    const { metadata } = this
    if (id === ID.name) metadata.name ??= text.string() || null
    else if (id === ID.desc) metadata.desc ??= text.string() || null
    else if (id === ID.author) metadata.author ??= text.string() || null
    else if (id === ID.time) metadata.time ??= text.string() || null
    else if (id === ID.keywords) metadata.keywords ??= text.string() || null
  }
}

/** One value may stand in two extensions, once of them empty. */
function present(value: number, before: number): number {
  return Number.isFinite(value) ? value : before
}
