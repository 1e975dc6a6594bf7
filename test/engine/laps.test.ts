import { describe, expect, test } from 'bun:test'
import { bareLap, type DeviceLap, lapsOfStored, MOST_LAPS, orderedLaps, storedLaps } from '../../src/engine/laps.ts'

const lap = (startMs: number, endMs: number, rest: Partial<DeviceLap> = {}): DeviceLap => ({
  ...bareLap(startMs, endMs),
  ...rest,
})
const spans = (laps: readonly DeviceLap[]) => laps.map(({ startMs, endMs }) => [startMs, endMs])

describe('laps in order', () => {
  const cases: readonly (readonly [name: string, told: [number, number][], ordered: [number, number][]])[] = [
    ['of none are none', [], []],
    [
      'are sorted',
      [
        [9000, 12_000],
        [0, 9000],
      ],
      [
        [0, 9000],
        [9000, 12_000],
      ],
    ],
    [
      'touch where they nearly do, and keep their length',
      [
        [0, 10_700],
        [10_000, 20_000],
      ],
      [
        [0, 10_700],
        [10_700, 20_700],
      ],
    ],
    [
      'keep a gap',
      [
        [0, 5000],
        [9000, 12_000],
      ],
      [
        [0, 5000],
        [9000, 12_000],
      ],
    ],
    [
      'begin where the one before ends',
      [
        [0, 10_000],
        [5000, 20_000],
      ],
      [
        [0, 10_000],
        [10_000, 20_000],
      ],
    ],
    [
      'within another are dropped',
      [
        [0, 60_000],
        [10_000, 20_000],
        [60_000, 70_000],
      ],
      [
        [0, 60_000],
        [60_000, 70_000],
      ],
    ],
    [
      'that are told twice are one',
      [
        [0, 60_000],
        [0, 60_000],
      ],
      [[0, 60_000]],
    ],
    [
      'without length, or without times, are dropped',
      [
        [5000, 5000],
        [9000, 4000],
        [Number.NaN, 4],
        [0, Number.POSITIVE_INFINITY],
        [0, 1000],
      ],
      [[0, 1000]],
    ],
  ]
  for (const [name, told, ordered] of cases) {
    test(name, () => {
      const made = orderedLaps(told.map(([startMs, endMs]) => lap(startMs, endMs)))
      expect(spans(made)).toEqual(ordered)
      expect(orderedLaps(made)).toEqual(made)
    })
  }

  test('are limited in number', () => {
    const many = Array.from({ length: MOST_LAPS + 5 }, (_, k) => lap(10_000 * k, 10_000 * (k + 1)))
    expect(orderedLaps(many)).toHaveLength(MOST_LAPS)
  })

  test('contain only finite numbers', () => {
    const odd = { timerS: -1, distanceM: Number.NaN, avgPowerW: 1e300, elevGainM: Number.POSITIVE_INFINITY }
    expect(orderedLaps([lap(0, 1000, odd)])).toEqual([bareLap(0, 1000)])
  })
})

test('laps come out of the database as they went in', () => {
  const laps = [
    lap(1_761_980_400_000, 1_761_980_640_123),
    lap(1_761_980_640_123, 1_761_980_700_000, { trigger: 'manual', intensity: 'other', elevLossM: 0 }),
    lap(1_761_980_700_000, 1_761_980_800_000, { timerS: 99.5, distanceM: 400.25, trigger: 'fitnessEquipment' }),
  ]
  expect(storedLaps(laps)).toEqual([
    [1_761_980_400_000, 240_123, -1, -1],
    [1_761_980_640_123, 59_877, 0, 6, null, null, null, null, null, null, null, 0],
    [1_761_980_700_000, 100_000, 6, -1, 99.5, 400.25],
  ])
  expect(lapsOfStored(JSON.parse(JSON.stringify(storedLaps(laps))))).toEqual(laps)
  // of a later version, or a damaged row
  expect(lapsOfStored([[], [5, 6, 99, 99]])).toEqual([bareLap(0, 0), bareLap(5, 11)])
})
