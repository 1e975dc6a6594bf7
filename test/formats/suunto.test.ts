import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { START_MS } from '../fixtures/runs.ts'
import { type SuuntoOptions, suuntoFile, suuntoLog, suuntoWindow } from '../fixtures/suunto.ts'

const RUN = { startMs: START_MS, seconds: 600 } as const
const NOW_MS = START_MS + 86_400_000

function read(bytes: Uint8Array) {
  return parseFile(bytes, { filename: 'a.json', nowMs: NOW_MS })
}

function runOf(options: Partial<SuuntoOptions> = {}) {
  return read(suuntoFile({ ...RUN, ...options })).activities[0]!
}

function refusal(bytes: Uint8Array): string {
  try {
    read(bytes)
    return 'nothing'
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.message
  }
}

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

describe('a Suunto export', () => {
  test('is one point a second, at the time of its position, in our units', () => {
    const { recording, startedAtMs, device, utcOffsetMinutes, source, totals } = runOf()
    expect([startedAtMs, device, utcOffsetMinutes, source]).toEqual([START_MS, 'Suunto 9', 120, 'json_import'])
    expect(recording?.n).toBe(601)
    const at = (name: 'timeMs' | 'latDeg' | 'heartRateBpm' | 'cadenceRpm' | 'temperatureC' | 'elevM', row: number) =>
      recording?.[name][row]
    expect(at('timeMs', 100)).toBe(START_MS + 100_000)
    expect(at('latDeg', 100)).toBeCloseTo(47 + 300 / 111_170, 9)
    expect([at('heartRateBpm', 100), at('cadenceRpm', 100), at('elevM', 100)]).toEqual([141, 84, 400])
    expect(at('temperatureC', 100)).toBeCloseTo(15, 6)
    expect(recording?.elevationSource).toBe('baro')
    expect([totals.timerS, totals.distanceM, totals.caloriesKcal]).toEqual([600, 1800, 100])
  })

  test('has its pauses, and its laps from window to window', () => {
    const sensors = { HR: [{ Avg: 2.5, Max: 3 }], Power: [{ Avg: 250 }] }
    const windows = [
      suuntoWindow(START_MS + 300_000, { Distance: 900, Duration: 300, ...sensors }),
      suuntoWindow(START_MS + 600_000, { Type: 'Interval', IntervalType: 'Recovery', Distance: 900, Duration: 240 }),
      // of the whole activity, as every file has one
      suuntoWindow(START_MS + 600_000, { Type: 'Activity', IntervalType: null, Distance: 1800, Duration: 540 }),
    ]
    const { recording, laps } = runOf({ pause: [400, 460], windows })
    expect(recording?.timerOffMs).toEqual([[START_MS + 400_000, START_MS + 460_000]])
    const at = (s: number) => START_MS + s * 1000
    expect(laps).toMatchObject([
      { startMs: at(0), endMs: at(300), trigger: 'manual', intensity: null, avgHeartRateBpm: 150, avgPowerW: 250 },
      { startMs: at(300), endMs: at(600), trigger: null, intensity: 'recovery', timerS: 240 },
    ])
    expect(laps[0]?.maxHeartRateBpm).toBe(180)
  })

  test('without samples is a run of its totals', () => {
    const log = suuntoLog(RUN)
    const { Header, Device } = log.DeviceLog as Record<string, unknown>
    const { activities } = read(bytesOf({ DeviceLog: { Header, Device, Samples: [] } }))
    expect(activities).toMatchObject([{ recording: null, totals: { elapsedS: 600, distanceM: 1800 } }])
  })

  test('may name its samples last, hold nested and unknown ones, and write null', () => {
    const odd = [
      { TimeISO8601: 'never', HR: 2 },
      { Events: [{ Lap: { Type: 'Start', Note: 'a "quoted" } bracket ]' } }] },
      { TimeISO8601: '2025-11-01T09:00:05.000+02:00', HR: null, Latitude: 'x', R: [[1, [2]]] },
      { TimeISO8601: '2025-11-01T09:00:06.000+02:00', Text: 'x'.repeat(100_000) },
    ]
    expect(runOf({ more: odd }).recording?.n).toBeGreaterThanOrEqual(601)
  })

  test.each([
    [4, undefined, 'The file is not a run: its sport is cycling'],
    [12, undefined, 'The file is not a run: its sport is walking'],
    [3, 'Open water swimming', 'The file is not a run: its sport is Open water swimming'],
  ] as const)('of another sport is refused: %p %p', (ActivityType, Activity, sentence) => {
    const header = { ActivityType, ...(Activity === undefined ? {} : { Activity }) }
    expect(refusal(suuntoFile({ ...RUN, header }))).toBe(sentence)
  })

  test('of a treadmill has no climb', () => {
    expect([3, 93].map((ActivityType) => runOf({ header: { ActivityType } }).recording?.indoor)).toEqual([false, true])
  })

  test('that is damaged is refused with a sentence, wherever it is cut', () => {
    const whole = suuntoFile({ ...RUN, seconds: 60 })
    for (let part = 1; part < 64; part += 1) {
      const cut = whole.subarray(0, Math.floor((whole.length * part) / 64))
      expect(refusal(cut)).toMatch(/cut or damaged|no time|neither|This file is not a/)
    }
    expect(refusal(bytesOf('{"DeviceLog": {"Header": {}, "Samples": [1, 2]}}'))).toBe(
      'The Suunto file has invalid samples',
    )
    expect(refusal(bytesOf({ DeviceLog: { Samples: [] } }))).toBe('The Suunto file has no time')
    expect(refusal(bytesOf({ DeviceLog: 5 }))).toBe('The Suunto file has no time')
    expect(refusal(bytesOf({ DeviceLog: { Header: { DateTime: '2025-11-01T09:00:00Z' } } }))).toBe(
      'The Suunto file has neither samples nor a distance and a time',
    )
    const long = { DeviceLog: { Header: { Notes: 'x'.repeat(9 * 1024 * 1024) }, Samples: [] } }
    expect(refusal(bytesOf(long))).toBe('The Suunto file has more besides its samples than a watch writes')
  })
})

test('it arrives by the API as every other file: stored once, with its original, in the archive and back', async () => {
  await using app = await testApp()
  const windows = [suuntoWindow(START_MS + 300_000, { Distance: 900 })]
  const bytes = suuntoFile({ ...RUN, pause: [300, 330], windows })
  const answer = await app.upload('/workouts/import', [{ name: 'Run.JSON', bytes }])
  expect([answer.status, answer.json.action]).toEqual([200, 'created'])
  const again = await app.upload('/workouts/import', [{ name: 'other.json', bytes }])
  expect([again.json.action, again.json.id]).toEqual(['skipped', answer.json.id])

  const path = `/workouts/${answer.json.id}`
  const run = { source: 'json_import', device: 'Suunto 9', distanceM: 1710, durationS: 600, rawGpxData: null }
  expect(await app.ok('GET', path)).toMatchObject(run)
  const { json: sources } = await app.call('GET', `${path}/sources`)
  expect(sources.recordings[0].fileType).toBe('json')
  const { json: laps } = await app.call('GET', `${path}/laps`)
  expect(laps).toHaveLength(1)

  await using other = await testApp()
  const back = await restored(other, await exported(app))
  expect([back.json.success, back.json.errors]).toEqual([true, []])
  const [recording] = (await other.call('GET', `${path}/sources`)).json.recordings
  expect([recording.fileType, recording.filename]).toEqual(['json', 'Run.JSON'])
  expect((await other.call('GET', `${path}/file`)).text).toBe(new TextDecoder().decode(bytes))
})
