import { expect, test } from 'bun:test'
import { isoTime } from '../../../src/engine/calendar/timestamp.ts'
import { collectOld } from '../../../src/library/collect.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { lose } from '../../library/as-stored.ts'
import { listeningApp, reading } from './listening.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PLACE = { name: 'Home', lat: 48.137, lon: 11.575 }
const RACE = { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 }
const GOAL = { metric: 'runs', period: 'week', target: 3 }

type Item = { seq: number; at: string; kind: string; id: string | null; change: string }

async function changes(app: TestApp, query = '?after=0'): Promise<Item[]> {
  return (await app.ok('GET', `/changes${query}`)).items
}

const words = (items: readonly Item[]) => items.map(({ kind, change }) => `${kind} ${change}`)

test('changes are listed in the order of commits, each thing once for a commit, in pages', async () => {
  await using app = await testApp()
  expect(await app.ok('GET', '/changes')).toEqual({ items: [], next: 0, more: false })
  const shoe = await app.ok('POST', '/shoes', { brand: 'A', model: 'B' })
  app.clock.nowMs += 1000
  const run = await app.run(fitRun())
  await app.ok('PATCH', `/workouts/${run}`, { shoeId: shoe.id, name: 'Hills' })
  await app.call('DELETE', `/workouts/${run}`)
  await app.ok('POST', `/trash/${run}/restore`)
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'metric' })
  const all = await changes(app)
  expect(words(all)).toEqual([
    ...['shoe created', 'workout created', 'shoe updated', 'workout updated', 'shoe updated', 'workout deleted'],
    ...['shoe updated', 'workout created', 'settings updated'],
  ])
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(all[0]).toEqual({ seq: 1, at: '2025-11-20T13:05:11Z', kind: 'shoe', id: shoe.id, change: 'created' })
  expect([all[1]?.at, all[1]?.id, all[8]?.id]).toEqual(['2025-11-20T13:05:12Z', run, null])
  const page = await app.ok('GET', '/changes?after=3&limit=2')
  expect(page).toEqual({ items: all.slice(3, 5), next: 5, more: true })
  expect(await app.ok('GET', '/changes?after=7&limit=2')).toEqual({ items: all.slice(7), next: 9, more: false })
  expect(await app.ok('GET', '/changes?after=9')).toEqual({ items: [], next: 9, more: false })
})

test('changes that are no longer kept, or of another database, are gone', async () => {
  await using app = await testApp()
  // a session ends sooner
  const { key: token } = await app.ok('POST', '/auth/api-keys', {})
  const asked = async (query: string) => await app.call('GET', `/changes${query}`, { token })
  const shoe = { token, json: { brand: 'A', model: 'B' } }
  await app.call('POST', '/shoes', shoe)
  const gone = { status: 410, json: { error: 'Read everything again', code: 'changes_gone', field: 'after' } }
  expect(await asked('?after=2')).toMatchObject(gone)
  app.clock.nowMs += 29 * DAY_MS
  await app.call('POST', '/shoes', shoe)
  await collectOld(app.deps)
  expect((await asked('?after=0')).json.items).toHaveLength(2)
  app.clock.nowMs += 2 * DAY_MS
  await collectOld(app.deps)
  expect(await asked('?after=0')).toMatchObject(gone)
  expect((await asked('?after=1')).json.items).toMatchObject([{ seq: 2, kind: 'shoe', change: 'created' }])
  app.clock.nowMs += 31 * DAY_MS
  await collectOld(app.deps)
  expect(await asked('?after=1')).toMatchObject(gone)
  for (const query of ['?after=2', '']) expect((await asked(query)).json).toEqual({ items: [], next: 2, more: false })
})

