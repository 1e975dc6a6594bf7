import { columnsWith, scalesOf } from '../grid.ts'
import type { NumberName } from '../numbers.ts'
import { quantise } from '../quantise.ts'
import { distanceBetweenM } from '../route/geo.ts'
import { around, positionBetween, type RowRange } from '../run/crop.ts'
import { filledDistance, gpsDistance } from '../run/distance.ts'
import type { Column, Span, Track } from '../track.ts'
import type { RecordedStretch, RepairKind } from './kind.ts'

/** The channels that can be fixed, and the columns that hold each. */
const MENDED = {
  position: ['latDeg', 'lonDeg', 'distanceM', 'speedMps'],
  heartRate: ['heartRateBpm'],
  elevation: ['elevM'],
  cadence: ['cadenceRpm'],
  power: ['powerW'],
  all: ['latDeg', 'lonDeg', 'distanceM', 'speedMps', 'heartRateBpm', 'elevM', 'cadenceRpm', 'powerW', 'temperatureC'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type MendedChannel = keyof typeof MENDED
export const MENDED_CHANNELS = Object.keys(MENDED) as readonly MendedChannel[]

export interface Mending extends Span {
  readonly channel: MendedChannel
  /** 'interpolate': a straight line from the last reading before to the first after; 'gap': no values. */
  readonly fill: 'gap' | 'interpolate'
}

/** Readings of one channel were removed or interpolated. */
export interface MendRepair extends RecordedStretch, Pick<Mending, 'channel' | 'fill'> {
  readonly kind: 'mend'
}

export const MEND: RepairKind<MendRepair> = {
  kind: 'mend',
  members: { fromMs: 'recordedMs', toMs: 'recordedMs', channel: MENDED_CHANNELS, fill: ['gap', 'interpolate'] },
  changesSamples: () => true,
  track: (track, repair, span) => mended(track, { ...repair, ...span(repair) }),
  restated: ({ channel }) =>
    channel === 'all'
      ? { measured: Object.values(NUMBERS_OF_CHANNEL).flat(), keepsUnmeasured: true }
      : { measured: NUMBERS_OF_CHANNEL[channel] },
}

/** Numbers that are computed from the samples, not taken from the device, once their channel is fixed. */
export const NUMBERS_OF_CHANNEL: Readonly<Record<Exclude<MendedChannel, 'all'>, readonly NumberName[]>> = {
  position: ['distanceM', 'maxSpeedMps'],
  heartRate: ['maxHeartRateBpm', 'avgHeartRateBpm', 'minHeartRateBpm'],
  elevation: ['elevGainM', 'elevLossM', 'minElevM', 'maxElevM'],
  cadence: ['maxCadenceRpm', 'avgCadenceRpm', 'maxCadenceSpm', 'avgCadenceSpm'],
  power: ['maxPowerWatts', 'avgPowerWatts'],
}

type Columns = Record<Column, Float64Array>

/**
 * Removes the readings of one channel within a stretch, both ends included. Interpolated positions are passed at
 * constant speed; a distance from positions is computed again, one of a device gets the length of the line.
 */
export function mended(track: Track, { startS, endS, channel, fill }: Mending): Track {
  const first = track.tS.findIndex((atS) => atS >= startS)
  const last = track.tS.findLastIndex((atS) => atS <= endS)
  if (first === -1 || last < first) return track
  const columns: Columns = columnsWith((name) => track[name].slice())
  const within = { first, last }
  for (const name of MENDED[channel] as readonly Column[]) {
    if (name === 'distanceM' || name === 'lonDeg' || name === 'latDeg' || name === 'speedMps') continue
    if (fill === 'interpolate') line(track.tS, columns[name], within)
    else columns[name].fill(Number.NaN, first, last + 1)
  }
  if (channel === 'position' || channel === 'all') mendPositions(track, columns, { ...within, fill })
  const scales = scalesOf(track.positionUnit)
  const { latDeg, lonDeg } = columns
  const isMeasured = track.distanceSource === 'gps'
  const gps = isMeasured ? gpsDistance(track.tS, { latDeg, lonDeg }, track.off) : null
  if (gps !== null) columns.distanceM = gps.distanceM
  else if (isMeasured) columns.distanceM.fill(Number.NaN)
  return {
    ...track,
    ...columnsWith((name) => quantise(columns[name], scales[name])),
    ...(isMeasured && gps === null ? { distanceSource: 'none' as const } : {}),
  }
}

/** Whether there is a reading of the channel in a stretch; of 'all' any. */
export function hasReadings(track: Track, { startS, endS, channel }: Mending): boolean {
  return (MENDED[channel] as readonly Column[]).some((name) =>
    track[name].some((value, row) => !Number.isNaN(value) && track.tS[row]! >= startS && track.tS[row]! <= endS),
  )
}

/** Rows that had a reading get the interpolated one; they become gaps when one side has no reading. */
function line(tS: Float64Array, values: Float64Array, { first, last }: RowRange): void {
  const ends = around(values, { first, last })
  if (ends === null) {
    values.fill(Number.NaN, first, last + 1)
    return
  }
  const { before, after } = ends
  for (let row = first; row <= last; row += 1) {
    if (Number.isNaN(values[row]!)) continue
    const part = (tS[row]! - tS[before]!) / (tS[after]! - tS[before]!)
    values[row] = values[before]! + part * (values[after]! - values[before]!)
  }
}

function mendPositions(track: Track, columns: Columns, { first, last, fill }: RowRange & Pick<Mending, 'fill'>): void {
  const { tS } = track
  const { latDeg, lonDeg, distanceM, speedMps } = columns
  const ends = around(latDeg, { first, last })
  const isLaid = fill === 'interpolate'
  const cumulativeM = filledDistance(tS, distanceM)
  if (isLaid && ends !== null) {
    const { before, after } = ends
    for (let row = before + 1; row < after; row += 1) {
      const position = positionBetween({ tS, columns }, { before, row, after }, track.positionUnit)
      latDeg[row] = position.latDeg
      lonDeg[row] = position.lonDeg
    }
    if (cumulativeM !== null) {
      const metres = distanceBetweenM(latDeg[before]!, lonDeg[before]!, latDeg[after]!, lonDeg[after]!)
      layDistance(columns, tS, { before, after, cumulativeM, metres })
    }
    return
  }
  latDeg.fill(Number.NaN, first, last + 1)
  lonDeg.fill(Number.NaN, first, last + 1)
  speedMps.fill(Number.NaN, first, last + 1)
  // without positions the distance of the stretch stays, and is covered at constant speed
  const sides = around(distanceM, { first, last })
  if (isLaid && sides !== null && cumulativeM !== null) {
    const metres = cumulativeM[sides.after]! - cumulativeM[sides.before]!
    layDistance(columns, tS, { ...sides, cumulativeM, metres })
  } else if (sides !== null) distanceM.fill(Number.NaN, first, last + 1)
}

/** Spreads metres evenly over the time between two rows, and shifts the distance of the rows after them. */
function layDistance(
  { distanceM, speedMps }: Columns,
  tS: Float64Array,
  { before, after, cumulativeM, metres }: { before: number; after: number; cumulativeM: Float64Array; metres: number },
): void {
  const seconds = tS[after]! - tS[before]!
  const addedM = metres - (cumulativeM[after]! - cumulativeM[before]!)
  const hasSpeed = speedMps.some((speed) => !Number.isNaN(speed))
  for (let row = before + 1; row < after; row += 1) {
    distanceM[row] = cumulativeM[before]! + (metres * (tS[row]! - tS[before]!)) / seconds
    if (hasSpeed) speedMps[row] = metres / seconds
  }
  for (let row = after; row < distanceM.length; row += 1) distanceM[row]! += addedM
}
