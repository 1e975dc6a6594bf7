import { LENGTHS, RAW_LENGTHS } from '../../base/texts.ts'
import { fileTime } from '../../engine/calendar/timestamp.ts'
import { extent, gathered } from '../../engine/gather.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions, UNSAID } from '../format.ts'
import { elevationSourceOf } from '../harrier-marks.ts'
import { type RawMetadata, rawTrack } from '../raw-track.ts'
import { isIndoor, isOtherSport, otherSportError, runTypeOf } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import { type PointColumn, PointTable } from '../table/points.ts'
import { cleanText } from '../text-values.ts'
import { filledCorrection, filledTimes, withOwnPlaces } from './gpx-points.ts'
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
  ...'gpx creator metadata name desc author time keywords trk type trkseg trkpt lat lon ele heartRate bpm'.split(' '),
  ...POINT_FIELDS.keys(),
]

/** @throws FormatError */
function parseGpx(bytes: Uint8Array, { anySport = false, asStated = false }: ParseOptions): ParsedFile {
  const document = readGpx(bytes)
  const { points, creator, metadata } = document
  const others = anySport ? [] : document.tracks.filter(({ sport }) => isOtherSport(sport))
  const tracks = document.tracks.filter((track) => !others.includes(track))
  const isOther = (row: number) => others.some(({ firstRow, endRow }) => row >= firstRow && row < endRow)
  const { timeMs, count } = filledTimes(points)
  if (tracks.every(({ firstRow, endRow }) => endRow === firstRow) && others.length > 0) {
    throw otherSportError(others[0]!.sport ?? '')
  }
  const rows = usableRows(points, timeMs, isOther)
  const sport = tracks.find((track) => track.sport !== null)?.sport ?? null
  const stated = points.recording(rows, {
    elevationSource: elevationSourceOf(creator),
    indoor: isIndoor(sport),
    hasSegments: true,
  })
  const timed = count === 0 ? stated : { ...stated, timeMs: gathered(timeMs, rows) }
  const { recording, corrections } = asStated ? { recording: timed, corrections: [] } : withOwnPlaces(timed)
  const activity: Activity = {
    ...UNSAID,
    startedAtMs: extent(recording.timeMs).least,
    statedStartMs: fileTime(metadata.time ?? ''),
    recording,
    corrections: [...filledCorrection(count, points.n), ...corrections],
    name: cleanText(tracks.find(({ name }) => name !== null)?.name ?? metadata.name, LENGTHS.name),
    notes: cleanText(tracks.find(({ description }) => description !== null)?.description, LENGTHS.notes),
    runType: runTypeOf(sport),
    source: 'gpx_import',
    device: cleanText(creator, LENGTHS.device),
    rawGpxData: () => rawTrack(points, { metadata, source: 'gpx_import' }),
  }
  const sports = sportsNamed(others.map((track) => track.sport))
  return { type: 'gpx', activities: [activity], skippedOther: others.length, sports }
}

/**
 * Points of runs with a time and a measurement. A file in which most points have no time is a drawn route, and its few timed
 * points must not become a run of some seconds; segments without any time do not count.
 * @throws FormatError when fewer than two are left
 */
function usableRows(points: PointTable, timeMs: Float64Array, isOther: (row: number) => boolean): Uint32Array {
  const segment = points.column('segment')
  const timedSegments = new Set(segment.filter((_, row) => !Number.isNaN(timeMs[row]!)))
  let all = 0
  let timed = 0
  let placed = 0
  const rows = points.rowsWhere((row) => {
    if (isOther(row) || !timedSegments.has(segment[row]!)) return false
    all++
    if (Number.isNaN(timeMs[row]!)) return false
    timed++
    if (points.hasPosition(row)) placed++
    return points.hasData(row)
  })
  if (placed === 0) throw new FormatError('GPX has no track points with times', { problem: 'noRun' })
  if (placed === 1) throw new FormatError('GPX has only one track point with a time')
  if (timed * 2 < all) throw new FormatError('Most track points of this GPX have no time')
  return rows
}

/** Reads a GPX document as it is, even values out of range. @throws FormatError when it is not well-formed GPX */
export function readGpx(bytes: Uint8Array): GpxDocument {
  const document = new GpxDocument()
  scanXml(bytes, WORDS, document)
  return document
}

/** One track: its texts, and its range of the points. */
interface GpxTrack {
  name: string | null
  description: string | null
  sport: string | null
  readonly firstRow: number
  endRow: number
}

/** The content of a GPX: its track points in file order, its tracks, and its texts. */
export class GpxDocument implements XmlHandler {
  readonly points = new PointTable()
  readonly tracks: GpxTrack[] = []
  creator: string | null = null
  readonly metadata: RawMetadata = { name: null, desc: null, author: null, time: null, keywords: null }
  private segment = -1
  private inPoint = false
  /** Of a list above the track (SpoQ). */
  private readonly heartRates: (readonly [timeMs: number, bpm: number])[] = []

  open(name: string, _parent: string, attributes: XmlAttributes): void {
    if (name === 'trkpt') {
      const { next } = this.points
      next.latDeg = attributes.number('lat')
      next.lonDeg = attributes.number('lon')
      next.segment = Math.max(this.segment, 0)
      this.inPoint = true
    } else if (name === 'trkseg') {
      this.segment++
    } else if (name === 'trk') {
      const { n } = this.points
      this.tracks.push({ name: null, description: null, sport: null, firstRow: n, endRow: n })
    } else if (name === 'heartRate') {
      const at = [attributes.timeMs('time'), attributes.number('bpm')] as const
      if (!Number.isNaN(at[0] + at[1])) this.heartRates.push(at)
    } else if (name === 'gpx') {
      this.creator = attributes.string('creator', RAW_LENGTHS.other)
    }
  }

  close(name: string, parent: string, text: XmlText): void {
    if (this.inPoint) this.closeInPoint(name, parent, text)
    else if (name === 'trk') this.tracks.at(-1)!.endRow = this.points.n
    else if (name === 'gpx') this.points.heldAt('heartRateBpm', this.heartRates)
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
    const track = this.tracks.at(-1)!
    if (name === 'name') track.name ??= text.string(RAW_LENGTHS.name)
    else if (name === 'desc') track.description ??= text.string(RAW_LENGTHS.description)
    else if (name === 'type') track.sport ??= text.string(RAW_LENGTHS.other)
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
