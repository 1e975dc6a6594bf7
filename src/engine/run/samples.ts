import { extent, firstFrom, gathered, hasValues, rowNumbers, rowsWith } from '../gather.ts'
import { COLUMNS, columnsWith, eastOfLimit, emptyColumns, LIMITS, scalesOf, timeScale } from '../grid.ts'
import { dropZeroAltitudes } from '../judge/altitude.ts'
import { oneFootCadence } from '../judge/cadence.ts'
import { withoutDaySteps } from '../judge/clock.ts'
import type { Correction } from '../judge/correction.ts'
import { type JudgedDistance, judgedDistance } from '../judge/distance.ts'
import type { DeviceLap } from '../laps.ts'
import { type DeviceTotals, NO_TOTALS } from '../numbers.ts'
import { quantise } from '../quantise.ts'
import type { Column, DistanceSource, Positions, RecordedSamples, Span, Track } from '../track.ts'
import { gpsDistance } from './distance.ts'
import { mergedSpans } from './moving.ts'
import { dropAltitudeSpikes, dropPositionSpikes, makeMonotone } from './spikes.ts'

/** A record without any of these carries no information and is dropped (docs/algorithms.md 0). */
const INFORMATIVE: readonly Column[] = ['latDeg', 'distanceM', 'heartRateBpm', 'cadenceRpm', 'powerW', 'elevM']
/** A longer gap between two segments is a pause. */
const SEGMENT_PAUSE_S = 10
/** A distance in fewer records than this share of those with a position is a lap total, not a stream. */
const LEAST_DISTANCE_SHARE = 0.1

interface Rows {
  readonly startMs: number
  readonly tS: Float64Array
  readonly columns: Record<Column, Float64Array>
  readonly segment: Int32Array | null
}

/** What a source states beside its samples, by which they are judged. */
export interface Evidence {
  readonly totals: DeviceTotals
  readonly laps?: readonly DeviceLap[]
  /** When the run began by another statement than its records, Unix milliseconds; NaN: there is none. */
  readonly startMs?: number
  /** The runner declined corrections: nothing is judged. */
  readonly asStated?: boolean
}

/** A track with totals, of which what others contradict is corrected. */
export interface Cleaned {
  readonly track: Track
  readonly totals: DeviceTotals
  /** Milliseconds by which the run begins later than its earliest record states. */
  readonly movedMs: number
  readonly corrections: readonly Correction[]
}

/** The track of samples alone, beside which nothing is stated: but for a cadence of both feet as they are. */
export function cleanRecording(recording: RecordedSamples): Track | null {
  const { cadenceRpm } = oneFootCadence(recording.cadenceRpm, NO_TOTALS)
  return cleaned({ ...recording, cadenceRpm }, { totals: NO_TOTALS, asStated: true })?.track ?? null
}

/**
 * The canonical track of a recording (docs/algorithms.md 0 and 4): sorted, merged, judged, cleaned, on its stored grids.
 * Cleaning a track again changes nothing. O(n log n).
 * @returns null when no record with a time says anything
 */
export function cleaned(stated: RecordedSamples, evidence: Evidence): Cleaned | null {
  const { asStated = false } = evidence
  const { recording, totals, movedMs, corrections } = asStated
    ? { recording: stated, totals: evidence.totals, movedMs: 0, corrections: [] }
    : judgedRecording(stated, evidence)
  const merged = mergedRows(recording)
  if (merged === null) return null
  const zeros = asStated ? [] : dropZeroAltitudes(merged.tS, merged.columns.elevM)
  dropAltitudeSpikes(merged.tS, merged.columns.elevM)
  dropPositionSpikes(merged.tS, merged.columns.latDeg, merged.columns.lonDeg)
  const distance =
    asStated || recording.isDamaged ? null : distanceOf(merged, recording, { totals, laps: evidence.laps })
  if (distance !== null && distance.distanceM !== merged.columns.distanceM) {
    merged.columns.distanceM = quantise(distance.distanceM, scalesOf(recording.positionUnit).distanceM)
  }
  makeMonotone(merged.tS, merged.columns.distanceM)
  const track = cleanTrack(merged, recording)
  return (
    track && {
      track,
      movedMs,
      totals: distance === null ? totals : { ...totals, distanceM: distance.totalM },
      corrections: [...corrections, ...zeros, ...(distance?.corrections ?? [])],
    }
  )
}

