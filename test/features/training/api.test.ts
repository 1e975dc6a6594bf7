import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { each } from '../../rows.ts'
import { addRun, fourRuns, profile } from './days-ago.ts'

const DAY_MS = 86_400_000
const PATHS = [
  ...['load', 'today', 'forecast?plan=usual', 'forecast?days=90', 'vo2max', 'vo2max?weeks=520', 'predictions'],
  ...['critical-speed', 'efficiency', 'intensity', 'zones', 'proposals', 'goals', 'calendar?metric=load'],
].map((path) => `/training/${path}`)
const STATS = ['daily', 'weekly', 'relative-effort', 'weekly-recap', 'yearly', 'yearly-weekly', 'insights', 'monthly']
const BESIDE = ['/settings/training', '/workouts?sortBy=load', ...STATS.map((path) => `/stats/${path}`)]

describe('load, fitness and form', () => {
  test.each([0, 6, 28])(
    'nothing is NaN or without end after %d days of runs, of runs without time, and of samples',
    async (days) => {
      for (const kind of ['hours', 'no time', 'samples'] as const) {
        await using app = await testApp()
        const durationS = kind === 'hours' ? 3600 : 0
        const ids: string[] = []
        for (let day = 0; day < days; day += 1) {
          const file = () => fitRun({ startMs: app.clock.nowMs - day * DAY_MS, seconds: 300 })
          const isFile = kind === 'samples' && day % 9 === 0
          ids.push(isFile ? await app.run(file()) : addRun(app, day, { durationS, movingTimeS: durationS }))
        }
        await app.ok('POST', '/training/goals', { metric: 'load', period: 'week', target: 200 })
        for (const path of [...PATHS, ...BESIDE, ...ids.slice(-1).map((id) => `/workouts/${id}/training`)]) {
          const { status, text } = await app.call('GET', path)
          expect(status, `${path} ${text}`).toBe(200)
          expect(text, path).not.toMatch(/NaN|Infinity/)
        }
        const { days: rows } = await app.ok('GET', '/training/load')
        expect(rows).toHaveLength(days)
        const nothing = { date: '2025-11-20', load: 0, formWord: null, restDaysToFormZero: null, proposals: 0 }
        if (days === 0) expect(await app.ok('GET', '/training/today')).toMatchObject(nothing)
        if (days === 0) continue
        const { monotony, weekToUsual, ramp } = rows.at(-1)
        if (kind === 'no time') expect([monotony, weekToUsual]).toEqual([null, null])
        expect(ramp === null).toBe(days < 7)
        expect(weekToUsual === null).toBe(days < 28 || kind !== 'hours')
      }
    },
  )

  test('days, rest days among them, with what their loads are made of', async () => {
    await using app = await testApp()
    addRun(app, 10, { durationS: 3600 })
    addRun(app, 10, { durationS: 1800 })
    addRun(app, 2, { durationS: 3600, avgHeartRateBpm: 150 })
    const { days, from, to, recomputing } = await app.ok('GET', '/training/load')
    expect([from, to, recomputing, days.length]).toEqual(['2024-11-20', '2025-11-21', false, 11])
    expect(days[0]).toMatchObject({ date: '2025-11-10', load: 75, runs: 2, sources: { duration: 75 }, form: 0 })
    expect(days[1]).toMatchObject({ date: '2025-11-11', load: 0, runs: 0, sources: {}, warmingUp: true })
    expect(Object.keys(days[8].sources)).toEqual(['heartRate'])
    expect(days[8].estimatedShare).toBeLessThan(1)
    const window = await app.ok('GET', '/training/load?from=2025-11-12&to=2025-11-14')
    expect(window.days).toEqual(days.slice(2, 4))
  })

  test('a plan of your own ends in rest; what no plan and no window is', async () => {
    await using app = await testApp()
    addRun(app, 1)
    const custom = await app.ok('GET', '/training/forecast?days=4&plan=custom&loads=50,0,80')
    expect([custom.from, ...each(custom.days, 'load')]).toEqual(['2025-11-21', 50, 0, 80, 0])
    const plans = ['plan=custom', 'plan=custom&loads=5,x', 'plan=custom&loads=1001']
    const windows = ['from=2025-11-12&to=2025-11-12', 'from=2020-01-01']
    for (const wrong of [...plans.map((plan) => `forecast?${plan}`), ...windows.map((window) => `load?${window}`)])
      expect([wrong, (await app.call('GET', `/training/${wrong}`)).status]).toEqual([wrong, 400])
  })

  test('a run late in the evening of New York is on that day, for a viewer in Berlin too', async () => {
    await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '100' } })
    app.clock.nowMs = Date.parse('2026-01-01T12:00:00Z')
    addRun(app, 0, { startedAt: Date.parse('2026-01-01T04:30:00Z'), utcOffsetMinutes: -300 })
    const { days } = await app.ok('GET', '/training/load?timezoneOffsetMinutes=60')
    expect(days).toMatchObject([{ date: '2025-12-31', runs: 1 }, {}])
    await app.ok('POST', '/training/goals', { metric: 'runs', period: 'year', target: 1 })
    const [goal] = await app.ok('GET', '/training/goals?timezoneOffsetMinutes=60')
    expect(goal.progress).toMatchObject({ from: '2026-01-01', done: 0 })
    expect(goal.history).toEqual([{ from: '2025-01-01', to: '2025-12-31', done: 1, reached: true }])
  })
})

