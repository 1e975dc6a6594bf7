import { isoTimeWriter } from '../../engine/calendar/timestamp.ts'
import type { Track } from '../../engine/track.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { FormatError } from '../format.ts'
import { PARTING_PAUSE_S, partings, type WrittenRun } from './run.ts'
import { element } from './xml.ts'

const EXTENSIONS = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2'
const NAMESPACE = 'http://www.topografix.com/GPX/1/1'
const SCHEMAS = [
  NAMESPACE,
  'http://www.topografix.com/GPX/1/1/gpx.xsd',
  EXTENSIONS,
  'http://www.garmin.com/xmlschemas/TrackPointExtensionv2.xsd',
].join(' ')
/** Largest cadence of a byte field; readers take 255 for missing. */
const MOST_CADENCE = 254

/**
 * Writes a run as GPX 1.1, piece by piece: the samples with a position, a new segment after each longer pause. What a watch
 * recorded within it is left out, since a reader would count the way of a ferry.
 * @throws FormatError at the first piece, for a run with fewer than two positions
 */
export function* gpxTexts({ startMs, name, notes, track }: WrittenRun): Generator<string, void> {
  if (track === null || positionsOf(track) < 2) {
    throw new FormatError('This run has no route, which a GPX file needs; FIT and TCX do not')
  }
  const time = isoTimeWriter()
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Harrier" xmlns="${NAMESPACE}" xmlns:gpxtpx="${EXTENSIONS}" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${SCHEMAS}">
<metadata><time>${time(startMs)}</time></metadata>
<trk>${element('name', name)}${element('desc', notes)}<type>running</type>
<trkseg>\n`
  const parted = partings(track)
  let next = 0
  let isFirst = true
  for (let row = 0; row < track.n; row += 1) {
    const [latDeg, lonDeg, atS] = [track.latDeg[row]!, track.lonDeg[row]!, track.tS[row]!]
    if (Number.isNaN(latDeg) || isPaused(track, atS)) continue
    const from = next
    while (next < parted.length && parted[next]! <= atS) next += 1
    if (next > from && !isFirst) yield '</trkseg>\n<trkseg>\n'
    isFirst = false
    yield `<trkpt lat="${latDeg.toFixed(7)}" lon="${lonDeg.toFixed(7)}">${element('ele', rounded(track.elevM[row]!, 2))}\
<time>${time(startMs + Math.round(atS * 1000))}</time>${extensions(track, row)}</trkpt>\n`
  }
  yield '</trkseg>\n</trk>\n</gpx>\n'
}

/** Whether a moment is within a pause that divides the track. */
function isPaused({ off }: Track, atS: number): boolean {
  return off.some(({ startS, endS }) => endS - startS > PARTING_PAUSE_S && startS < atS && atS < endS)
}

function positionsOf({ latDeg }: Track): number {
  let count = 0
  for (const value of latDeg) if (!Number.isNaN(value)) count += 1
  return count
}

/** In the order of the extension's schema; power stands outside of it, as most writers do. */
function extensions({ temperatureC, heartRateBpm, cadenceRpm, speedMps, powerW }: Track, row: number): string {
  const point =
    element('gpxtpx:atemp', rounded(temperatureC[row]!, 1)) +
    element('gpxtpx:hr', rounded(heartRateBpm[row]!, 0)) +
    element('gpxtpx:cad', rounded(Math.min(MOST_CADENCE, cadenceRpm[row]!), 0)) +
    element('gpxtpx:speed', rounded(speedMps[row]!, 3))
  const power = element('power', rounded(powerW[row]!, 0))
  if (point === '' && power === '') return ''
  const inner = point === '' ? '' : `<gpxtpx:TrackPointExtension>${point}</gpxtpx:TrackPointExtension>`
  return `<extensions>${power}${inner}</extensions>`
}

/** null for a gap. */
function rounded(value: number, decimals: number): number | null {
  return Number.isNaN(value) ? null : roundHalfUp(value, decimals)
}