/** Judges what can be judged before the rows are in order: the clock of a source without timer, and the cadence. */
function judgedRecording(recording: RecordedSamples, { totals, startMs = Number.NaN }: Evidence) {
  const cadence = oneFootCadence(recording.cadenceRpm, totals)
  const corrections = cadence.correction === null ? [] : [cadence.correction]
  const judged = { ...recording, cadenceRpm: cadence.cadenceRpm }
  // the clock of a FIT file was judged by its sessions and events
  if (recording.positionUnit === 'semicircle')
    return { recording: judged, totals: cadence.totals, movedMs: 0, corrections }
  const isPlaced = (row: number) => !Number.isNaN(recording.latDeg[row]!)
  const { timeMs, corrections: steps } = withoutDaySteps(recording.timeMs, {
    isPlaced,
    startMs: recording.startMs ?? startMs,
  })
  const isMoved = recording.startMs === null && steps.length > 0
  return {
    recording: { ...judged, timeMs },
    totals: cadence.totals,
    movedMs: isMoved ? extent(timeMs).least - extent(recording.timeMs).least : 0,
    corrections: [...steps, ...corrections],
  }
}

function distanceOf(
  rows: Rows,
  recording: RecordedSamples,
  { totals, laps = [] }: { readonly totals: DeviceTotals; readonly laps: Evidence['laps'] },
): JudgedDistance {
  const timerOff = mergedSpans(timerOffSpans(recording, rows))
  const lapsM = laps.reduce((sum, { distanceM }) => sum + (distanceM ?? Number.NaN), 0)
  return judgedDistance(
    { tS: rows.tS, ...rows.columns },
    {
      totalM: totals.distanceM,
      lapsM: lapsM > 0 ? lapsM : null,
      off: mergedSpans([...timerOff, ...segmentPauses(rows)]),
      timerOff,
      indoor: recording.indoor,
    },
  )
}

function cleanTrack(merged: Rows, recording: RecordedSamples): Track | null {
  const distanceSource = sourceOfDistance(merged.columns)
  if (distanceSource !== 'device') merged.columns.distanceM.fill(Number.NaN)
  const statement = statingRows(merged)
  if (statement.tS.length === 0) return null
  const off = mergedSpans([...timerOffSpans(recording, statement), ...segmentPauses(statement)])
  const { startMs, tS, columns } = distanceSource === 'none' ? statement : withOrigin(statement, distanceSource)
  const { elevationSource, indoor, positionUnit } = recording
  if (distanceSource === 'gps') columns.distanceM = measured(tS, columns, { off, positionUnit }) ?? columns.distanceM
  const seams = seamTimes(recording, { startMs, tS })
  return {
    n: tS.length,
    startMs,
    tS,
    ...columns,
    off,
    distanceSource,
    elevationSource,
    indoor,
    positionUnit,
    ...(seams.length > 0 ? { seams } : {}),
  }
}

/** Times of the rows at which a part begins; a part has rows before it. */
function seamTimes({ seamsMs = [] }: RecordedSamples, { startMs, tS }: Pick<Track, 'startMs' | 'tS'>): number[] {
  const rows = seamsMs.map((ms) => firstFrom(tS, (ms - startMs) / 1000))
  return [...new Set(rows)].filter((row) => row > 0 && row < tS.length).map((row) => tS[row]!)
}

/** A stored track with the distance and altitude that this engine makes of its columns; itself when nothing differs. */
export function remeasured(track: Track): Track {
  const distanceM = (track.distanceSource === 'gps' ? measured(track.tS, track, track) : null) ?? track.distanceM
  const elevM = track.elevM.slice()
  dropAltitudeSpikes(track.tS, elevM)
  const isSame = isEqual(distanceM, track.distanceM) && isEqual(elevM, track.elevM)
  return isSame ? track : { ...track, distanceM, elevM }
}

