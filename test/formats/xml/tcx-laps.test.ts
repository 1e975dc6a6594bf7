import { describe, expect, test } from 'bun:test'
import { tcxFormat } from '../../../src/formats/xml/tcx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { type TcxLap, tcxFile } from '../../fixtures/tcx.ts'

const at = (s: number) => START_MS + s * 1000
const points = (fromS: number, toS: number) =>
  Array.from({ length: toS - fromS + 1 }, (_, i) => ({ timeMs: at(fromS + i), distanceM: 3 * (fromS + i), hr: 140 }))

function lapsOf(laps: readonly TcxLap[]) {
  const [run] = tcxFormat.parse(tcxFile([{ laps }]), { filename: 'a.tcx' }).activities
  return run?.laps ?? []
}

describe('laps of TCX files', () => {
  test('have what the file states of them, and last until their last point, pauses included', () => {
    const laps = lapsOf([
      {
        ...{ startMs: at(0), totalTimeS: 240, distanceM: 900, avgHr: 150, maxHr: 171 },
        ...{ intensity: 'Active', triggerMethod: 'Distance' },
        tracks: [points(0, 100), points(160, 300)],
      },
      {
        ...{ startMs: at(300), totalTimeS: 60.5, intensity: 'Resting', triggerMethod: 'Manual' },
        tracks: [points(301, 360)],
      },
    ])
    expect(laps).toEqual([
      {
        ...{ startMs: at(0), endMs: at(300), timerS: 240, distanceM: 900, avgHeartRateBpm: 150, maxHeartRateBpm: 171 },
        ...{ avgCadenceRpm: null, avgPowerW: null, elevGainM: null, elevLossM: null },
        ...{ trigger: 'distance', intensity: 'active' },
      },
      {
        ...{ startMs: at(300), endMs: at(360.5), timerS: 60.5, distanceM: null },
        ...{ avgHeartRateBpm: null, maxHeartRateBpm: null },
        ...{ avgCadenceRpm: null, avgPowerW: null, elevGainM: null, elevLossM: null },
        ...{ trigger: 'manual', intensity: 'rest' },
      },
    ])
  })

  test('do not reach into the next one, and odd words are none', () => {
    const laps = lapsOf([
      { startMs: at(0), totalTimeS: 9000, intensity: 'Hard', triggerMethod: 'Moon', tracks: [points(0, 100)] },
      { startMs: at(100), totalTimeS: -5, tracks: [points(101, 200)] },
      { startMs: at(200), totalTimeS: 0, tracks: [] },
    ])
    const stated = laps.map(({ startMs, endMs, trigger, intensity }) => [startMs, endMs, trigger, intensity])
    expect(stated).toEqual([
      [at(0), at(100), null, null],
      [at(100), at(200), null, null],
    ])
  })
})
