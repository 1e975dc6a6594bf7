import { describe, expect, test } from 'bun:test'
import type { Event } from '../../src/events/emitter.ts'
import { type CallOptions, type TestApp, testApp } from '../app.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { refuse } from '../library/as-stored.ts'
import { forgetOriginals } from '../library/recordings.ts'

function heardIn(app: TestApp): Event[] {
  const heard: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
  return heard
}

const DAY_MS = 86_400_000
const run = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })

async function importedId(app: TestApp): Promise<string> {
  return (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json.id
}

describe('an import emits', () => {
  test('of one file: the workout, the progress and the end, before it answers', async () => {
    await using app = await testApp()
    const heard = heardIn(app)
    const id = await importedId(app)
    expect(heard).toEqual([
      { event: 'workout.created', data: { id } },
      { event: 'import.progress', data: { kind: 'files', processed: 1, total: 1, filename: 'a.fit' } },
      { event: 'import.done', data: { kind: 'files', successful: 1, skipped: 0, updated: 0, errors: 0 } },
    ])
    heard.length = 0
    await importedId(app)
    expect(heard).toEqual([
      { event: 'import.progress', data: { kind: 'files', processed: 1, total: 1, filename: 'a.fit' } },
      { event: 'import.done', data: { kind: 'files', successful: 0, skipped: 1, updated: 0, errors: 0 } },
    ])
  })

  test('of several files: each workout, the first and last progress of an instant, and the counts', async () => {
    await using app = await testApp()
    await importedId(app)
    const heard = heardIn(app)
    const answer = await app.upload('/workouts/import', [
      { name: 'known.fit', bytes: fitRun() },
      { name: 'first.fit', bytes: run(1) },
      { name: 'bad.gpx', bytes: '<gpx/>' },
      { name: 'second.fit', bytes: run(2) },
    ])
    expect(answer.json).toMatchObject({ successful: 2, skipped: 1, updated: 0, errors: 1 })
    expect(heard).toEqual([
      { event: 'import.progress', data: { kind: 'files', processed: 1, total: 4, filename: 'known.fit' } },
      ...Array(2).fill({ event: 'workout.created', data: { id: expect.any(String) } }),
      { event: 'import.progress', data: { kind: 'files', processed: 4, total: 4, filename: 'second.fit' } },
      { event: 'import.done', data: { kind: 'files', successful: 2, skipped: 1, updated: 0, errors: 1 } },
    ])
  })

  test('of a workout that got its file later: that it was updated', async () => {
    await using app = await testApp()
    const id = await importedId(app)
    forgetOriginals(app.deps)
    const heard = heardIn(app)
    await importedId(app)
    expect(heard[0]).toEqual({ event: 'workout.updated', data: { id } })
    const done = { kind: 'files' as const, successful: 0, skipped: 0, updated: 1, errors: 0 }
    expect(heard.at(-1)).toEqual({ event: 'import.done', data: done })
  })

  const refusals: [name: string, send: (app: TestApp) => ReturnType<TestApp['call']>, status: number][] = [
    ['a file that is no run', (app) => app.upload('/workouts/import', [{ name: 'a.gpx', bytes: '<gpx/>' }]), 400],
    [
      'another unit',
      (app) => app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }], { unitPreference: 'feet' }),
      400,
    ],
    ['too much', (app) => app.upload('/workouts/import', [{ name: 'a.fit', bytes: new Uint8Array(4096) }]), 413],
  ]
  test.each(refusals)('of a refusal for %s: its reason', async (_name, send, status) => {
    await using app = await testApp({ env: status === 413 ? { MAX_UPLOAD_BYTES: '4095' } : {} })
    const heard = heardIn(app)
    const answer = await send(app)
    expect(answer.status).toBe(status)
    expect(heard.filter(({ event }) => event !== 'import.progress')).toEqual([
      { event: 'import.done', data: { kind: 'files', error: answer.json.error } },
    ])
  })

  test('of a defect: no detail', async () => {
    await using app = await testApp()
    refuse(app.deps, ['INSERT', 'workout'])
    const heard = heardIn(app)
    await importedId(app)
    expect(heard).toEqual([{ event: 'import.done', data: { kind: 'files', error: 'Internal server error' } }])
  })
})

describe('a change emits', () => {
  /** What is heard when calls are made one after the other. */
  async function heardOf(app: TestApp, calls: readonly [method: string, path: string, options?: CallOptions][]) {
    const heard = heardIn(app)
    for (const [method, path, options] of calls)
      expect((await app.call(method, path, options)).status).toBeLessThan(300)
    return heard
  }

  test('of a workout only when something was sent', async () => {
    await using app = await testApp()
    const id = await importedId(app)
    const heard = await heardOf(app, [
      ['PATCH', `/workouts/${id}`, { json: {} }],
      ['PATCH', `/workouts/${id}`, { json: { unknown: 1 } }],
      ['GET', `/workouts/${id}`],
      ['PATCH', `/workouts/${id}`, { json: { notes: null } }],
      ['DELETE', `/workouts/${id}`],
    ])
    // that loads are up to date is reported when they are, which is not at the request
    expect(heard.filter(({ event }) => event !== 'training.updated')).toEqual([
      { event: 'workout.updated', data: { id } },
      { event: 'workout.deleted', data: { id } },
    ])
  })
})
