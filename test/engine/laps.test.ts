import { describe, expect, test } from 'bun:test'
import {
  bareLap,
  type DeviceLap,
  lapSeries,
  lapsOfStored,
  orderedLaps,
  storedLaps,
  touchingLaps,
} from '../../src/engine/laps.ts'
import { pairs } from '../fixtures/pairs.ts'

const lap = (startMs: number, endMs: number, rest: Partial<DeviceLap> = {}): DeviceLap => ({
  ...bareLap(startMs, endMs),
  ...rest,
})
const spans = (laps: readonly DeviceLap[]) => laps.map(({ startMs, endMs }) => [startMs, endMs])

describe('laps in order', () => {
  test.each<[name: string, stated: [number, number][], ordered: [number, number][]]>([
    ['of none are none', [], []],
    ['are sorted', pairs('9000,12000 0,9000'), pairs('0,9000 9000,12000')],
    ['begin and end as recorded', pairs('0,10700 10000,20000'), pairs('0,10700 10000,20000')],
    ['keep a gap', pairs('0,5000 9000,12000'), pairs('0,5000 9000,12000')],
    ['may overlap', pairs('5000,20000 0,10000'), pairs('0,10000 5000,20000')],
    ['may be nested', pairs('0,60000 10000,20000 60000,70000'), pairs('0,60000 10000,20000 60000,70000')],
    ['that overlap two others are dropped', pairs('0,60000 10000,50000 20000,30000'), pairs('0,60000 10000,50000')],
    ['that are told twice are one', pairs('0,60000 0,60000'), [[0, 60_000]]],
    ['without length or times are dropped', pairs('5000,5000 9000,4000 NaN,4 0,Infinity 0,1000'), pairs('0,1000')],
  ])('%s', (_, stated, ordered) => {
    const made = orderedLaps(stated.map(([startMs, endMs]) => lap(startMs, endMs)))
    expect(spans(made)).toEqual(ordered)
    expect(orderedLaps(made)).toEqual(made)
  })

  const seriesOf = (text: string) => lapSeries(pairs(text).map(([startMs, endMs]) => lap(startMs, endMs)))

  test('that overlap or are nested are a second series', () => {
    const nested = seriesOf('0,20000 0,60000 20000,40000 40000,60000 60000,80000')
    expect(nested.map(spans)).toEqual([pairs('0,20000 20000,40000 40000,60000 60000,80000'), pairs('0,60000')])
    expect(seriesOf('0,10000 5000,20000 11000,30000').map(spans)).toEqual([
      pairs('0,10000 11000,30000'),
      pairs('5000,20000'),
    ])
    expect(seriesOf('0,10700 10000,20000')).toHaveLength(1)
    expect(lapSeries([])).toEqual([])
  })

  test('touch for their numbers where they nearly do, and keep their length', () => {
    const [series = []] = seriesOf('0,10700 10000,20000 30000,31000')
    expect(spans(touchingLaps(series))).toEqual(pairs('0,10700 10700,20700 30000,31000'))
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
