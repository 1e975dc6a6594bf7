import { describe, expect, test } from 'bun:test'
import { Decoder, Stream } from '@garmin/fitsdk'
import { SaxesParser } from 'saxes'
import { bareLap, type DeviceLap } from '../../../src/engine/laps.ts'
import { eachNumber, type NumberName } from '../../../src/engine/numbers.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import type { Track } from '../../../src/engine/track.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { parseFile } from '../../../src/formats/registry.ts'
import type { WrittenFormat } from '../../../src/formats/write/run.ts'
import { runFile } from '../../../src/workers/run-file.ts'
import { type FitSample, fitFile } from '../../fixtures/fit.ts'
import { pairs } from '../../fixtures/pairs.ts'

const START_MS = Date.UTC(2025, 10, 1, 7, 0, 0)
const ELEVATION = { thresholdM: 2, minDistanceM: 10 }

interface Made {
  readonly format: WrittenFormat
  readonly startMs?: number
  readonly name?: string | null
  readonly notes?: string | null
  readonly numbers?: Partial<Record<NumberName, number>>
  readonly laps?: readonly DeviceLap[]
}

function written(track: Track | null, made: Made): Uint8Array {
  const { format, startMs = START_MS, name = null, notes = null, numbers = {}, laps = [] } = made
  const id = '0198a000-0000-7000-8000-000000000001'
  const run = { id, startMs, utcOffsetMinutes: 60, name, notes, numbers: eachNumber((one) => numbers[one] ?? null) }
  const pieces = runFile(track, { format, run, laps, elevation: ELEVATION, trim: null })
  return Buffer.concat([...pieces])
}

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** A track of a watch: 3 m/s, one record each `everyS`, none within the pauses. */
function watchTrack(
  seconds: number,
  { everyS = 1, pauses = [] }: { everyS?: number; pauses?: readonly (readonly [number, number])[] } = {},
): Track {
  const samples: FitSample[] = []
  for (let t = 0; t <= seconds; t += everyS) {
    if (pauses.some(([from, to]) => t > from && t < to)) continue
    samples.push({ t, lat: 47 + (3 * t) / 111_170, lon: 8, distanceM: 3 * t, elevM: 400, hr: 140, cadence: 85 })
  }
  const timer = pairs(['0,0', ...pauses.map(([from, to]) => `${from},4 ${to},0`)].join(' '))
  return trackOf(fitFile({ startMs: START_MS, samples, timer }), 'a.fit')
}

function activityOf(bytes: Uint8Array, filename: string) {
  return parseFile(bytes, { filename, nowMs: Date.UTC(2026, 0, 1) }).activities[0]!
}

function trackOf(bytes: Uint8Array, filename: string): Track {
  return cleanRecording(activityOf(bytes, filename).recording!)!
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK names no types of messages
function sdk(bytes: Uint8Array): Record<string, any[]> {
  const decoder = new Decoder(Stream.fromByteArray([...bytes]))
  expect(decoder.checkIntegrity()).toBe(true)
  const { messages, errors } = decoder.read()
  expect(errors).toEqual([])
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  return messages as Record<string, any[]>
}

function expectWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
}

describe('FIT', () => {
  test('pauses are stops and starts of the timer, the last start ends none', () => {
    const track = watchTrack(300, { pauses: pairs('60,100 200,203') })
    const { eventMesgs, sessionMesgs } = sdk(written(track, { format: 'fit', numbers: { durationS: 300 } }))
    const events = eventMesgs!.map(({ timestamp, eventType }) => `${(timestamp - START_MS) / 1000} ${eventType}`)
    expect(events).toEqual(['0 start', '60 stopAll', '100 start', '200 stopAll', '203 start', '300 stopAll'])
    expect(sessionMesgs![0]).toMatchObject({ totalTimerTime: 257, totalElapsedTime: 300, subSport: 'generic' })
  })

  test('a run without samples is its totals and one lap', () => {
    const numbers = { durationS: 1800, distanceM: 5000.55, timerTimeS: 1790, avgHeartRateBpm: 150, calories: 333 }
    const bytes = written(null, { format: 'fit', numbers })
    const { lapMesgs, sessionMesgs } = sdk(bytes)
    expect(lapMesgs).toHaveLength(1)
    expect(lapMesgs![0]).toMatchObject({ totalDistance: 5000.55, totalTimerTime: 1790, avgHeartRate: 150 })
    expect(sessionMesgs![0]).toMatchObject({ subSport: 'treadmill', totalCalories: 333 })
    const { totals, startedAtMs } = activityOf(bytes, 'a.fit')
    expect(totals).toMatchObject({ distanceM: 5000.55, elapsedS: 1800, timerS: 1790, avgHeartRateBpm: 150 })
    expect(startedAtMs).toBe(START_MS)
  })

  test('a time that the format cannot express is refused', () => {
    const old = () => written(null, { format: 'fit', startMs: Date.UTC(1997, 5, 1), numbers: { durationS: 60 } })
    expect(old).toThrow(new FormatError('A FIT file holds runs from July 1998 to February 2126 only'))
    const tcx = written(null, { format: 'tcx', startMs: Date.UTC(1997, 5, 1), numbers: { durationS: 60 } })
    expect(textOf(tcx)).toContain('<Id>1997-06-01T00:00:00Z</Id>')
  })
})

