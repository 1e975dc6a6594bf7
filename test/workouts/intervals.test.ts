import { describe, expect, test } from 'bun:test'
import type { Answer, TestApp } from '../app.ts'
import { type FitSample, fitFile } from '../fixtures/fit.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { SESSION_STEPS, sessionFile } from '../fixtures/session-file.ts'
import { madeSession } from '../fixtures/sessions.ts'
import { tcxFile } from '../fixtures/tcx.ts'
import { withRun } from '../with-run.ts'

const RUN_WITHOUT = '0199a5b0-7c4e-7000-8000-2f6f0c1d9a11'

describe('GET /workouts/{id}/intervals', () => {
  test('finds the same session in laps and in the pace alone', async () => {
    for (const [source, hasLaps] of [
      ['laps', true],
      ['pace', false],
    ] as const) {
      const { app, id } = await withRun(sessionFile({ hasLaps }))
      const { json } = await app.call('GET', `/workouts/${id}/intervals`)
      expect(json).toMatchObject({ source, summary: { title: '5 × 4:00' } })
      expect(json.sets).toHaveLength(1)
      const [set] = json.sets
      expect(set).toMatchObject({ kind: 'equal', title: '5 × 4:00', target: { kind: 'time', value: 240 } })
      expect(set.repetitions).toHaveLength(5)
      for (const [k, repetition] of set.repetitions.entries()) {
        expect(Math.abs(repetition.startElapsedS - (600 + 360 * k))).toBeLessThanOrEqual(5)
        expect(Math.abs(repetition.durationS - 240)).toBeLessThanOrEqual(5)
        expect(repetition.recovery === null).toBe(k === 4)
      }
      expect(json.summary.text).toMatch(/^5 × 4:00 at 3:5\d\/km, recovery [12]:\d\d, fade [+−]?\d+ s$/)
    }
  })

  test('follows a crop', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: true }))
    const cut = await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 900 } })
    expect(cut.status).toBe(200)
    const { json } = await app.call('GET', `/workouts/${id}/intervals`)
    expect(json.summary.title).toBe('4 × 4:00')
    expect(json.sets[0].repetitions[0].startElapsedS).toBeCloseTo(60, 0)
  })

  test('has no sets for a steady run, nor for one without samples', async () => {
    const lap = { startMs: START_MS, totalTimeS: 300, distanceM: 1000, intensity: 'Active', tracks: [] }
    const next = { ...lap, startMs: START_MS + 300_000, totalTimeS: 60, distanceM: 100, intensity: 'Resting' }
    for (const [name, bytes] of [
      ['a.fit', fitRun({ seconds: 2400 })],
      ['a.tcx', tcxFile([{ laps: [lap, next, { ...lap, startMs: START_MS + 360_000 }] }])],
    ] as const) {
      const { app, id } = await withRun(bytes, name)
      const { status, json } = await app.call('GET', `/workouts/${id}/intervals`)
      expect([status, json]).toEqual([200, { source: null, summary: null, sets: [] }])
    }
  })

  test('is found by the Worker in a long run', async () => {
    const { track } = madeSession([{ s: 14_000, mps: 2.7 }, ...SESSION_STEPS.slice(1)])
    const samples = Array.from(track.tS, (t, i): FitSample => ({ t, distanceM: track.distanceM[i]! }))
    const { app, id } = await withRun(fitFile({ startMs: START_MS, samples: samples.filter(({ t }) => t % 1 === 0) }))
    expect((await app.call('GET', `/workouts/${id}/intervals`)).json).toMatchObject({
      source: 'pace',
      summary: { title: '5 × 4:00' },
    })
  })
})

