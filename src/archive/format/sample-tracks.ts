import { quantise } from '../../engine/codec.ts'
import { columnsWith } from '../../engine/columns.ts'
import { gathered } from '../../engine/gather.ts'
import { LIMITS, scalesOf, timeScale } from '../../engine/grid.ts'
import type { Track } from '../../engine/track.ts'
import { isObject } from '../../json-object.ts'
import { isWithin, oneOf } from './row-fields.ts'
import type { SampleTable } from './samples.ts'

/** What samples are besides their values. */
export type SamplesMeta = Pick<
  Track,
  | 'startMs'
  | 'off'
  | 'distanceSource'
  | 'elevationSource'
  | 'indoor'
  | 'positionUnit'
  | 'climbLimit'
  | 'hasEstimatedTimes'
>

/** As archives have it. */
export function metaObject(meta: SamplesMeta) {
  const { startMs, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes, off } = meta
  return {
    ...{ startMs, distanceSource, elevationSource, indoor, positionUnit },
    ...(climbLimit === undefined ? {} : { climbLimit }),
    ...(hasEstimatedTimes === undefined ? {} : { hasEstimatedTimes }),
    off: off.map(({ startS, endS }) => [startS, endS]),
  }
}

/** @returns null for what is none */
export function readMeta(value: unknown): SamplesMeta | null {
  if (!isObject(value)) return null
  const { startMs, off, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes } = value
  if (!isWithin(startMs, -8.64e15, 8.64e15) || !Number.isInteger(startMs)) return null
  const limit = readClimbLimit(climbLimit)
  return {
    startMs,
    off: readOff(off),
    distanceSource: oneOf(distanceSource, ['device', 'gps', 'none']) ?? 'device',
    elevationSource: oneOf(elevationSource, ['baro', 'gps', 'unknown']) ?? 'unknown',
    indoor: indoor === true,
    positionUnit: oneOf(positionUnit, ['semicircle', 'e7']) ?? 'e7',
    ...(limit === null ? {} : { climbLimit: limit }),
    ...(hasEstimatedTimes === true ? { hasEstimatedTimes } : {}),
  }
}

/** What is stored beside packed samples, which is written as archives have it. */
export function storedMeta(meta: string): SamplesMeta | null {
  return readMeta(JSON.parse(meta))
}

export function readClimbLimit(value: unknown): { gainM: number; lossM: number } | null {
  if (!isObject(value)) return null
  const { gainM, lossM } = value
  return isWithin(gainM, 0, Number.MAX_VALUE) && isWithin(lossM, 0, Number.MAX_VALUE) ? { gainM, lossM } : null
}

/** Spans that are in order and apart, as the engine has them; from the first that is not, none. */
function readOff(value: unknown): { startS: number; endS: number }[] {
  const spans: { startS: number; endS: number }[] = []
  for (const span of Array.isArray(value) ? value : []) {
    const [startS, endS] = Array.isArray(span) ? span : []
    if (!isWithin(startS, spans.at(-1)?.endS ?? 0, 1e9) || !isWithin(endS, startS, 1e9)) break
    spans.push({ startS, endS })
  }
  return spans
}

/**
 * The track that a Harrier exported: its values are on their grids already, and what it is besides stands in its meta.
 * @returns null without rows
 */
export function exportedTrack(table: SampleTable, meta: SamplesMeta): Track | null {
  const rows = risingRows(table.elapsedMs)
  if (rows.length === 0) return null
  const scales = scalesOf(meta.positionUnit)
  const lastS = table.elapsedMs[rows.at(-1)!]! / 1000
  const tS = quantise(
    gathered(table.elapsedMs, rows).map((ms) => ms / 1000),
    timeScale(lastS),
  )
  const columns = columnsWith((name) => {
    const [least, most] = LIMITS[name]
    const values = quantise(gathered(table[name], rows), scales[name])
    return values.map((value) => (value >= least && value <= most ? value : Number.NaN))
  })
  for (let i = 0; i < rows.length; i += 1) {
    if (!Number.isNaN(columns.latDeg[i]! + columns.lonDeg[i]!)) continue
    columns.latDeg[i] = Number.NaN
    columns.lonDeg[i] = Number.NaN
  }
  dropFalls(columns.distanceM)
  return { ...columns, ...meta, n: rows.length, tS }
}

/** Rows whose time is later than that of the row before, from the start on; columns are compared by whole milliseconds. */
function risingRows(elapsedMs: Float64Array): number[] {
  const unitMs = 1000 / timeScale((elapsedMs.at(-1) ?? 0) / 1000)
  const rows: number[] = []
  let previous = -1
  for (let row = 0; row < elapsedMs.length; row += 1) {
    const units = Math.round(elapsedMs[row]! / unitMs)
    if (units <= previous) continue
    rows.push(row)
    previous = units
  }
  return rows
}

function dropFalls(distanceM: Float64Array): void {
  let most = 0
  for (let i = 0; i < distanceM.length; i += 1) {
    const metres = distanceM[i]!
    if (metres < most) distanceM[i] = Number.NaN
    else if (metres > most) most = metres
  }
}