describe('laps', () => {
  const lap = (fromS: number, toS: number, stated: Partial<DeviceLap> = {}): DeviceLap => {
    return { ...bareLap(START_MS + fromS * 1000, START_MS + toS * 1000), ...stated }
  }

  test('those of the device fill the run, with what they were', () => {
    const warmup = lap(0.4, 100, { trigger: 'manual', intensity: 'warmup' })
    const laps = [warmup, lap(150, 200, { trigger: 'time', intensity: 'rest' })]
    const numbers = { durationS: 300, distanceM: 901 }
    const { lapMesgs } = sdk(written(watchTrack(300), { format: 'fit', laps, numbers }))
    const stated = lapMesgs!.map(({ startTime, totalElapsedTime, totalDistance, lapTrigger, intensity }) => {
      return [(startTime - START_MS) / 1000, totalElapsedTime, totalDistance, lapTrigger, intensity]
    })
    expect(stated).toEqual([
      [0, 100, 300, 'manual', 'warmup'],
      [100, 50, 150, undefined, undefined],
      [150, 50, 150, 'time', 'rest'],
      [200, 100, 301, 'sessionEnd', undefined],
    ])
    const tcx = textOf(written(watchTrack(300), { format: 'tcx', laps }))
    const intensities = [...tcx.matchAll(/<Intensity>(\w+)/g)].map(([, word]) => word)
    expect(intensities).toEqual(['Active', 'Active', 'Resting', 'Active'])
    expect(tcx.match(/<TriggerMethod>\w+/g)?.[2]).toBe('<TriggerMethod>Time')
  })
})

describe('GPX and TCX', () => {
  test('a pause of more than 10 s begins a new segment, a shorter one does not', () => {
    const track = watchTrack(300, { pauses: pairs('60,100 200,208') })
    for (const [format, segment] of [
      ['gpx', '<trkseg>'],
      ['tcx', '<Track>'],
    ] as const) {
      const bytes = written(track, { format })
      expect(textOf(bytes).split(segment)).toHaveLength(3)
      expect(trackOf(bytes, `a.${format}`).off).toEqual([{ startS: 60, endS: 100 }])
    }
  })

  test('texts of any kind leave well-formed files, and come back', () => {
    const name = 'A <b> & "c" \u0000\u0008\ud800 é 走る 🏃 ]]>'
    const notes = 'one\ntwo\u000b'
    for (const format of ['gpx', 'tcx'] as const) {
      const bytes = written(watchTrack(20), { format, name, notes })
      expectWellFormed(textOf(bytes))
      const again = activityOf(bytes, `a.${format}`)
      expect(again.notes).toBe('one\ntwo')
      if (format === 'gpx') expect(again.name).toBe('A <b> & "c"  é 走る 🏃 ]]>')
    }
  })

  test('a point has what it has, in the order of the schemas', () => {
    const track = watchTrack(2)
    track.temperatureC[1] = 11.5
    track.powerW[1] = 250
    track.speedMps[1] = 3
    const lineOf = (format: 'gpx' | 'tcx', tag: string) =>
      textOf(written(track, { format }))
        .split('\n')
        .filter((line) => line.startsWith(tag))[1]
    expect(lineOf('gpx', '<trkpt')).toBe(
      '<trkpt lat="47.0000270" lon="8.0000000"><ele>400</ele><time>2025-11-01T07:00:01Z</time><extensions>' +
        '<power>250</power><gpxtpx:TrackPointExtension><gpxtpx:atemp>11.5</gpxtpx:atemp><gpxtpx:hr>140</gpxtpx:hr>' +
        '<gpxtpx:cad>85</gpxtpx:cad><gpxtpx:speed>3</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions></trkpt>',
    )
    expect(lineOf('tcx', '<Trackpoint')).toBe(
      '<Trackpoint><Time>2025-11-01T07:00:01Z</Time><Position><LatitudeDegrees>47.0000270</LatitudeDegrees>' +
        '<LongitudeDegrees>8.0000000</LongitudeDegrees></Position><AltitudeMeters>400</AltitudeMeters>' +
        '<DistanceMeters>3</DistanceMeters><HeartRateBpm><Value>140</Value></HeartRateBpm><Extensions>' +
        '<TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Speed>3</Speed><RunCadence>85</RunCadence>' +
        '<Watts>250</Watts></TPX></Extensions></Trackpoint>',
    )
  })
})
