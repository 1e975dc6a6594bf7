import { describe, expect, test } from 'bun:test'
import {
  type FitnessDay,
  fitnessSeries,
  formWord,
  USUAL_OPTIONS,
  weightOf,
} from '../../../src/engine/training/fitness.ts'
import {
  easyLoadPerMinute,
  forecast,
  restDaysToFormZero,
  roomFor,
  usualLoads,
} from '../../../src/engine/training/forecast.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

const { fitness } = oracles
const history = fitness.history.loads

function lastOf(days: readonly FitnessDay[]): FitnessDay {
  return days.at(-1)!
}

describe('fitness, fatigue and form', () => {
  test('the weights of a day', () => {
    expectNear(weightOf(42), fitness.constants.a42)
    expectNear(weightOf(7), fitness.constants.a7)
  })
  test('short histories, four hundred days, and days with a seed are those of the vectors', () => {
    for (const { name, loads, days, last } of fitness.short) {
      const constant = typeof loads === 'string' ? Number(loads.replace('constant ', '')) : 0
      const all = typeof loads === 'string' ? new Array<number>(days!).fill(constant) : loads
      const { day, ...expected } = last
      expect(all).toHaveLength(day + 1)
      expectAllNear(lastOf(fitnessSeries(all)), expected, name)
    }
    const series = fitnessSeries(history)
    for (const { day, ...expected } of fitness.history.expect) expectAllNear(series[day]!, expected, `day ${day}`)
    const seeded = fitnessSeries(history.slice(0, 60), { ...USUAL_OPTIONS, seed: fitness.seeded.seed })
    for (const { day, ...expected } of fitness.seeded.expect)
      expectAllNear(seeded[day]!, expected, `seeded, day ${day}`)
  })

  test('words', () => {
    const wordOf = (share: number) => formWord(50 * share, 50, false)
    expect([-0.31, -0.3, -0.1, 0.049, 0.05, 0.2, 0.21].map(wordOf)).toEqual([
      ...(['heavy', 'building', 'steady', 'steady', 'fresh', 'fresh', 'rested'] as const),
    ])
    expect(formWord(-5, 9.9, false)).toBeNull()
    expect(formWord(-5, 50, true)).toBeNull()
  })
})

describe('looking ahead', () => {
  const { forecast: expected } = fitness
  const last = { fitness: expected.fitness, fatigue: expected.fatigue }
  const days = lastOf(fitnessSeries(history))
  test('from the end of the history', () => {
    expectAllNear(days, last)
    const rest = forecast(days, new Array<number>(14).fill(0))
    for (const [at, row] of expected.rest14.entries()) expectAllNear(rest[at]!, row, `rest ${at}`)
    const usual = usualLoads(history, 14)
    for (const [at, load] of expected.usualLoads.entries()) expectNear(usual[at], load)
    const projected = forecast(days, usual)
    for (const [at, row] of expected.usual14.entries()) expectAllNear(projected[at]!, row, `usual ${at}`)
    const loads = expected.custom.map(({ load }) => load)
    const custom = forecast(days, loads)
    for (const [at, row] of expected.custom.entries()) expectAllNear(custom[at]!, row, `custom ${at}`)
    expect(restDaysToFormZero(days)).toBe(expected.restDaysToFormZero)
  })
  test('days of rest and room for a form are those of the vectors', () => {
    for (const { days: rest, ...state } of expected.restDaysCases) expect(restDaysToFormZero(state)).toBe(rest)
    for (const { form, load, ...state } of expected.room) expectNear(roomFor(form, state), load, `form ${form}`)
  })
  test('an easy minute costs the median of eight easy runs or more, without those of no load or no time', () => {
    const run = (minutes: number, load: number | null) => ({ load, movingS: 60 * minutes })
    // 0.5, 0.6 … 1.1 load a minute, and one far off
    const seven = [5, 6, 7, 8, 9, 10, 11].map((tenths) => run(40, 4 * tenths))
    expect(easyLoadPerMinute([])).toBeNull()
    expect(easyLoadPerMinute([...seven, run(40, null), run(40, 0), run(0, 30)])).toBeNull()
    expect(easyLoadPerMinute([...seven, run(10, 100)])).toBeCloseTo(0.85, 12)
    expect(easyLoadPerMinute([...seven, run(10, 100), run(90, 27)])).toBeCloseTo(0.8, 12)
  })
})
