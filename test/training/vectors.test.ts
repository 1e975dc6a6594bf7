// The vectors of the independent implementation once more, through the API: rounded as it serves them.
import { describe, expect, test } from 'bun:test'
import { workoutBestEfforts } from '../../src/db/schema-efforts.ts'
import { trainingChoices } from '../../src/db/schema-training.ts'
import { STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import { vdotOf } from '../../src/engine/training/vdot.ts'
import { roundedOrNull, roundHalfUp } from '../../src/engine/units.ts'
import { type TestApp, testApp } from '../app.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import oracles from '../training-oracles.json'

const { fitness, prediction } = oracles
const DAY_MS = 86_400_000
const history: readonly number[] = fitness.history.loads

/** A run of an hour on each day that has a load, given by hand; the last one is today's. */
function addLoads(app: TestApp, loads: readonly number[]): void {
  for (const [day, loadManual] of loads.entries()) {
    // the first row is that of the first run, be its load 0
    if (loadManual === 0 && day > 0) continue
    const id = Bun.randomUUIDv7()
    addWorkout(app.deps, { id, startedAt: app.clock.nowMs - (loads.length - 1 - day) * DAY_MS })
    const choice = { workoutId: id, loadSource: 'auto' as const, loadManual, excludeFromEstimates: false }
    app.deps.db.insert(trainingChoices).values(choice).run()
  }
}

type Numbers = Readonly<Record<string, number | null>>

/** Decimals of each number of a day (docs/api.md 14). */
const DECIMALS = {
  ...{ load: 1, fitness: 1, fatigue: 1, form: 1, ramp: 1, strain: 1, monotony: 2, weekToUsual: 2, share: 3 },
} as const

function expectRow(found: Record<string, unknown>, expected: Numbers, name: string): void {
  let compared = 0
  for (const [field, decimals] of Object.entries(DECIMALS)) {
    const value = expected[field]
    if (value === undefined) continue
    expect(found[field], `${name} ${field}`).toBe(roundedOrNull(value, decimals))
    compared += 1
  }
  expect(compared).toBeGreaterThan(3)
  if (expected.acwrCoupled === undefined) return
  expect(found.acwr, name).toEqual({
    coupled: roundedOrNull(expected.acwrCoupled, 2),
    ewma: roundedOrNull(expected.acwrEwma!, 2),
  })
}

test('four hundred days, what is forecast after them, and the room of the last one', async () => {
  await using app = await testApp()
  addLoads(app, history)
  const { days } = await app.ok('GET', '/training/load?from=2024-10-17&to=2025-11-21')
  expect(days).toHaveLength(400)
  for (const { day, ...expected } of fitness.history.expect) expectRow(days[day], expected, `day ${day}`)
  const { rest14, usual14, custom, restDaysToFormZero } = fitness.forecast
  const loads = custom.map(({ load }) => load).join(',')
  for (const [plan, rows, more] of [
    ['rest', rest14, ''],
    ['usual', usual14, ''],
    ['custom', custom, `&loads=${loads}`],
  ] as const) {
    const found = await app.ok('GET', `/training/forecast?plan=${plan}&days=${rows.length}${more}`)
    expect(found.restDaysToFormZero).toBe(restDaysToFormZero)
    for (const [at, row] of rows.entries()) expectRow(found.days[at], row, `${plan} ${at}`)
  }
})

test('with a seed', async () => {
  await using app = await testApp()
  addLoads(app, history.slice(0, 60))
  const { seed, expect: rows } = fitness.seeded
  expect((await app.call('PUT', '/settings/training', { json: { fitnessSeed: seed } })).status).toBe(200)
  const { days } = await app.ok('GET', '/training/load')
  for (const { day, ...expected } of rows) expectRow(days[day], expected, `day ${day}`)
})

interface Effort {
  readonly workout: string
  readonly metres: number
  readonly seconds: number
  readonly ageDays: number
  readonly isRace: boolean
}

/** Runs with these best efforts. @returns the ids of the runs by their names */
function addEfforts(app: TestApp, efforts: readonly Effort[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { workout, metres, seconds, ageDays, isRace } of efforts) {
    const id = ids.get(workout) ?? Bun.randomUUIDv7()
    if (!ids.has(workout)) {
      const startedAt = app.clock.nowMs - ageDays * DAY_MS
      addWorkout(app.deps, { id, startedAt, runType: isRace ? 'Race' : null })
    }
    ids.set(workout, id)
    const distanceIndex = STANDARD_DISTANCES.findIndex(({ distanceM }) => distanceM === metres)
    app.deps.db
      .insert(workoutBestEfforts)
      .values({ workoutId: id, distanceIndex, timeMs: 1000 * seconds, startMs: 0, calculatedAt: 0 })
      .run()
  }
  return ids
}

type Expected = Readonly<Record<string, { timeS: number; lowS: number; highS: number }>>

async function expectPredictions(app: TestApp, expected: Expected): Promise<void> {
  const metres = Object.keys(expected).map(Number)
  const { predictions } = await app.ok(
    'GET',
    `/training/predictions?${metres.map((distanceM) => `distanceM=${distanceM}`).join('&')}`,
  )
  expect(predictions).toHaveLength(metres.length)
  for (const [i, distanceM] of metres.entries()) {
    const { timeS, lowS, highS } = expected[String(distanceM)]!
    const { time, paceS } = predictions[i]
    expect(predictions[i].distanceM).toBe(distanceM)
    expect([time.value, time.low, time.high]).toEqual([timeS, lowS, highS].map((seconds) => roundHalfUp(seconds, 1)))
    expect(paceS).toBe(roundHalfUp((1000 * timeS) / distanceM, 1))
  }
}

describe('race times', () => {
  test('of the efforts that are chosen out of all', async () => {
    await using app = await testApp()
    const { efforts, chosen } = prediction.choose
    const rows = efforts.map(([workout, metres, seconds, ageDays, isRace]) => ({
      ...{ workout: String(workout), metres: Number(metres), seconds: Number(seconds) },
      ...{ ageDays: Number(ageDays), isRace: isRace === true },
    }))
    addEfforts(app, rows)
    await expectPredictions(app, prediction.powerLaw[0]!.predictions as Expected)
    const answer = await app.ok('GET', '/training/predictions')
    const used = answer.efforts.filter((effort: { used: boolean }) => effort.used)
    expect(used.map(({ timeMs, ageDays }: Record<string, number>) => [timeMs! / 1000, ageDays]).toSorted()).toEqual(
      chosen.map(([, seconds, ageDays]) => [seconds, ageDays]).toSorted(),
    )
    expect(answer.exponent.value).toBe(roundHalfUp(prediction.powerLaw[0]!.beta[1]!, 3))
  })
  // efforts that are too far below the best are not evidence of a runner's, so that the API has no answer made of them
  const whole = prediction.powerLaw.filter(({ efforts }) => {
    const vdots = efforts.map(([metres, seconds]) => vdotOf(metres!, seconds!))
    return Math.min(...vdots) >= 0.9 * Math.max(...vdots)
  })
  for (const { name, efforts, predictions } of whole) {
    test(name, async () => {
      await using app = await testApp()
      const rows = efforts.map(([metres, seconds, ageDays], i) => ({
        ...{ workout: String(i), metres: metres!, seconds: seconds!, ageDays: ageDays!, isRace: true },
      }))
      addEfforts(app, rows)
      await expectPredictions(app, predictions as Expected)
    })
  }
  test('are most of the vectors', () => expect(whole.length).toBeGreaterThanOrEqual(2))
})
