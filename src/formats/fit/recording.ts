import { firstFrom, gathered } from '../../engine/gather.ts'
import { isHeartRate } from '../../engine/grid.ts'
import type { ElevationSource, RecordedSamples } from '../../engine/track.ts'
import type { FitTimeline, SessionClock } from './clock.ts'
import { type FitRecords, NO_ALTITUDE_M } from './records.ts'

interface RecordingOptions extends Required<Pick<RecordedSamples, 'seamsMs'>> {
  readonly clock: SessionClock
  readonly timeline: FitTimeline
  readonly timerOffMs: readonly (readonly [number, number])[]
  readonly elevationSource: ElevationSource
  readonly indoor: boolean
}

/** The records of one session; distance counts from its start (docs/algorithms.md 0, kind B). */
export function fitRecording(records: FitRecords, options: RecordingOptions): RecordedSamples {
  const { clock, timeline } = options
  const startMs = Math.round(clock.startS * 1000)
  const baseM = distanceAtStart(records, timeline, clock)
  const { tS } = clock
  const copied = (source: Float64Array) => gathered(source, clock.rows)
  // columns that are taken as they are need not be there twice
  const areAll = clock.rows.length === records.n && clock.rows.every((row, i) => row === i)
  const column = areAll ? (source: Float64Array) => source : copied
  const timeMs = new Float64Array(tS.length)
  for (let i = 0; i < tS.length; i += 1) timeMs[i] = Math.round(startMs + tS[i]! * 1000)
  const distanceM = copied(records.distanceM)
  const elevM = copied(records.altitudeM)
  const heartRateBpm = copied(records.heartRateBpm)
  for (let i = 0; i < clock.rows.length; i += 1) {
    distanceM[i] = Math.max(0, distanceM[i]! - baseM)
    if (elevM[i] === NO_ALTITUDE_M) elevM[i] = Number.NaN
    if (!isHeartRate(heartRateBpm[i]!)) heartRateBpm[i] = Number.NaN
  }
  return {
    n: clock.rows.length,
    timeMs,
    segment: null,
    startMs,
    distanceM,
    latDeg: column(records.latDeg),
    lonDeg: column(records.lonDeg),
    elevM,
    heartRateBpm,
    cadenceRpm: column(records.cadenceRpm),
    powerW: column(records.powerW),
    temperatureC: column(records.temperatureC),
    speedMps: column(records.speedMps),
    timerOffMs: options.timerOffMs,
    ...(options.seamsMs.length > 0 ? { seamsMs: options.seamsMs } : {}),
    elevationSource: options.elevationSource,
    indoor: options.indoor,
    positionUnit: 'semicircle',
  }
}

/** Distance covered by a session's records, metres; NaN when they have none. */
export function recordedDistanceM(records: FitRecords, timeline: FitTimeline, clock: SessionClock): number {
  let furthestM = Number.NaN
  for (const row of clock.rows) {
    const distanceM = records.distanceM[row]!
    if (!Number.isNaN(distanceM) && !(distanceM <= furthestM)) furthestM = distanceM
  }
  return furthestM - distanceAtStart(records, timeline, clock)
}

/** Metres by the records' distance from the last record before a span to the first one after it, Unix milliseconds. */
export function recordedBetweenM(
  { distanceM }: FitRecords,
  { rows, tS, startS }: SessionClock,
  [fromMs, toMs]: readonly [number, number],
): number {
  let before = firstFrom(tS, fromMs / 1000 - startS + 0.001) - 1
  let after = firstFrom(tS, toMs / 1000 - startS)
  while (before >= 0 && Number.isNaN(distanceM[rows[before]!]!)) before -= 1
  while (after < rows.length && Number.isNaN(distanceM[rows[after]!]!)) after += 1
  const endM = distanceM[rows[Math.min(after, rows.length - 1)]!]!
  return endM - (before < 0 ? 0 : distanceM[rows[before]!]!)
}

/**
 * The cumulative distance of a file with several sessions at the start of this one, interpolated between its records; 0
 * when nothing was recorded before, or when the device started to count again.
 */
function distanceAtStart(records: FitRecords, timeline: FitTimeline, clock: SessionClock): number {
  const firstRow = clock.rows[0]
  if (firstRow === undefined) return 0
  const isWithDistance = (row: number) => !Number.isNaN(records.distanceM[row]!)
  const first = timeline.rows.indexOf(firstRow)
  let before = first - 1
  while (before >= 0 && !isWithDistance(timeline.rows[before]!)) before -= 1
  const after = clock.rows.findIndex(isWithDistance)
  if (before < 0 || after < 0) return 0
  const beforeM = records.distanceM[timeline.rows[before]!]!
  const afterM = records.distanceM[clock.rows[after]!]!
  if (afterM < beforeM) return 0
  const beforeS = timeline.timeS[before]! - clock.startS
  const afterS = clock.tS[after]!
  return afterS > beforeS ? beforeM + ((afterM - beforeM) * (0 - beforeS)) / (afterS - beforeS) : afterM
}
