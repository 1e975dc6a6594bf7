// Every run of the corpus out as FIT, GPX and TCX and in again; FIT also as Garmin's SDK reads it.
import { afterAll, expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Decoder, Stream } from '@garmin/fitsdk'
import { hasValues } from '../../src/engine/gather.ts'
import type { Track } from '../../src/engine/track.ts'
import { roundHalfUp } from '../../src/engine/units.ts'
import { workoutTrack } from '../../src/library/recordings.ts'
import { type TestApp, testApp } from '../app.ts'
import { corpusDir, corpusFile, corpusTest } from '../corpus.ts'

type Format = 'fit' | 'gpx' | 'tcx'

/** Files of the folders that are not runs. */
const NO_RUNS = [
  'gpx/opentracks-timezone-0115.gpx',
  'strava-export/activities/15512345678.fit.gz',
  'strava-export/activities/2223334445.fit.gz',
  'strava-export/activities/3048576123.fit',
  'strava-export/activities/9876543210.fit.gz',
]
const FILES = ['fit', 'fit-gz', 'gpx', 'strava-export/activities']
  .flatMap((folder) =>
    corpusDir === null ? [] : readdirSync(resolve(corpusDir, folder)).map((name) => `${folder}/${name}`),
  )
  .filter((name) => !NO_RUNS.includes(name))

async function file(app: TestApp, id: string, format: Format): Promise<Response> {
  const headers = { authorization: `Bearer ${app.token}` }
  return await app.handle(new Request(`http://localhost/workouts/${id}/export?format=${format}`, { headers }))
}

interface Imported {
  // biome-ignore lint/suspicious/noExplicitAny: members of an answer are compared
  readonly detail: any
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly laps: readonly any[]
  readonly track: Track
}

/** Where runs are imported first, and where again; each holds one at a time. */
const [source, target] = await Promise.all([testApp(), testApp()])
afterAll(async () => {
  await source.close()
  await target.close()
})

async function imported(app: TestApp, name: string, bytes: Uint8Array): Promise<Imported> {
  for (const { id } of (await app.ok('GET', '/workouts')).items) await app.ok('DELETE', `/workouts/${id}`)
  await app.ok('DELETE', '/trash')
  const { json, text, status } = await app.upload('/workouts/import', [{ name, bytes }])
  expect([status, json?.id === undefined ? text : 'ok']).toEqual([200, 'ok'])
  const { json: detail } = await app.call('GET', `/workouts/${json.id}?includeRaw=false`)
  const { json: laps } = await app.call('GET', `/workouts/${json.id}/laps`)
  return { detail, laps, track: workoutTrack(app.deps.db, json.id)! }
}

const rowMs = ({ startMs, tS }: Track, row: number) => startMs + Math.round(tS[row]! * 1000)

/** The rows of the second track by their times in units of so many milliseconds; of one time the last. */
function rowsByTime(track: Track, unitMs: number): ReadonlyMap<number, number> {
  return new Map(Array.from(track.tS, (_, row) => [Math.round(rowMs(track, row) / unitMs), row]))
}

/** How far the values of a column lie apart at most; a value that is missing is infinitely far. */
function furthest(
  column: keyof Track & string,
  { before, after, unitMs }: { before: Track; after: Track; unitMs: number },
): number {
  const rows = rowsByTime(after, unitMs)
  const of = (track: Track) => track[column] as Float64Array
  // of several rows within one unit the last value is reported
  const last = new Map<number, number>()
  for (let row = 0; row < before.n; row += 1) {
    const value = of(before)[row]!
    if (!Number.isNaN(value)) last.set(Math.round(rowMs(before, row) / unitMs), value)
  }
  let most = 0
  for (const [at, value] of last) {
    const row = rows.get(at)
    const apart = row === undefined ? Number.POSITIVE_INFINITY : Math.abs(of(after)[row]! - value)
    most = Math.max(most, Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart)
  }
  return most
}

/** What every format holds, within the bounds of docs/ways.md G.2; cadences of text are whole. */
function expectSamples(before: Track, after: Track, format: Format): void {
  const stated =
    format === 'gpx' ? withPositions(before) : format === 'fit' ? withinS(before, after.tS.at(-1)!) : before
  const options = { before: stated, after, unitMs: format === 'fit' ? 1000 : 1 }
  const bounds = {
    ...{ latDeg: 1e-7, lonDeg: 1e-7, elevM: 0.2, heartRateBpm: 0, powerW: 0, speedMps: 0.001 },
    ...(format === 'gpx' ? {} : { distanceM: 0.0101 }),
    cadenceRpm: format === 'fit' ? 1 / 128 : 0.5,
    ...(format === 'tcx' ? {} : { temperatureC: format === 'fit' ? 0.5 : 0.1 }),
  } as const
  for (const [column, bound] of Object.entries(bounds)) {
    const apart = furthest(column as keyof Track, options)
    expect(apart, `${column} of ${format}`).toBeLessThanOrEqual(bound + 1e-9)
  }
}

function withPositions(track: Track): Track {
  const rows = [...track.latDeg.keys()].filter((row) => !Number.isNaN(track.latDeg[row]!))
  const kept = Object.entries(track).map(([key, value]) =>
    value instanceof Float64Array ? [key, Float64Array.from(rows, (row) => value[row]!)] : [key, value],
  )
  return { ...Object.fromEntries(kept), n: rows.length }
}

/** Without the rows after the end of the session, which FIT does not get: a second in three files. */
function withinS(track: Track, endS: number): Track {
  const n = track.tS.findLastIndex((atS) => atS <= endS + 0.5) + 1
  return { ...track, n }
}

