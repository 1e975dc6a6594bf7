import { describe, expect, test } from 'bun:test'
import type { TestApp } from '../../app.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { sessionFile } from '../../fixtures/session-file.ts'
import { tcxFile } from '../../fixtures/tcx.ts'
import { withRun } from '../../with-run.ts'

const intervals = (app: TestApp, id: string) => app.ok('GET', `/workouts/${id}/intervals`)

describe('GET /workouts/{id}/intervals', () => {
  test('finds the same session in laps and in the pace alone', async () => {
    for (const source of ['laps', 'pace']) {
      const { app, id } = await withRun(sessionFile({ hasLaps: source === 'laps' }))
      const json = await intervals(app, id)
      const title = '5 × 4:00'
      expect(json).toMatchObject({ source, summary: { title } })
      expect(json.sets).toMatchObject([{ kind: 'equal', title, target: { kind: 'time', value: 240 } }])
      const [set] = json.sets
      expect(set.repetitions).toHaveLength(5)
      for (const [k, repetition] of set.repetitions.entries()) {
        expect(Math.abs(repetition.startElapsedS - (600 + 360 * k))).toBeLessThanOrEqual(5)
        expect(Math.abs(repetition.durationS - 240)).toBeLessThanOrEqual(5)
        expect(repetition.recovery === null).toBe(k === 4)
      }
      expect(json.summary.text).toMatch(/^5 × 4:00 at 3:5\d\/km, recovery [12]:\d\d, fade [+−]?\d+ s$/)
    }
  })

  test('has no sets for a steady run, nor for one without samples', async () => {
    const lap = { startMs: START_MS, totalTimeS: 300, distanceM: 1000, intensity: 'Active', tracks: [] }
    const next = { ...lap, startMs: START_MS + 300_000, totalTimeS: 60, distanceM: 100, intensity: 'Resting' }
    for (const [name, bytes] of [
      ['a.fit', fitRun({ seconds: 2400 })],
      ['a.tcx', tcxFile([{ laps: [lap, next, { ...lap, startMs: START_MS + 360_000 }] }])],
    ] as const) {
      const { app, id } = await withRun(bytes, name)
      expect(await intervals(app, id)).toEqual({ source: null, summary: null, sets: [] })
    }
  })
})

describe('PUT /workouts/{id}/intervals', () => {
  const put = (app: TestApp, id: string, stretches: unknown) =>
    app.ok('PUT', `/workouts/${id}/intervals`, { stretches })
  type Span = { readonly startElapsedS: number; readonly endElapsedS: number }
  const spans = ({ sets }: { readonly sets: readonly { readonly repetitions: readonly Span[] }[] }) =>
    sets.flatMap(({ repetitions }) => repetitions.map((one) => [one.startElapsedS, one.endElapsedS]))
  const THREE = [
    { startS: 600, endS: 900 },
    { startS: 1000, endS: 1300 },
    { startS: 1400, endS: 1700.5 },
  ]

  test('refuses sections that are not repetitions', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: true }))
    const order = 'Repetitions must be in order and apart; one starts at'
    for (const [stretches, error] of [
      [[{ startS: 10, endS: 14.5 }], 'A repetition takes at least 5 s, not 4.5 s'],
      [[{ startS: 20, endS: 10 }], 'A repetition takes at least 5 s, not -10 s'],
      [[...THREE, { startS: 1600, endS: 1800 }], `${order} 1600 s, before 1700.5 s`],
      [THREE.toReversed(), `${order} 1000 s, before 1700.5 s`],
      [[{ startS: 600, endS: 2600 }], 'A repetition ends at 2600 s, after the end of the run at 2580 s'],
    ] as const) {
      const { status, json } = await app.call('PUT', `/workouts/${id}/intervals`, { json: { stretches } })
      expect([status, json]).toEqual([400, expect.objectContaining({ error })])
    }
    expect((await intervals(app, id)).source).toBe('laps')
  })

  test('replaces what is recognised, until it is undone or removed', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: true }))
    const recognised = await intervals(app, id)
    const answer = await put(app, id, THREE)
    expect([answer.source, answer.summary.title]).toEqual(['runner', '3 × 5:00'])
    expect(spans(answer)).toEqual(THREE.map(({ startS, endS }) => [startS, endS]))
    expect(await intervals(app, id)).toEqual(answer)
    const [receipt] = (await app.ok('GET', '/receipts')).items
    expect(receipt).toMatchObject({ kind: 'edit', title: 'Edited repetitions' })
    await app.ok('POST', `/receipts/${receipt.id}/undo`)
    expect(await intervals(app, id)).toEqual(recognised)
    expect(await put(app, id, [])).toEqual({ source: 'runner', summary: null, sets: [] })
    expect((await put(app, id, [{ startS: 600, endS: 1800 }])).summary.title).toBe('1 × 20:00')
    const close = [
      { startS: 600, endS: 900 },
      { startS: 901, endS: 1200 },
    ]
    expect(spans(await put(app, id, close))).toEqual(close.map(({ startS, endS }) => [startS, endS]))
    expect(await put(app, id, null)).toEqual(recognised)
  })

  test('follows crops, cuts, shifts, splits and joins', async () => {
    const { app, id } = await withRun(sessionFile({ hasLaps: false }))
    // biome-ignore lint/suspicious/noExplicitAny: as many as there are
    const now = async (workoutId = id): Promise<any> => spans(await intervals(app, workoutId))
    await put(app, id, THREE)
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 700, removeFromEndSeconds: 1177 })
    // three seconds of the third are left, which are not a repetition
    expect(await now()).toEqual(pairs('0,200 300,600'))
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
    expect(await now(parts[0])).toEqual(pairs('600,900 1000,1200'))
    expect(await now(parts[1])).toEqual(pairs('0,100 200,500.5'))
    await app.ok('POST', '/workouts/join', { ids: parts })
    expect((await now()).map((span: number[]) => span.map(Math.round))).toEqual(pairs('600,900 1000,1300 1400,1701'))
  })
})
