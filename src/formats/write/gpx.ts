import { isoTimeWriter } from '../../engine/calendar/timestamp.ts'
import { firstFrom } from '../../engine/gather.ts'
import { distanceBetweenM } from '../../engine/route/geo.ts'
import type { Span, Track } from '../../engine/track.ts'
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
/** Places of somebody who stands still make less way than this. */
const STANDING_M = 20
/** Largest cadence of a byte field; readers take 255 for missing. */
const MOST_CADENCE = 254

/**
 * Writes a run as GPX 1.1, piece by piece: the samples with a position, a new segment after each longer pause. What was recorded
 * on the way within one is left out, since a reader would count it, as of a ferry.
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
  const ways = waysInPauses(track)
  let next = 0
  let isFirst = true
  for (let row = 0; row < track.n; row += 1) {
    const [latDeg, lonDeg, atS] = [track.latDeg[row]!, track.lonDeg[row]!, track.tS[row]!]
    if (Number.isNaN(latDeg) || ways.some(({ startS, endS }) => startS < atS && atS < endS)) continue
    const from = next
    while (next < parted.length && parted[next]! <= atS) next += 1
    if (next > from && !isFirst) yield '</trkseg>\n<trkseg>\n'
    isFirst = false
    yield `<trkpt lat="${latDeg.toFixed(7)}" lon="${lonDeg.toFixed(7)}">${element('ele', rounded(track.elevM[row]!, 2))}\
<time>${time(startMs + Math.round(atS * 1000))}</time>${extensions(track, row)}</trkpt>\n`
  }
  yield '</trkseg>\n</trk>\n</gpx>\n'
}

/** The pauses that divide the track and within which the places go on. */
function waysInPauses({ off, n, tS, latDeg, lonDeg }: Track): Span[] {
  return off.filter(({ startS, endS }) => {
    if (endS - startS <= PARTING_PAUSE_S) return false
    let [wayM, before] = [0, -1]
    for (let row = firstFrom(tS, startS); row < n && tS[row]! <= endS; row += 1) {
      if (Number.isNaN(latDeg[row]!)) continue
      if (before >= 0) wayM += distanceBetweenM(latDeg[before]!, lonDeg[before]!, latDeg[row]!, lonDeg[row]!)
      before = row
    }
    return wayM > STANDING_M
  })
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
