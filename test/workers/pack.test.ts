import { expect, test } from 'bun:test'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { Track } from '../../src/engine/track.ts'
import { fitFormat } from '../../src/formats/fit/fit.ts'
import { gpxFormat } from '../../src/formats/xml/gpx.ts'
import { packTrack, unpackPositions, unpackTrack } from '../../src/workers/pack.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile } from '../fixtures/gpx.ts'

/** Columns as plain arrays: typed ones are compared by their bytes, in which NaN has many forms. */
function plain(track: Track): Record<string, unknown> {
  const values = Object.entries(track).map(([key, value]) => [key, value instanceof Float64Array ? [...value] : value])
  return Object.fromEntries(values)
}

const startMs = Date.UTC(2024, 4, 1, 6)

function trackOf(format: typeof fitFormat, bytes: Uint8Array) {
  const { recording } = format.parse(bytes, { filename: 'run' }).activities[0]!
  const track = recording === null ? null : cleanRecording(recording)
  if (track === null) throw new Error('no track')
  return track
}

test('a FIT track comes back to the last bit', () => {
  const samples = Array.from({ length: 300 }, (_, t) => ({
    t,
    lat: 47 + t * 0.000_027,
    lon: -122.123_456 + t * 0.000_01,
    distanceM: t * 3.01,
    elevM: 100 + (t % 7) * 0.2,
    speedMps: 3.012,
    hr: t % 5 === 0 ? 255 : 140 + (t % 9),
    cadence: 84.5,
    powerW: 250,
    temperatureC: -3,
  }))
  const timer = [
    [100, 4],
    [120, 0],
  ] as const
  const track = trackOf(fitFormat, fitFile({ startMs, samples, timer }))
  expect(track.off.length).toBe(1)
  expect(plain(unpackTrack(packTrack(track)))).toEqual(plain(track))
})

test('a GPX track with fractional seconds and gaps comes back to the last bit', () => {
  const points = Array.from({ length: 50 }, (_, i) => ({
    lat: 51 + i * 0.000_031_7,
    lon: 179.9999 + i * 0.000_01 - (i > 10 ? 360 : 0),
    timeMs: startMs + i * 1003,
    ...(i % 3 === 0 ? { ele: 12.34 + i, hr: 150 } : {}),
    ...(i % 4 === 0 ? { cad: 171 } : {}),
  }))
  const track = trackOf(gpxFormat, gpxFile({ points }))
  const packed = packTrack(track)
  expect(plain(unpackTrack(packed))).toEqual(plain(track))
  const { latDeg, lonDeg } = unpackPositions(packed.track)
  expect([...latDeg]).toEqual([...track.latDeg])
  expect([...lonDeg]).toEqual([...track.lonDeg])
})

test('damaged samples are an error, not wrong numbers', () => {
  const points = Array.from({ length: 50 }, (_, i) => ({ lat: 51 + i * 0.0001, lon: 4, timeMs: startMs + i * 1000 }))
  const packed = packTrack(trackOf(gpxFormat, gpxFile({ points })))
  expect(() => unpackTrack({ ...packed, track: packed.timeHr })).toThrow('lack column')
})