test('a key that reads follows, one that uploads sees nothing of it, whatever it holds', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun())
  const [read, upload] = await Promise.all(
    ['read', 'upload'].map(async (scope): Promise<string> => (await app.ok('POST', '/auth/api-keys', { scope })).key),
  )
  const answer = async (method: string, path: string, token: string | null, sent: Record<string, string> = {}) => {
    const headers = { ...sent, ...(token !== null && { authorization: `Bearer ${token}` }) }
    const found = await app.handle(new Request(`http://localhost${path}`, { method, headers }))
    const [type, tag] = [found.headers.get('content-type') ?? '', found.headers.get('etag') ?? '']
    // a stream of events would go on
    if (type === 'text/event-stream') await found.body?.cancel()
    const { code = null } = type.startsWith('application/json') ? ((await found.json()) as { code?: string }) : {}
    return { seen: [found.status, code], tag }
  }
  await app.deps.loads.refresh()
  app.pass(0)
  const scope = [403, 'key_scope']
  const follow = [
    '/changes?after=0',
    '/changes',
    '/events',
    '/settings/calendar-feed',
    '/workouts?updatedSince=2020-01-01',
  ]
  for (const path of [...follow, `/workouts/${id}`]) {
    const { seen, tag } = await answer('GET', path, read!)
    expect([path, ...seen]).toEqual([path, 200, null])
    const held = tag === '' ? {} : { 'if-none-match': tag }
    if (tag !== '') expect((await answer('GET', path, read!, held)).seen).toEqual([304, null])
    expect([path, ...(await answer('GET', path, upload!, held)).seen]).toEqual([path, ...scope])
    expect((await answer('GET', path, null, held)).seen).toEqual([401, 'invalid_credentials'])
  }
  // nor do headers of a change tell whether it would be taken
  for (const key of [read!, upload!]) {
    for (const tag of ['*', '"0-"'])
      expect((await answer('DELETE', `/workouts/${id}`, key, { 'if-match': tag })).seen).toEqual(scope)
    expect((await answer('POST', '/shoes', key, { 'idempotency-key': 'same' })).seen).toEqual(scope)
  }
})

test('updatedAt moves with what is answered, and filters runs', async () => {
  await using app = await testApp()
  const [run, other] = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS - DAY_MS }))]
  const timeOf = async (id: string) => (await app.ok('GET', `/workouts/${id}?includeRaw=false`)).updatedAt
  expect(await timeOf(run)).toBe('2025-11-20T13:05:11Z')
  app.clock.nowMs += HOUR_MS
  await app.ok('PATCH', `/workouts/${run}`, { name: 'Hills' })
  expect([await timeOf(run), await timeOf(other)]).toEqual(['2025-11-20T14:05:11Z', '2025-11-20T13:05:11Z'])
  const since = async (at: string) =>
    (await app.ok('GET', `/workouts?updatedSince=${at}`)).items.map(({ id }: { id: string }) => id)
  expect(await since('2025-11-20T14:05:11Z')).toEqual([run])
  expect(await since('2025-11-20T14:05:12Z')).toEqual([])
  expect(await since('2025-11-20')).toEqual([run, other])
  expect((await app.call('GET', '/workouts?updatedSince=soon')).status).toBe(400)
  const made = [
    ['/training/goals', GOAL, { target: 4 }],
    ['/races', RACE, { goalTimeS: 2400 }],
    ['/places', PLACE, { name: 'Park' }],
  ] as const
  for (const [path, body, edit] of made) {
    const { id, updatedAt } = await app.ok('POST', path, body)
    expect(updatedAt).toBe(isoTime(app.clock.nowMs))
    app.clock.nowMs += HOUR_MS
    const edited = await app.ok('PATCH', `${path}/${id}`, edit)
    expect(edited.updatedAt).toBe(isoTime(app.clock.nowMs))
    const answer = await app.ok('GET', path)
    const listed = (answer.places ?? answer).find((one: { id: string }) => one.id === id)
    expect(listed.updatedAt).toBe(edited.updatedAt)
  }
})