/** Gaps equal each other. */
function isEqual(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, row) => Object.is(value, b[row]))
}

/** The distance rounded to its stored grid; null with fewer than two positions. */
function measured(
  tS: Float64Array,
  positions: Positions,
  { off, positionUnit }: Pick<Track, 'off' | 'positionUnit'>,
): Float64Array | null {
  const gps = gpsDistance(tS, positions, off)
  return gps && quantise(gps.distanceM, scalesOf(positionUnit).distanceM)
}

/** Rows in order of time. Of several rows with one time, each column takes the last value present. */
function mergedRows(recording: RecordedSamples): Rows | null {
  const timeMs = wholeTimes(recording.timeMs)
  const startMs = Math.round(recording.startMs ?? extent(timeMs).least)
  const order = rowsInOrder(timeMs, startMs)
  if (order.length === 0) return null
  const unitMs = 1000 / timeScale((timeMs[order.at(-1)!]! - startMs) / 1000)
  const source = validColumns(recording)
  const times = new Float64Array(order.length)
  // the row that each record is merged into
  const target = new Uint32Array(order.length)
  let n = 0
  for (let i = 0; i < order.length; i += 1) {
    const atS = (Math.round((timeMs[order[i]!]! - startMs) / unitMs) * unitMs) / 1000
    if (n === 0 || atS > times[n - 1]!) n += 1
    times[n - 1] = atS
    target[i] = n - 1
  }
  // in most files the rows are in order with distinct times, so nothing is merged
  if (n === recording.n && isAllInOrder(order)) {
    return { startMs, tS: times, columns: source, segment: recording.segment }
  }
  const columns = emptyColumns(n)
  for (const name of COLUMNS) takeOver(source[name], columns[name])
  const segment = recording.segment === null ? null : new Int32Array(n)
  for (let i = 0; segment !== null && i < order.length; i += 1) segment[target[i]!] = recording.segment![order[i]!]!
  return { startMs, tS: times.slice(0, n), columns, segment }

  function takeOver(values: Float64Array, column: Float64Array): void {
    for (let i = 0; i < order.length; i += 1) {
      const value = values[order[i]!]!
      if (!Number.isNaN(value)) column[target[i]!] = value
    }
  }
}

/** Whole milliseconds; NaN where the time is missing or outside the range of a date. */
function wholeTimes(timeMs: Float64Array): Float64Array {
  const whole = new Float64Array(timeMs.length)
  for (let i = 0; i < whole.length; i += 1) {
    const ms = timeMs[i]!
    whole[i] = Math.abs(ms) <= 8.64e15 ? Math.round(ms) : Number.NaN
  }
  return whole
}

/** Rows at or after the start, ordered by time, then by their order in the file. */
function rowsInOrder(timeMs: Float64Array, startMs: number): Uint32Array {
  const rows = new Uint32Array(timeMs.length)
  let count = 0
  let isSorted = true
  for (let i = 0; i < timeMs.length; i += 1) {
    if (!(timeMs[i]! >= startMs)) continue
    if (count > 0 && timeMs[i]! < timeMs[rows[count - 1]!]!) isSorted = false
    rows[count] = i
    count += 1
  }
  const order = rows.subarray(0, count)
  return isSorted ? order : order.sort((a, b) => timeMs[a]! - timeMs[b]! || a - b)
}

function isAllInOrder(order: Uint32Array): boolean {
  for (let i = 0; i < order.length; i += 1) if (order[i] !== i) return false
  return true
}

