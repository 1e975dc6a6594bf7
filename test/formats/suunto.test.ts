import { describe, expect, test } from 'bun:test'
import { parseFile } from '../../src/formats/registry.ts'
import { START_MS } from '../fixtures/runs.ts'
import { type SuuntoOptions, suuntoFile, suuntoWindow } from '../fixtures/suunto.ts'
import { refusal } from './cuts.ts'

const RUN = { startMs: START_MS, seconds: 600 } as const
const NOW_MS = START_MS + 86_400_000

function read(bytes: Uint8Array) {
  return parseFile(bytes, { filename: 'a.json', nowMs: NOW_MS })
}

function runOf(options: Partial<SuuntoOptions> = {}) {
  return read(suuntoFile({ ...RUN, ...options })).activities[0]!
}

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

  test('of another sport, or damaged, is refused with a sentence', () => {
    const sport = (header: Readonly<Record<string, unknown>>) => suuntoFile({ ...RUN, header })
    for (const [sent, sentence] of [
      [sport({ ActivityType: 4 }), 'The file is not a run: its sport is cycling'],
      [sport({ ActivityType: 12 }), 'The file is not a run: its sport is walking'],
      [
        sport({ ActivityType: 3, Activity: 'Open water swimming' }),
        'The file is not a run: its sport is Open water swimming',
      ],
      [{ Header: {}, Samples: [1, 2] }, 'The Suunto file has no time'],
      [{ Samples: [] }, 'The Suunto file has no time'],
      [5, 'The Suunto file has no time'],
      [
        { Header: { DateTime: '2025-11-01T09:00:00Z' } },
        'The Suunto file has neither samples nor a distance and a time',
      ],
    ] as const)
      expect(refusal(sent instanceof Uint8Array ? sent : JSON.stringify({ DeviceLog: sent }))?.message).toBe(sentence)
  })
})
