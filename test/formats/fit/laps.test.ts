import { describe, expect, test } from 'bun:test'
import { bareLap, type DeviceLap } from '../../../src/engine/laps.ts'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../../fixtures/fit.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { START_MS } from '../../fixtures/runs.ts'

const steady = (seconds: number): FitSample[] =>
  Array.from({ length: seconds + 1 }, (_, t) => ({ t, lat: 47 + t / 37_000, lon: 8, distanceM: 3 * t, hr: 140 }))

function lapsOf(options: Omit<FitFileOptions, 'startMs'>): readonly DeviceLap[][] {
  const parsed = fitFormat.parse(fitFile({ startMs: START_MS, ...options }), { filename: 'a.fit' })
  return parsed.activities.map(({ laps }) => [...laps])
}

const spans = (laps: readonly DeviceLap[] = []) =>
  laps.map(({ startMs, endMs }) => [(startMs - START_MS) / 1000, (endMs - START_MS) / 1000])

describe('laps of FIT files', () => {
  test('have what the device stated of them', () => {
    const first = { distanceM: 901.5, avgHr: 150, maxHr: 160, avgCadence: 85, avgPowerW: 250, ascentM: 12, descentM: 0 }
    const [laps] = lapsOf({
      samples: steady(600),
      laps: [
        { startS: 0, elapsedS: 300.5, timerS: 290, ...first, intensity: 0, trigger: 2 },
        { startS: 300.5, elapsedS: 299.5, intensity: 1, trigger: 7 },
      ],
    })
    expect(laps).toEqual([
      {
        ...{ startMs: START_MS, endMs: START_MS + 300_500, timerS: 290, distanceM: 901.5, avgHeartRateBpm: 150 },
        ...{ maxHeartRateBpm: 160, avgCadenceRpm: 85, avgPowerW: 250, elevGainM: 12, elevLossM: 0 },
        ...{ trigger: 'distance', intensity: 'active' },
      },
      { ...bareLap(START_MS + 300_000, START_MS + 599_500), trigger: 'sessionEnd', intensity: 'rest' },
    ])
  })

  test('come in order, overlapping ones too; what is odd is left out', () => {
    const [read] = lapsOf({
      samples: steady(600),
      laps: [
        ...pairs('300,300 0,200 0,200 100,150').map(([startS, elapsedS]) => ({ startS, elapsedS })),
        ...[{ startS: 250 }, { startS: -900, elapsedS: 100 }],
      ],
    })
    expect(spans(read)).toEqual(pairs('0,200 100,250 300,600'))
  })
})
