import { describe, expect, test } from 'bun:test'
import { placeTime, utcOffsetMinutes, zoneAt } from '../../src/library/time-zone.ts'

const BERLIN = { latDeg: 52.52, lonDeg: 13.405 }

describe('zone of a place', () => {
  test.each([
    [40.78, -73.97, 'America/New_York'],
    [52.52, 13.405, 'Europe/Berlin'],
    [-31.55, 159.08, 'Australia/Lord_Howe'],
    [27.71, 85.32, 'Asia/Kathmandu'],
    [-16.8, 179.99, 'Pacific/Fiji'],
    [-16.8, -179.99, 'Pacific/Fiji'],
    // at sea it is the nautical one
    [0, -140, 'Etc/GMT+9'],
    [Number.NaN, 0, null],
    [0, Number.NaN, null],
    [90.01, 0, null],
    [0, 180.01, null],
    [Number.POSITIVE_INFINITY, 0, null],
  ])('%p, %p is in %s', (latDeg, lonDeg, zone) => {
    expect(zoneAt(latDeg, lonDeg)).toBe(zone)
  })

  test('poles, the antimeridian and every degree between have a zone whose offset is known', () => {
    const zones = new Set<string>()
    for (let latDeg = -90; latDeg <= 90; latDeg++) {
      for (let lonDeg = -180; lonDeg <= 180; lonDeg++) zones.add(zoneAt(latDeg, lonDeg) ?? 'none')
    }
    expect(zones.size).toBeGreaterThan(300)
    for (const zone of zones)
      expect(Math.abs(utcOffsetMinutes(zone, Date.UTC(2025, 0, 1)))).toBeLessThanOrEqual(14 * 60)
  })
})

test.each([
  ['America/New_York', '2025-03-09T06:59Z', -300],
  ['America/New_York', '2025-03-09T07:00Z', -240],
  ['Europe/Berlin', '2025-10-26T00:59Z', 120],
  ['Europe/Berlin', '2025-10-26T01:00Z', 60],
  ['Australia/Lord_Howe', '2025-01-15T00:00Z', 660],
  ['Australia/Lord_Howe', '2025-07-15T00:00Z', 630],
  ['Asia/Kathmandu', '2025-07-15T00:00Z', 345],
  ['America/St_Johns', '2025-01-15T00:00Z', -210],
  ['Pacific/Kiritimati', '2025-01-15T00:00Z', 840],
  ['Etc/GMT', '2025-01-15T00:00Z', 0],
  ['Etc/GMT+9', '2025-01-15T00:00Z', -540],
])('%s at %s is %d minutes ahead', (zone, time, minutes) => {
  expect(utcOffsetMinutes(zone, Date.parse(time))).toBe(minutes)
  expect(() => utcOffsetMinutes('Europe/Atlantis', 0)).toThrow(RangeError)
})

test('the place decides the local time of a run, whatever the file says; without one the file does', () => {
  const winterMs = Date.parse('2025-01-15T10:00Z')
  for (const minutes of [0, null])
    expect(placeTime(BERLIN, minutes, winterMs)).toEqual({ zone: 'Europe/Berlin', utcOffsetMinutes: 60 })
  // outside the globe there is none
  expect(placeTime({ latDeg: 200, lonDeg: 0 }, 60, winterMs)).toEqual({ zone: null, utcOffsetMinutes: 60 })
  for (const [minutes, expected] of [
    ...[[-300, -300] as const, [119, 120] as const, [-8, -15] as const, [7, 0] as const, [-7, 0] as const],
    ...[[840, 840] as const, [848, null] as const, [-1e5, null] as const, [Number.NaN, null] as const],
    [null, null] as const,
  ])
    expect(placeTime(null, minutes, winterMs)).toEqual({ zone: null, utcOffsetMinutes: expected })
})