const TOTALS = ['durationS', 'distanceM'] as const
/** What FIT has a field for. */
const FIT_TOTALS = [
  ...TOTALS,
  ...(['timerTimeS', 'movingTimeS', 'calories', 'avgHeartRateBpm', 'maxHeartRateBpm', 'minHeartRateBpm'] as const),
  ...(['avgCadenceRpm', 'maxCadenceRpm', 'avgPowerWatts', 'maxPowerWatts', 'avgSpeedMps'] as const),
]

if (corpusDir === null) corpusTest('files of the corpus, out and in again', () => {})
for (const name of FILES) {
  corpusTest(`${name} out and in again is the same run`, async () => {
    const before = await imported(source, name, corpusFile(name))
    for (const format of ['fit', 'gpx', 'tcx'] as const) {
      const response = await file(source, before.detail.id, format)
      if (format === 'gpx' && !before.detail.hasRoute) {
        expect([response.status, await response.json()]).toEqual([
          400,
          { error: 'This run has no route, which a GPX file needs; FIT and TCX do not' },
        ])
        continue
      }
      expect(response.status).toBe(200)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const after = await imported(target, `again.${format}`, bytes)
      expect(Math.abs(Date.parse(after.detail.startedAt) - before.track.startMs)).toBeLessThanOrEqual(
        format === 'gpx' ? 60_000 : 1000,
      )
      expectSamples(before.track, after.track, format)
      if (format !== 'gpx' && before.laps.length > 1) expectLaps(before, after)
      if (format === 'fit') {
        for (const total of FIT_TOTALS) {
          if (before.detail[total] !== null) expect([total, after.detail[total]]).toEqual([total, before.detail[total]])
        }
        // measured again, on whole seconds
        if (before.detail.maxSpeedMps !== null) {
          const { maxSpeedMps } = before.detail
          expect(Math.abs(after.detail.maxSpeedMps - maxSpeedMps)).toBeLessThanOrEqual(0.01 * maxSpeedMps)
        }
        expectReadBySdk(bytes, before)
      } else if (format === 'gpx' && before.track.distanceSource === 'gps') {
        expect([after.detail.distanceM, after.detail.durationS]).toEqual(sampledTotals(before))
      } else if (format === 'tcx') {
        expect([after.detail.distanceM, after.detail.durationS]).toEqual(sampledTotals(before))
      }
    }
  })
}

/** The laps of the device are there again; what they leave out of the run is laps of its own. */
function expectLaps(before: Imported, after: Imported): void {
  const starts = after.laps.map(({ startElapsedS }) => startElapsedS)
  for (const { startElapsedS } of before.laps) {
    const nearest = Math.min(...starts.map((atS) => Math.abs(atS - startElapsedS)))
    expect(nearest).toBeLessThanOrEqual(1.5)
  }
  expect(after.laps.length).toBeGreaterThanOrEqual(before.laps.length)
  expect(after.laps.length).toBeLessThanOrEqual(before.laps.length + 1)
}

/** TCX has no totals but the ends of its samples, which are beyond the device's totals in two files. */
function sampledTotals({ detail, track }: Imported): [distanceM: number, durationS: number] {
  const lastM = track.distanceM.findLast((metres) => !Number.isNaN(metres)) ?? 0
  return [
    Math.max(detail.distanceM, roundHalfUp(lastM, 2)),
    Math.max(detail.durationS, roundHalfUp(track.tS.at(-1) ?? 0)),
  ]
}

/** Garmin's SDK finds no fault and the same totals. */
function expectReadBySdk(bytes: Uint8Array, { detail, track }: Imported): void {
  const decoder = new Decoder(Stream.fromByteArray([...bytes]))
  expect([decoder.isFIT(), decoder.checkIntegrity()]).toEqual([true, true])
  const { messages, errors } = decoder.read()
  expect(errors).toEqual([])
  // biome-ignore lint/suspicious/noExplicitAny: the SDK names no types of messages
  const { sessionMesgs, recordMesgs, lapMesgs, activityMesgs, fileIdMesgs } = messages as Record<string, any[]>
  const session = sessionMesgs?.[0]
  expect([session.totalDistance, session.totalElapsedTime]).toEqual([detail.distanceM, detail.durationS])
  expect(session.totalCalories ?? null).toBe(detail.calories)
  expect(session.avgHeartRate ?? null).toBe(detail.avgHeartRateBpm)
  const endS = session.totalElapsedTime
  expect(recordMesgs).toHaveLength(track.tS.filter((atS) => Math.round(atS) <= endS).length)
  const lastMs = Math.max(...recordMesgs!.map(({ timestamp }) => Number(timestamp)))
  expect(lastMs).toBeLessThanOrEqual(Number(session.startTime) + 1000 * endS)
  expect(lapMesgs).toHaveLength(session.numLaps)
  expect(fileIdMesgs?.[0]).toMatchObject({ type: 'activity', manufacturer: 'development' })
  expect(activityMesgs?.[0]).toMatchObject({ numSessions: 1, totalTimerTime: session.totalTimerTime })
  expect(recordMesgs?.some(({ heartRate }) => heartRate !== undefined)).toBe(hasValues(track.heartRateBpm))
  const timed = lapMesgs?.reduce((sum: number, { totalTimerTime }) => sum + totalTimerTime, 0)
  expect(Math.abs(timed - session.totalTimerTime)).toBeLessThan(0.05 * (lapMesgs?.length ?? 0) + 0.01)
}
