import { isoTime, isoTimeWriter } from '../../engine/calendar/timestamp.ts'
import { isHeartRate } from '../../engine/grid.ts'
import type { RawObject, RawPoint } from '../format.ts'
import { rounded } from '../text-values.ts'
import { thinned } from '../thinned.ts'
import { FIT_EPOCH_S } from './profile.ts'
import { type FitRecords, NO_ALTITUDE_M } from './records.ts'
import type { FitMessage } from './values.ts'

/** The session message with FIT's own names in SI units, enhanced values by their plain names (docs/api.md 11.2). */
export function rawSession(session: FitMessage): RawObject {
  const { row: _row, timestamp: _end, startTime: _start, sport: _sport, subSport: _subSport, ...fields } = session
  const plain: Record<string, unknown> = {}
  const enhanced: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    const said = typeof value === 'number' ? rounded(value, 6) : value
    const [, first, rest] = /^enhanced(.)(.*)$/.exec(field) ?? []
    if (first === undefined) plain[field] = said
    else enhanced[first.toLowerCase() + rest] = said
  }
  return { ...plain, ...enhanced }
}

/** Whether an average or a maximum above zero is stated. @param session in the form of raw data */
export function saysHeartRate(session: RawObject): boolean {
  return ['avgHeartRate', 'maxHeartRate'].some((key) => Number(session[key]) > 0)
}

export function rawWeather(message: FitMessage): RawObject {
  const { row: _row, timestamp, ...fields } = message
  return typeof timestamp === 'number' ? { ...fields, timestamp: isoTime(unixMs(timestamp)) } : fields
}

/** The session's records as written, with their original times; missing and invalid values are left out. */
export function rawPoints(records: FitRecords, rows: Uint32Array): RawPoint[] {
  const written = isoTimeWriter()
  return thinned(rows.length, (i) => {
    const row = rows[i]!
    const point: RawPoint = {}
    const [lat, lon] = [records.latDeg[row]!, records.lonDeg[row]!]
    if (!Number.isNaN(lat) && !Number.isNaN(lon)) {
      point.lat = rounded(lat, 7)
      point.lon = rounded(lon, 7)
    }
    const ele = records.altitudeM[row]!
    if (!Number.isNaN(ele) && ele !== NO_ALTITUDE_M) point.ele = rounded(ele, 1)
    point.time = written(unixMs(records.timestampS[row]!))
    const hr = records.heartRateBpm[row]!
    if (isHeartRate(hr)) point.hr = hr
    const cad = records.cadenceRpm[row]!
    if (!Number.isNaN(cad)) point.cad = rounded(cad, 3)
    const power = records.powerW[row]!
    if (!Number.isNaN(power)) point.power = rounded(power, 3)
    const temp = records.temperatureC[row]!
    if (!Number.isNaN(temp)) point.temp = temp
    return point
  })
}

function unixMs(fitTimeS: number): number {
  return Math.trunc((fitTimeS + FIT_EPOCH_S) * 1000)
}
