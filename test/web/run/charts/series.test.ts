import { describe, expect, test } from 'bun:test'
import {
  filledAscending,
  nearestRow,
  runSeries,
  sectionFigures,
  sectionMean,
} from '../../../../src/web/run/charts/series.ts'
import { pairs } from '../../../fixtures/pairs.ts'
import { samplesOf } from '../samples.ts'

const seriesOf = (columns: Parameters<typeof samplesOf>[0]) => runSeries(samplesOf(columns))!

describe('the series of a run', () => {
  test('bridges gaps of at most 20 s and leaves longer ones, counts cadence in steps, and is nothing without samples', () => {
    expect([{}, { elapsedS: [] }].map((columns) => runSeries(samplesOf(columns)))).toEqual([null, null])
    const series = seriesOf({
      elapsedS: [0, 10, 20, 30, 60, 90],
      heartRateBpm: [100, null, 120, null, 140, null],
      cadenceRpm: [85, 85, 85, 85, 85, 85.5],
    })
    expect([...series.metrics.heartRate!]).toEqual([100, 110, 120, Number.NaN, 140, Number.NaN])
    expect([...series.metrics.cadence!]).toEqual([170, 170, 170, 170, 170, 171])
    expect(series.metrics.power).toBeNull()
  })

  test('has an empty row in a pause, so that no line crosses it, and only there', () => {
    const series = seriesOf({
      elapsedS: [0, 10, 20, 80, 90],
      distanceM: [0, 30, 60, 60, 90],
      heartRateBpm: [100, 110, 120, 90, 100],
      pauses: pairs('20,80 85,86').map(([startS, endS]) => ({ startS, endS })),
    })
    expect([...series.elapsedS]).toEqual([0, 10, 20, 50, 80, 85.5, 90])
    expect([...series.metrics.heartRate!]).toEqual([100, 110, 120, Number.NaN, 90, Number.NaN, 100])
    expect([...series.distanceM!]).toEqual([0, 30, 60, 60, 60, 60 + (30 * 5.5) / 10, 90])
  })

  test('fills a distance without making it fall, and finds the nearest row', () => {
    const nan = Number.NaN
    const filled = filledAscending(Float64Array.of(0, 1, 2, 3, 4), Float64Array.of(nan, 10, nan, 30, nan))
    expect([...filled!]).toEqual([10, 10, 20, 30, 30])
    expect(filledAscending(Float64Array.of(0, 1), Float64Array.of(nan, nan))).toBeNull()
    const column = Float64Array.of(0, 10, 10, 30)
    expect([-5, 4, 6, 10, 21, 99].map((value) => nearestRow(column, value))).toEqual([0, 0, 1, 1, 3, 3])
  })

  test('says what a section was like, with all of its time', () => {
    const series = seriesOf({
      elapsedS: [0, 100, 200, 300],
      distanceM: [0, 400, 800, 1000],
      heartRateBpm: [140, 150, 160, 170],
      paceS: [250, 250, 500, 500],
      gapPaceS: [200, 250, 250, 250],
      elevationM: [1, 2, 3, 4],
    })
    const whole = { seconds: 300, metres: 1000, paceS: 300, heartRateBpm: 150 }
    expect(sectionFigures(series, { fromS: 0, toS: 300 }, 'elapsed')).toEqual(whole)
    expect(sectionMean(series, 'pace', { fromS: 100, toS: 300 }, 'elapsed')).toBeCloseTo(200 / 0.6, 9)
    // as many seconds at 5 m/s as twice at 4 m/s: 13/3 m/s
    expect(sectionMean(series, 'gap', { fromS: 0, toS: 300 }, 'elapsed')).toBeCloseTo(1000 / (13 / 3), 9)
    expect(sectionMean(series, 'elevation', { fromS: 0, toS: 300 }, 'elapsed')).toBeNull()
    expect(sectionFigures(series, { fromS: 100, toS: 100 }, 'elapsed').paceS).toBeNull()
  })

  test('goes by the moving clock where that is shown: without the rows that have no pace, or as the service told', () => {
    const series = seriesOf({
      elapsedS: [0, 10, 20, 80, 90, 100],
      distanceM: [0, 40, 80, 80, 120, 160],
      paceS: [250, 250, 250, 250, 250, 250],
      gapPaceS: [250, 250, 250, 250, 250, 250],
      pauses: [{ startS: 20, endS: 80 }],
    })
    const whole = { fromS: 0, toS: 100 }
    expect(sectionFigures(series, whole, 'moving')).toMatchObject({ seconds: 40, metres: 160, paceS: 250 })
    expect(sectionFigures(series, whole, 'elapsed')).toMatchObject({ seconds: 100, paceS: 625 })
    expect(sectionMean(series, 'gap', whole, 'moving')).toBeCloseTo(250, 9)
    expect(sectionFigures(series, { ...whole, movingS: 48 }, 'moving')).toMatchObject({ seconds: 48, paceS: 300 })
  })
})