describe('the profile', () => {
  test('is set whole, answers what counts, and loads follow', async () => {
    await using app = await testApp()
    const events: string[] = []
    app.deps.events.subscribe(({ event }) => events.push(event))
    const id = await app.run(fitRun({ seconds: 1800 }))
    const { load } = await app.ok('GET', `/workouts/${id}/training`)
    const reasons = expect.arrayContaining(['defaultMaxHeartRate'])
    expect(load).toMatchObject({ confidence: 'medium', basis: ['heartRate'], reasons })
    const defaults = { sex: null, fitnessDays: 42, fatigueDays: 7, minRunsPerWeek: 3, entries: [] }
    const stated = (value: number) => ({ value, source: 'default' })
    expect(await app.ok('GET', '/settings/training')).toMatchObject({
      ...defaults,
      effective: {
        ...{ maxHeartRateBpm: stated(190), restingHeartRateBpm: stated(60), lthrBpm: stated(171), massKg: stated(70) },
        heightCm: { value: null, source: null },
      },
    })
    const entries = [{ from: null, maxHeartRateBpm: 180, restingHeartRateBpm: 50, lthrBpm: 165 }]
    expect(await profile(app, { sex: 'female', fitnessDays: 50, entries })).toMatchObject({
      effective: { maxHeartRateBpm: { value: 180, source: 'runner' } },
      entries: [{ from: null, thresholdPaceS: null }],
    })
    const after = await app.ok('GET', `/workouts/${id}/training`)
    expect(after.load.value).not.toBe(load.value)
    expect(after.load).toMatchObject({ confidence: 'high', reasons: [] })
    expect(events).toEqual(expect.arrayContaining(['settings.updated', 'training.updated']))
    expect(await profile(app, {})).toMatchObject(defaults)
  })

  test.each<[string, object]>([
    ['fatigue as slow as fitness', { fitnessDays: 14, fatigueDays: 14 }],
    ['two entries of one day', { entries: [{ from: '2025-01-01' }, { from: '2025-01-01' }] }],
    ['resting near the maximum', { entries: [{ maxHeartRateBpm: 120, restingHeartRateBpm: 100 }] }],
    ['a limit above the maximum', { entries: [{ maxHeartRateBpm: 180, lthrBpm: 185 }] }],
    ['a limit at rest', { entries: [{ restingHeartRateBpm: 60, lthrBpm: 65 }] }],
    ['a later limit above the maximum', { entries: [{ lthrBpm: 150 }, { from: '2025-01-01', lthrBpm: 195 }] }],
    ['borders out of order', { paceZoneBorders: [300, 280, 290, 240] }],
  ])('refuses %s', async (_, json) => {
    await using app = await testApp()
    expect((await app.call('PUT', '/settings/training', { json })).status).toBe(400)
  })
})

describe('one run', () => {
  test('a chosen source, a load by hand, and back', async () => {
    await using app = await testApp()
    const id = await app.run(fitRun({ seconds: 1800, speedMps: 3.5 }))
    const change = (json: object) => app.ok('PATCH', `/workouts/${id}`, json)
    const untouched = { loadSource: 'auto', loadManual: null, excludeFromEstimates: false, wasRaced: false }
    expect(await change({ rpe: 5 })).toMatchObject(untouched)
    const training = () => app.ok('GET', `/workouts/${id}/training`)
    const first = await training()
    expect(first).toMatchObject({ source: 'heartRate', chosen: 'auto', suspectHeartRate: false, calibration: null })
    expect(first.loads).toMatchObject({ rpe: 30, duration: 25, manual: null, pace: null })
    expect(await change({ loadSource: 'rpe' })).toMatchObject({ loadSource: 'rpe', rpe: 5 })
    expect(await training()).toMatchObject({ source: 'rpe', load: { value: 30, confidence: 'low' } })
    expect((await app.call('PATCH', `/workouts/${id}`, { json: { loadSource: 'manual' } })).status).toBe(400)
    await change({ loadSource: 'manual', loadManual: 80 })
    expect(await training()).toMatchObject({ source: 'manual', load: { value: 80, confidence: 'high' } })
    expect((await app.ok('GET', '/training/load')).days[0].sources).toEqual({ manual: 80 })
    await change({ loadSource: 'auto', loadManual: null })
    expect(await training()).toEqual(first)
  })

  test('a treadmill run with distance has pace load, pace zones and efficiency; one without has that of its time', async () => {
    await using app = await testApp()
    // four runs give the threshold that pace is measured by
    await fourRuns(app)
    const samples = Array.from({ length: 3001 }, (_, t) => ({ t, distanceM: t * 3, speedMps: 3, hr: 140 }))
    const id = await app.run(fitFile({ startMs: START_MS, session: { subSport: 1 }, samples }))
    const run = await app.ok('GET', `/workouts/${id}/training`)
    expect(run.loads.pace).toBeGreaterThan(0)
    const vo2max = { value: null, reasons: ['indoor'] }
    expect(run).toMatchObject({ decouplingPct: 0, decouplingReason: null, vo2max })
    expect(run.paceZoneSeconds.reduce((sum: number, seconds: number) => sum + seconds, 0)).toBe(3000)
    const bare = addRun(app, 5, { distanceM: 0, durationS: 1800 })
    const without = await app.ok('GET', `/workouts/${bare}/training`)
    expect(without).toMatchObject({ source: 'duration', load: { value: 25 }, paceZoneSeconds: null, bandSeconds: null })
  })
})
