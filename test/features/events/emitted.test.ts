import { describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { type TestApp, testApp } from '../../app.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import { forgetOriginals } from '../../library/recordings.ts'

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

const progress = (processed: number, total: number, filename: string) => ({
  ...{ event: 'import.progress', data: { kind: 'files', processed, total, filename } },
})
const done = (successful: number, skipped: number, updated = 0, errors = 0) => ({
  ...{ event: 'import.done', data: { kind: 'files', successful, skipped, updated, errors } },
})

describe('an import emits', () => {
  test('each workout, the first and last progress of an instant, and the counts, before it answers', async () => {
    await using app = await testApp()
    const heard = heardIn(app)
    const id = await importedId(app)
    const first = progress(1, 1, 'a.fit')
    expect(heard.splice(0)).toEqual([{ event: 'workout.created', data: { id } }, first, done(1, 0)] as Event[])
    await importedId(app)
    expect(heard.splice(0)).toEqual([first, done(0, 1)] as Event[])
    await app.upload('/workouts/import', [
      { name: 'known.fit', bytes: fitRun() },
      { name: 'first.fit', bytes: run(1) },
      { name: 'bad.gpx', bytes: '<gpx/>' },
      { name: 'second.fit', bytes: run(2) },
    ])
    const created = { event: 'workout.created', data: { id: expect.any(String) } }
    const both = [progress(1, 4, 'known.fit'), created, created, progress(4, 4, 'second.fit'), done(2, 1, 0, 1)]
    expect(heard.splice(0)).toEqual(both as Event[])
    // a workout that got its file later was updated
    forgetOriginals(app.deps)
    await importedId(app)
    expect([heard[0], heard.at(-1)]).toEqual([{ event: 'workout.updated', data: { id } }, done(0, 0, 1)] as Event[])
  })

  test.each<[what: string, bytes: Uint8Array | string, status: number, fields?: Record<string, string>]>([
    ['a file that is no run', '<gpx/>', 400],
    ['another unit', fitRun(), 400, { unitPreference: 'feet' }],
    ['too much', new Uint8Array(400_001), 413],
    ['a defect, without detail', fitRun(), 500],
  ])('the reason of a refusal of %s', async (_, bytes, status, fields = {}) => {
    await using app = await testApp({ env: { MAX_UPLOAD_BYTES: '400000' } })
    if (status === 500) refuse(app.deps, ['INSERT', 'workout'])
    const heard = heardIn(app)
    const answer = await app.upload('/workouts/import', [{ name: 'a.gpx', bytes }], fields)
    expect(answer.status).toBe(status)
    if (status === 500) expect(answer.json.error).toBe('Internal server error')
    expect(heard.filter(({ event }) => event !== 'import.progress')).toEqual([
      { event: 'import.done', data: { kind: 'files', error: answer.json.error } },
    ])
  })
})

test('a change of a workout is announced only when something was sent', async () => {
  await using app = await testApp()
  const id = await importedId(app)
  const heard = heardIn(app)
  for (const json of [{}, { unknown: 1 }, { notes: null }]) await app.ok('PATCH', `/workouts/${id}`, json)
  await app.ok('GET', `/workouts/${id}`)
  await app.ok('DELETE', `/workouts/${id}`)
  // that loads are up to date is reported when they are, which is not at the request
  expect(heard.filter(({ event }) => event !== 'training.updated')).toEqual([
    { event: 'workout.updated', data: { id } },
    { event: 'workout.deleted', data: { id } },
  ])
})