/** Every column on its grid; values that are not measurements become gaps. */
function validColumns(recording: RecordedSamples): Record<Column, Float64Array> {
  const scales = scalesOf(recording.positionUnit)
  const isFit = recording.positionUnit === 'semicircle'
  const columns = emptyColumns(0)
  for (const name of COLUMNS) {
    const raw = recording[name]
    // a column without values needs no checks
    if (!hasValues(raw)) {
      columns[name] = raw
      continue
    }
    const [least, most] = LIMITS[name]
    columns[name] = quantise(name === 'lonDeg' && isFit ? eastOf(raw) : raw, scales[name])
    const column = columns[name]
    for (let i = 0; i < column.length; i += 1) if (!(column[i]! >= least && column[i]! <= most)) column[i] = Number.NaN
  }
  const { latDeg, lonDeg, elevM } = columns
  for (let i = 0; i < latDeg.length; i += 1) {
    // a position with one coordinate is none; 0, 0 is what devices write without a fix
    if (Number.isNaN(latDeg[i]! + lonDeg[i]!) || (latDeg[i] === 0 && lonDeg[i] === 0)) {
      latDeg[i] = Number.NaN
      lonDeg[i] = Number.NaN
    }
    // raw 0 of FIT means -500 m
    if (isFit && elevM[i] === -500) elevM[i] = Number.NaN
  }
  return columns
}

function eastOf(lonDeg: Float64Array): Float64Array {
  const result = new Float64Array(lonDeg.length)
  for (let i = 0; i < result.length; i += 1) result[i] = eastOfLimit(lonDeg[i]!)
  return result
}

function sourceOfDistance({ latDeg, lonDeg, distanceM }: Record<Column, Float64Array>): DistanceSource {
  const positions = rowsWith(latDeg, lonDeg).length
  const distances = rowsWith(distanceM, distanceM)
  const isStream = distances.length >= LEAST_DISTANCE_SHARE * positions && distanceM[distances.at(-1) ?? 0]! > 0
  if (distances.length > 0 && (positions < 2 || isStream)) return 'device'
  return positions < 2 ? 'none' : 'gps'
}

function statingRows(rows: Rows): Rows {
  const { tS, columns } = rows
  const index = new Uint32Array(tS.length)
  let count = 0
  for (let i = 0; i < tS.length; i += 1) {
    let column = 0
    while (column < INFORMATIVE.length && Number.isNaN(columns[INFORMATIVE[column]!][i]!)) column += 1
    if (column === INFORMATIVE.length) continue
    index[count] = i
    count += 1
  }
  return count === tS.length ? rows : picked(rows, index.subarray(0, count))
}

function timerOffSpans({ timerOffMs }: RecordedSamples, { startMs, tS }: Rows): Span[] {
  const unit = timeScale(tS.at(-1)!)
  const elapsedS = (ms: number) => Math.round((Math.max(0, ms - startMs) / 1000) * unit) / unit
  const spans = timerOffMs.map(([fromMs, toMs]) => ({
    startS: elapsedS(fromMs),
    // a timer that was never restarted is off until the last record
    endS: toMs === Infinity ? tS.at(-1)! : elapsedS(toMs),
  }))
  return spans.filter(({ startS, endS }) => Number.isFinite(startS) && Number.isFinite(endS))
}

function segmentPauses({ tS, segment }: Rows): Span[] {
  const pauses: Span[] = []
  for (let i = 1; segment !== null && i < tS.length; i += 1) {
    if (segment[i] !== segment[i - 1] && tS[i]! - tS[i - 1]! > SEGMENT_PAUSE_S) {
      pauses.push({ startS: tS[i - 1]!, endS: tS[i]! })
    }
  }
  return pauses
}

/** The run begins at 0 s and 0 m: a row is inserted where the first record, or distance, is later. */
function withOrigin(rows: Rows, source: DistanceSource): Rows {
  const { distanceM } = rows.columns
  const starts = rows.tS[0] === 0
  if (starts && !(source === 'device' && Number.isNaN(distanceM[0]!))) return rows
  const index = rowNumbers(rows.tS.length + 1).map((i) => Math.max(0, i - 1))
  const moved = starts ? rows : picked(rows, index)
  if (!starts) {
    moved.tS[0] = 0
    for (const name of COLUMNS) moved.columns[name][0] = Number.NaN
  }
  if (source === 'device') moved.columns.distanceM[0] = 0
  return moved
}

function picked({ startMs, tS, columns, segment }: Rows, index: Uint32Array): Rows {
  return {
    startMs,
    tS: gathered(tS, index),
    columns: columnsWith((name) => gathered(columns[name], index)),
    segment: segment === null ? null : Int32Array.from(index, (row) => segment[row]!),
  }
}