describe('PUT /workouts/{id}/intervals', () => {
  const put = (app: TestApp, id: string, stretches: unknown) =>
    app.call('PUT', `/workouts/${id}/intervals`, { json: { stretches } })
  const spans = ({ json }: Answer) =>
    // biome-ignore lint/suspicious/noExplicitAny: members of answers, as in `Answer`
    json.sets.flatMap((set: any) => set.repetitions.map((one: any) => [one.startElapsedS, one.endElapsedS]))
  const THREE = [
    { startS: 600, endS: 900 },
    { startS: 1000, endS: 1300 },
    { startS: 1400, endS: 1700.5 },
  ]

  test('refuses sections that are not repetitions, and unknown runs', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: true }))
    const last = 2580
    for (const [stretches, error] of [
      [undefined, /stretches/],
      [[{ startS: 10 }], /endS/],
      [[{ startS: -1, endS: 20 }], /startS/],
      [[{ startS: 10, endS: 14.5 }], 'A repetition takes at least 5 s, not 4.5 s'],
      [[{ startS: 20, endS: 10 }], 'A repetition takes at least 5 s, not -10 s'],
      [
        [...THREE, { startS: 1600, endS: 1800 }],
        'Repetitions must be in order and apart; one starts at 1600 s, before 1700.5 s',
      ],
      [THREE.toReversed(), 'Repetitions must be in order and apart; one starts at 1000 s, before 1700.5 s'],
      [[{ startS: 600, endS: 2600 }], `A repetition ends at 2600 s, after the end of the run at ${last} s`],
      [Array.from({ length: 201 }, (_, k) => ({ startS: 10 * k, endS: 10 * k + 6 })), /200/],
    ] as const) {
      const { status, json } = await put(app, id, stretches)
      expect(status).toBe(400)
      expect(json.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error))
    }
    expect((await put(app, RUN_WITHOUT, THREE)).status).toBe(404)
    expect((await app.call('GET', `/workouts/${id}/intervals`)).json.source).toBe('laps')
  })

  test('replaces what is recognised, until it is undone or removed', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: true }))
    const recognised = (await app.call('GET', `/workouts/${id}/intervals`)).json
    const answer = await put(app, id, THREE)
    expect([answer.status, answer.json.source, answer.json.summary.title]).toEqual([200, 'runner', '3 × 5:00'])
    expect(spans(answer)).toEqual(THREE.map(({ startS, endS }) => [startS, endS]))
    expect((await app.call('GET', `/workouts/${id}/intervals`)).json).toEqual(answer.json)
    const [receipt] = (await app.ok('GET', '/receipts')).items
    expect(receipt).toMatchObject({ kind: 'edit', title: 'Edited repetitions' })
    await app.ok('POST', `/receipts/${receipt.id}/undo`)
    expect((await app.call('GET', `/workouts/${id}/intervals`)).json).toEqual(recognised)
    expect((await put(app, id, [])).json).toEqual({ source: 'runner', summary: null, sets: [] })
    expect((await put(app, id, [{ startS: 600, endS: 1800 }])).json.summary.title).toBe('1 × 20:00')
    const close = [
      { startS: 600, endS: 900 },
      { startS: 901, endS: 1200 },
    ]
    expect(spans(await put(app, id, close))).toEqual(close.map(({ startS, endS }) => [startS, endS]))
    expect((await put(app, id, null)).json).toEqual(recognised)
  })

  test('follows crops, cuts, shifts, splits and joins', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: false }))
    const now = async (workoutId = id) => spans(await app.call('GET', `/workouts/${workoutId}/intervals`))
    await put(app, id, THREE)
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 700, removeFromEndSeconds: 1177 })
    // three seconds of the third are left, which are not a repetition
    expect(await now()).toEqual([
      [0, 200],
      [300, 600],
    ])
    await app.ok('POST', `/workouts/${id}/revert`, {})
    await app.ok('POST', `/workouts/${id}/shift`, { offsetSeconds: -5400 })
    await app.ok('POST', `/workouts/${id}/cut`, { fromElapsedS: 850, toElapsedS: 950, closeGap: true })
    const [first, second] = await now()
    expect(first[1]).toBeCloseTo(850, 1)
    expect(second[0]).toBeCloseTo(900, 1)
    expect(await now()).toHaveLength(3)
    // set on the clock of the cut run
    await put(app, id, [{ startS: 1000, endS: 1200 }])
    expect(await now()).toEqual([[1000, 1200]])
    await app.ok('POST', `/workouts/${id}/revert`, {})
    const [[fromS, toS]] = await now()
    expect([Math.round(fromS), Math.round(toS)]).toEqual([1100, 1300])
    await put(app, id, THREE)
    const { workouts } = await app.ok('POST', `/workouts/${id}/split`, { atElapsedS: [1200] })
    const parts = workouts.map((part: { id: string }) => part.id)
    expect([await now(parts[0]), await now(parts[1])]).toEqual([
      [
        [600, 900],
        [1000, 1200],
      ],
      [
        [0, 100],
        [200, 500.5],
      ],
    ])
    await app.ok('POST', '/workouts/join', { ids: parts })
    expect((await now()).map((span: number[]) => span.map(Math.round))).toEqual([
      [600, 900],
      [1000, 1300],
      [1400, 1701],
    ])
  })
})