test('a load is told once an hour at most', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun())
  await app.ok('GET', `/workouts/${run}?includeRaw=false`)
  const load = (loadManual: number) => app.ok('PATCH', `/workouts/${run}`, { loadSource: 'manual', loadManual })
  expect(words(await changes(app))).toEqual(['workout created'])
  app.clock.nowMs += HOUR_MS
  expect(words(await changes(app))).toEqual(['workout created', 'workout updated'])
  await load(70)
  await app.ok('GET', `/workouts/${run}?includeRaw=false`)
  expect(words(await changes(app, '?after=2'))).toEqual(['workout updated'])
  app.clock.nowMs += HOUR_MS
  expect(words(await changes(app, '?after=3'))).toEqual(['workout updated'])
  expect((await app.ok('GET', `/workouts/${run}`)).load).toBe(70)
})

test('events have the place in the log as id, and those after Last-Event-ID come first', async () => {
  await using app = await testApp()
  const { open, deps } = listeningApp(app)
  const authorization = `Bearer ${app.token}`
  const shoe = await app.ok('POST', '/shoes', { brand: 'A', model: 'B' })
  const run = await app.run(fitRun())
  const stream = reading(await open())
  await app.ok('PATCH', `/workouts/${run}`, { name: 'Hills' })
  deps.events.emit({ event: 'workout.updated', data: { id: run } })
  deps.events.emit({ event: 'receipt.created', data: { id: run } })
  const updated = { event: 'workout.updated', id: run }
  expect(await stream.message()).toEqual({ id: 3, event: 'workout.updated', data: updated })
  expect(await stream.message()).toMatchObject({ id: 3, event: 'receipt.created' })
  await stream.cancel()
  const missed = reading(await open('/events', { authorization, 'last-event-id': '0' }))
  expect(await missed.message()).toMatchObject({ id: 1, event: 'shoe.created', data: { id: shoe.id } })
  expect(await missed.message()).toMatchObject({ id: 2, event: 'workout.created', data: { id: run } })
  expect(await missed.message()).toEqual({ id: 3, event: 'workout.updated', data: updated })
  await missed.cancel()
  const place = await app.ok('POST', '/places', PLACE)
  for (let k = 0; k < 2; k += 1) {
    const late = reading(await open('/events', { authorization, 'last-event-id': '3' }))
    expect(await late.message()).toMatchObject({ id: 4, event: 'settings.updated' })
    await late.cancel()
  }
  for (let k = 0; k < 20; k += 1) await app.ok('PATCH', `/places/${place.id}`, { name: `Park ${k}` })
  for (const id of ['3', '99']) {
    const behind = reading(await open('/events', { authorization, 'last-event-id': id }))
    expect(await behind.message()).toEqual({
      id: 24,
      event: 'workout.updated',
      data: { event: 'workout.updated', id: null },
    })
    await behind.cancel()
  }
})

test('the id of an event passes over nothing that is not told yet, and a listener that cannot be told fails no change', async () => {
  await using app = await testApp()
  const { open, deps } = listeningApp(app)
  const stream = reading(await open())
  const end = deps.events.begin(() => ({ kind: 'bulk', processed: 1, total: 2, filename: 'a.fit' }))
  await app.run(fitRun())
  const shoe = {
    event: 'shoe.created',
    data: { id: (await app.ok('POST', '/shoes', { brand: 'A', model: 'B' })).id },
  } as const
  deps.events.emit(shoe)
  expect(await stream.message()).toMatchObject({ id: 0, event: 'shoe.created' })
  end()
  deps.events.emit({ event: 'import.done', data: { kind: 'bulk', successful: 1, skipped: 0, updated: 0, errors: 0 } })
  expect(await stream.message()).toMatchObject({ id: 2, event: 'import.done' })
  lose(app.deps, 'changed')
  deps.events.emit(shoe)
  expect(await stream.next()).toBeNull()
  expect(app.logged).toEqual([expect.stringContaining('could not be sent to a listener')])
})

test('what a commit has to put into the log is found without reading all that there is', async () => {
  await using app = await testApp()
  const plan = (where: string) =>
    app.deps.db.$client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN SELECT row FROM changed WHERE ${where}`).all()
  for (const where of ['due = 2', 'due = 1 AND at <= 7', 'due IS NOT NULL'])
    expect([where, plan(where)[0]?.detail]).toEqual([where, expect.stringContaining('INDEX changed_due')])
})
