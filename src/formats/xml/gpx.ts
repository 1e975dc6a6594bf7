import { LENGTHS, RAW_LENGTHS } from '../../texts.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions, UNSAID } from '../format.ts'
import { elevationSourceOf } from '../harrier-marks.ts'
import { type RawMetadata, rawTrack } from '../raw-track.ts'
import { isIndoor, isOtherSport, otherSportError, runTypeOf } from '../sport.ts'
import { type PointColumn, PointTable } from '../table/points.ts'
import { cleanText } from '../text-values.ts'
import { rootName, scanXml, type XmlHandler } from './scanner.ts'
import type { XmlAttributes, XmlText } from './text.ts'
/** GPX 1.0 and 1.1, with or without namespace: all tracks and segments are one run (docs/api.md 7.2). */
export const gpxFormat: Format = {
  type: 'gpx',
  name: 'GPX',
  extensions: ['gpx'],
  detect: (head) => rootName(head)?.toLowerCase() === 'gpx',
  parse: parseGpx,
}

/** Extension elements with values of a point, by local name, whatever the namespace or version. */
const POINT_FIELDS: ReadonlyMap<string, PointColumn> = new Map([
  ['hr', 'heartRateBpm'],
  ['heartrate', 'heartRateBpm'],
  ['HeartRateBpm', 'heartRateBpm'],
  ['cad', 'cadence'],
  ['cadence', 'cadence'],
  ['RunCadence', 'cadence'],
  ['power', 'powerW'],
  ['PowerInWatts', 'powerW'],
  ['watts', 'powerW'],
  ['atemp', 'temperatureC'],
  ['temp', 'temperatureC'],
  ['temperature', 'temperatureC'],
  ['Temperature', 'temperatureC'],
  ['speed', 'speedMps'],
])
const WORDS = [
  ...'gpx creator metadata name desc author time keywords trk type trkseg trkpt lat lon ele'.split(' '),
  ...POINT_FIELDS.keys(),
]

/** @throws FormatError */
function parseGpx(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const document = readGpx(bytes)
  const { points, sport, creator } = document
  const rows = usableRows(points)
  if (!anySport && sport !== null && isOtherSport(sport)) throw otherSportError(sport)
  const activity: Activity = {
    ...UNSAID,
    startedAtMs: points.firstTimeMs(rows),
    recording: points.recording(rows, {
      elevationSource: elevationSourceOf(creator),
      indoor: isIndoor(sport),
      hasSegments: true,
    }),
    name: cleanText(document.trackName ?? document.metadata.name, LENGTHS.name),
    notes: cleanText(document.trackDescription, LENGTHS.notes),
    runType: runTypeOf(sport),
    source: 'gpx_import',
    device: cleanText(creator, LENGTHS.device),
    rawGpxData: () => rawTrack(points, { metadata: document.metadata, source: 'gpx_import' }),
  }
  return { type: 'gpx', activities: [activity], skippedOther: 0 }
}

/**
 * Points with a time and a measurement. A file in which most points have no time is a drawn route, and its few timed
 * points must not become a run of some seconds.
 * @throws FormatError when fewer than two are left
 */
function usableRows(points: PointTable): Uint32Array {
  let timed = 0
  let placed = 0
  const rows = points.rowsWhere((row) => {
    if (!points.hasTime(row)) return false
    timed++
    if (points.hasPosition(row)) placed++
    return points.hasData(row)
  })
  if (placed === 0) throw new FormatError('GPX has no track points with times', { problem: 'noRun' })
  if (placed === 1) throw new FormatError('GPX has only one track point with a time')
  if (timed * 2 < points.n) throw new FormatError('Most track points of this GPX have no time')
  return rows
}

/** Reads a GPX document as it is, even values out of range. @throws FormatError when it is not well-formed GPX */
export function readGpx(bytes: Uint8Array): GpxDocument {
  const document = new GpxDocument()
  scanXml(bytes, WORDS, document)
  return document
}

/** The content of a GPX: its track points in file order, and its texts. */
export class GpxDocument implements XmlHandler {
  readonly points = new PointTable()
  /** Name, description and type, each from the first track that has one. */
  trackName: string | null = null
  trackDescription: string | null = null
  sport: string | null = null
  creator: string | null = null
  readonly metadata: RawMetadata = { name: null, desc: null, author: null, time: null, keywords: null }
  private segment = -1
  private inPoint = false

  open(name: string, _parent: string, attributes: XmlAttributes): void {
    if (name === 'trkpt') {
      const { next } = this.points
      next.latDeg = attributes.number('lat')
      next.lonDeg = attributes.number('lon')
      next.segment = Math.max(this.segment, 0)
      this.inPoint = true
    } else if (name === 'trkseg') {
      this.segment++
    } else if (name === 'gpx') {
      this.creator = attributes.string('creator', RAW_LENGTHS.other)
    }
  }

  close(name: string, parent: string, text: XmlText): void {
    if (this.inPoint) this.closeInPoint(name, parent, text)
    else if (parent === 'trk') this.closeInTrack(name, text)
    // GPX 1.0 has these directly in the root
    else if (parent === 'metadata' || parent === 'gpx') this.closeInMetadata(name, text)
    else if (parent === 'author' && name === 'name') this.metadata.author ??= text.string(RAW_LENGTHS.other)
  }

  private closeInPoint(name: string, parent: string, text: XmlText): void {
    const { next } = this.points
    if (name === 'trkpt') {
      this.points.add()
      this.inPoint = false
    } else if (name === 'ele') {
      if (parent === 'trkpt') next.elevM = text.number()
    } else if (name === 'time') {
      if (parent === 'trkpt') next.timeMs = text.timeMs()
    } else {
      const field = POINT_FIELDS.get(name)
      if (field === undefined) return
      const value = text.number()
      // the value may occur in two extensions, empty in one of them
      if (Number.isFinite(value)) next[field] = value
    }
  }

  private closeInTrack(name: string, text: XmlText): void {
    if (name === 'name') this.trackName ??= text.string(RAW_LENGTHS.name)
    else if (name === 'desc') this.trackDescription ??= text.string(RAW_LENGTHS.description)
    else if (name === 'type') this.sport ??= text.string(RAW_LENGTHS.other)
  }

  private closeInMetadata(name: string, text: XmlText): void {
    const { metadata } = this
    if (name === 'name') metadata.name ??= text.string(RAW_LENGTHS.name)
    else if (name === 'desc') metadata.desc ??= text.string(RAW_LENGTHS.description)
    else if (name === 'author') metadata.author ??= text.string(RAW_LENGTHS.other)
    else if (name === 'time') metadata.time ??= text.string(RAW_LENGTHS.other)
    else if (name === 'keywords') metadata.keywords ??= text.string(RAW_LENGTHS.other)
  }
}
