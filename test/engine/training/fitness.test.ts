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
import { seededRandom } from '../../fixtures/knots.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

const { fitness } = oracles
const history = fitness.history.loads

function lastOf(days: readonly FitnessDay[]): FitnessDay {
  return days.at(-1)!
}

/** A load for each of some days, with days of rest among them. */
function randomLoads(days: number, random: () => number): number[] {
  return Array.from({ length: days }, () => (random() < 0.4 ? 0 : Math.round(1500 * random()) / 10))
}

describe('fitness, fatigue and form', () => {
  test('the weights of a day', () => {
    expectNear(weightOf(42), fitness.constants.a42)
    expectNear(weightOf(7), fitness.constants.a7)
  })
  for (const { name, loads, days, last } of fitness.short) {
    test(name, () => {
      const each = typeof loads === 'string' ? Number(loads.replace('constant ', '')) : 0
      const all = typeof loads === 'string' ? new Array<number>(days!).fill(each) : loads
      const { day, ...expected } = last
      expect(all).toHaveLength(day + 1)
      expectAllNear(lastOf(fitnessSeries(all)), expected)
    })
  }
  test('four hundred days', () => {
    const series = fitnessSeries(history)
    for (const { day, ...expected } of fitness.history.expect) expectAllNear(series[day]!, expected, `day ${day}`)
  })
  test('with a seed', () => {
    const { seed } = fitness.seeded
    const series = fitnessSeries(history.slice(0, 60), { ...USUAL_OPTIONS, seed })
    for (const { day, ...expected } of fitness.seeded.expect) expectAllNear(series[day]!, expected, `day ${day}`)
  })
  test('is the direct sum of exponentials for any history', () => {
    const random = seededRandom(5)
    for (const days of [1, 2, 30, 365, 1000]) {
      const loads = randomLoads(days, random)
      const seed = Math.round(100 * random())
      const last = lastOf(fitnessSeries(loads, { ...USUAL_OPTIONS, seed }))
      for (const [name, tau] of [
        ['fitness', 42],
        ['fatigue', 7],
      ] as const) {
        let direct = seed * Math.exp(-days / tau)
        for (const [day, load] of loads.entries()) direct += weightOf(tau) * load * Math.exp(-(days - 1 - day) / tau)
        expectNear(last[name], direct, `${name} after ${days} days`)
      }
    }
  })
  test('the coupled ratio follows from the week beside the usual', () => {
    const random = seededRandom(9)
    let checked = 0
    for (const { weekToUsual: ratio, acwrCoupled } of fitnessSeries(randomLoads(300, random))) {
      if (ratio === null) continue
      expectNear(acwrCoupled, (4 * ratio) / (ratio + 3))
      checked += 1
    }
    expect(checked).toBeGreaterThan(200)
  })

  test('nothing is NaN or without end, whatever the length', () => {
    for (const days of [0, 1, 6, 7, 27, 28]) {
      for (const loads of [new Array<number>(days).fill(0), new Array<number>(days).fill(50)]) {
        const series = fitnessSeries(loads)
        expect(series).toHaveLength(days)
        for (const row of series) {
          for (const value of Object.values(row)) {
            expect(value === null || typeof value === 'boolean' || Number.isFinite(value)).toBe(true)
          }
        }
        const isLong = days === 28 && loads[0] === 50
        expect(series.at(-1)?.weekToUsual ?? null).toBe(isLong ? 1 : null)
        expect(series.at(-1)?.monotony ?? null).toBe(days >= 7 && loads[0] === 50 ? 10 : null)
      }
    }
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
  for (const { days: restDays, ...state } of expected.restDaysCases) {
    test(`rest from ${state.fitness} and ${state.fatigue}`, () => expect(restDaysToFormZero(state)).toBe(restDays))
  }
  for (const { form, load, ...state } of expected.room) {
    test(`room for form ${form} from ${state.fitness} and ${state.fatigue}`, () =>
      expectNear(roomFor(form, state), load))
  }
  test('an easy minute costs the median of eight easy runs or more, without those of no load or no time', () => {
    const run = (minutes: number, load: number | null) => ({ load, movingS: 60 * minutes })
    // 0.5, 0.6 … 1.1 load a minute, and one far off
    const seven = [5, 6, 7, 8, 9, 10, 11].map((tenths) => run(40, 4 * tenths))
    expect(easyLoadPerMinute([])).toBeNull()
    expect(easyLoadPerMinute([...seven, run(40, null), run(40, 0), run(0, 30)])).toBeNull()
    expect(easyLoadPerMinute([...seven, run(10, 100)])).toBeCloseTo(0.85, 12)
    expect(easyLoadPerMinute([...seven, run(10, 100), run(90, 27)])).toBeCloseTo(0.8, 12)
  })

  test('the forecast of days of rest is what then happens', () => {
    const random = seededRandom(21)
    for (const length of [1, 20, 200]) {
      const loads = randomLoads(length, random)
      const rested = fitnessSeries([...loads, ...new Array<number>(9).fill(0)]).slice(length)
      for (const [at, day] of forecast(lastOf(fitnessSeries(loads)), new Array<number>(9).fill(0)).entries()) {
        const { form, fitness, fatigue } = rested[at]!
        expect(day).toEqual({ load: 0, form, fitness, fatigue })
      }
    }
  })
})
