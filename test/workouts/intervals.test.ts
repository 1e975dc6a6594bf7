import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { type FitSample, fitFile } from '../fixtures/fit.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { madeSession, type Step } from '../fixtures/sessions.ts'
import { tcxFile } from '../fixtures/tcx.ts'

const WORK: Step = { s: 240, mps: 4.3, work: true, intensity: 'active' }
const REST: Step = { s: 120, mps: 2.4, intensity: 'rest' }
const STEPS: readonly Step[] = [
  { s: 600, mps: 2.9, intensity: 'warmup' },
  ...[WORK, REST, WORK, REST, WORK, REST, WORK, REST, WORK],
  { s: 300, mps: 2.8, intensity: 'cooldown' },
]
const INTENSITIES: readonly unknown[] = ['active', 'rest', 'warmup', 'cooldown']

/** The session as a watch writes it. */
function session({ hasLaps }: { readonly hasLaps: boolean }): Uint8Array {
  const { track, laps } = madeSession(STEPS)
  const samples = Array.from(track.tS, (t, i): FitSample => {
    const distanceM = track.distanceM[i]!
    const place = { lat: 47 + distanceM / 111_170, lon: 8 }
    return { t, ...place, distanceM, elevM: track.elevM[i]!, hr: track.heartRateBpm[i]! }
  }).filter(({ t }) => Number.isInteger(t))
  const told = laps.map(({ startS, endS, intensity }) => {
    return { startS, elapsedS: endS - startS, intensity: INTENSITIES.indexOf(intensity), trigger: 1 }
  })
  return fitFile({ startMs: START_MS, samples, laps: hasLaps ? told : [] })
}

async function withRun(bytes: Uint8Array | string, name = 'a.fit'): Promise<{ app: TestApp; id: string }> {
  const app = await testApp()
  const { json } = await app.upload('/workouts/import', [{ name, bytes }])
  return { app, id: json.id }
}

describe('GET /workouts/{id}/intervals', () => {
  test('finds the same session in laps and in the pace alone', async () => {
    for (const [source, hasLaps] of [
      ['laps', true],
      ['pace', false],
    ] as const) {
      const { app, id } = await withRun(session({ hasLaps }))
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
      await app.close()
    }
  })

  test('follows a crop', async () => {
    const { app, id } = await withRun(session({ hasLaps: true }))
    const cut = await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 900 } })
    expect(cut.status).toBe(200)
    const { json } = await app.call('GET', `/workouts/${id}/intervals`)
    expect(json.summary.title).toBe('4 × 4:00')
    expect(json.sets[0].repetitions[0].startElapsedS).toBeCloseTo(60, 0)
    await app.close()
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
      await app.close()
    }
  })

  test('is found by the Worker in a long run', async () => {
    const { track } = madeSession([{ s: 14_000, mps: 2.7 }, ...STEPS.slice(1)])
    const samples = Array.from(track.tS, (t, i): FitSample => ({ t, distanceM: track.distanceM[i]! }))
    const { app, id } = await withRun(fitFile({ startMs: START_MS, samples: samples.filter(({ t }) => t % 1 === 0) }))
    expect((await app.call('GET', `/workouts/${id}/intervals`)).json).toMatchObject({
      source: 'pace',
      summary: { title: '5 × 4:00' },
    })
    await app.close()
  })
})
