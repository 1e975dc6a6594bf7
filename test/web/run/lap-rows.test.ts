import { expect, test } from 'bun:test'
import type { Intervals, Lap } from '../../../src/web/run/run-view.ts'
import { extremesOf, intervalsText, lapRows, repetitionRows } from '../../../src/web/run/tables/rows.ts'
import { pairs } from '../../fixtures/pairs.ts'

function lap(idx: number, distanceM: number, durationS: number, more: Partial<Lap> = {}): Lap {
  return {
    ...{ idx, startElapsedS: 0, endElapsedS: durationS, distanceM, durationS, timerTimeS: null, movingTimeS: null },
    ...{ paceS: (durationS / distanceM) * 1000, gapPaceS: null, avgHeartRateBpm: 150, maxHeartRateBpm: 160 },
    ...{ avgCadenceRpm: 90, avgPowerWatts: null, elevGainM: null, elevLossM: null, trigger: null, intensity: null },
    ...{ series: 0, ...more },
  }
}

test('laps are numbered, summed up, and counted in steps, by the moving clock or else that of the watch', () => {
  const rows = lapRows([lap(0, 1000, 300), lap(1, 1000, 280)], 'elapsed')
  expect(rows.map(({ name, totalS, cadenceSpm }) => `${name} ${totalS} ${cadenceSpm}`)).toEqual([
    '1 300 180',
    '2 580 180',
  ])
  const clocks = lapRows([lap(0, 1000, 300, { movingTimeS: 240 }), lap(1, 1000, 300, { timerTimeS: 270 })], 'moving')
  expect(clocks.map(({ timeS, paceS }) => [timeS, paceS])).toEqual(pairs('240,240 270,270'))
  // without a distance they have no pace
  expect(lapRows([lap(0, 0, 60, { distanceM: null, paceS: null })], 'moving')[0]?.paceS).toBeNull()
})

test('laps that were meant to be slow, or were left over, are not compared', () => {
  const active = { intensity: 'active' } as const
  const laps = [
    lap(0, 2000, 720, { intensity: 'warmup' }),
    lap(1, 1000, 240, active),
    lap(2, 300, 120, { intensity: 'rest' }),
    ...[lap(3, 1000, 230, active), lap(4, 1000, 235, active), lap(5, 100, 20)],
  ]
  const rows = lapRows(laps, 'elapsed')
  expect(rows.map(({ kind }) => kind)).toEqual(['warm-up', null, 'rest', null, null, null])
  expect(rows.map(({ isUncompared }) => isUncompared)).toEqual([true, false, true, false, false, true])
  expect(extremesOf(rows)).toEqual({ fastest: '3', slowest: '1' })
})

test.each([
  [[240, 120, 3.2], 'metric', '4:00/km · recovery 2:00 · 3\u00a0s/km slower at the end'],
  [[240, 120, 3.2], 'imperial', '6:26/mi · recovery 2:00 · 5\u00a0s/mi slower at the end'],
  [[240, null, -2], 'metric', '4:00/km · 2\u00a0s/km faster at the end'],
  [[null, null, 0.2], 'metric', 'even to the end'],
] as const)(
  'intervals of pace, recovery and fade %j are in %s units: %s',
  ([paceS, recoveryS, fadeS], units, words) => {
    expect(intervalsText({ paceS, recoveryS, fadeS }, units)).toBe(words)
  },
)

test('intervals are lines with the recovery after each, in which a stop within a repetition counts', () => {
  const { idx: _idx, trigger: _trigger, intensity: _intensity, ...stretch } = lap(0, 1000, 240, { movingTimeS: 200 })
  const recovery = { ...stretch, endHeartRateBpm: 130, heartRateDropBpm: 40 }
  const repetition = { ...stretch, target: null, endHeartRateBpm: 170, recovery }
  const set: Intervals['sets'][number] = {
    ...{ kind: 'equal', title: '2 × 1 km', target: null, paceS: 240, recoveryS: 240, fadeS: null },
    repetitions: [repetition, { ...repetition, recovery: null }],
  }
  const lines = repetitionRows(set).map(({ name, timeS, recovery: after }) => [name, timeS, after])
  expect(lines).toEqual([
    ['1', 240, recovery],
    ['2', 240, null],
  ])
})
