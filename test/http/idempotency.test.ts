import { describe, expect, test } from 'bun:test'
import { setActor } from '../../src/http/author.ts'
import { bodyHasher, claimKey, createKeyed, keepNoAnswer, type Repeated, takesKey } from '../../src/http/idempotency.ts'
import { slowJson } from '../../src/http/slow-json.ts'
import { collectOld } from '../../src/library/collect.ts'
import { type Answer, type CallOptions, type TestApp, testApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'
import { bytesOf, countOf, lose, removeRows, setRows } from '../library/as-stored.ts'
import { copyOfDb } from '../library/memory-db.ts'

const RUN = { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 }
const SHOE = { brand: 'A', model: 'B' }
const HOUR_MS = 3_600_000

const keyed = (key: string, more: Readonly<Record<string, string>> = {}) => ({ 'idempotency-key': key, ...more })
const send = (app: TestApp, path: string, sent: CallOptions, key = 'k1') =>
  app.call('POST', path, { ...sent, headers: keyed(key, sent.headers) })
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'
const runsOf = async (app: TestApp): Promise<number> => (await app.ok('GET', '/workouts')).totalCount

/** A new form each time, so that its boundary is another one. */
function form(files: Readonly<Record<string, Uint8Array>>, fields: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData()
  for (const [name, bytes] of Object.entries(files)) made.append('file', new File([bytes.slice()], name))
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}

/** Compares what a repeated request is answered: the same, without anything done. */
function expectSame(again: Answer, first: Answer): void {
  expect([again.status, again.text]).toEqual([first.status, first.text])
  for (const name of ['harrier-receipt', 'location', 'content-type'])
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
  expect([isReplayed(first), isReplayed(again)]).toEqual([false, true])
}

describe('a request that is sent again with its Idempotency-Key', () => {
  test('has the same answer, and nothing is done again', async () => {
    await using app = await testApp()
    const workout = await app.run(fitRun())
    const calls: readonly (readonly [
      path: string,
      table: string,
      sent: () => CallOptions,
      other: () => CallOptions,
    ])[] = [
      ['/workouts', 'workout', () => ({ json: RUN }), () => ({ json: { ...RUN, distanceM: 8001 } })],
      ['/shoes', 'shoe', () => ({ json: SHOE }), () => ({ json: { ...SHOE, model: 'C' } })],
      [
        ...['/training/goals', 'training_goal'],
        () => ({ json: { metric: 'runs', period: 'week', target: 3 } }),
        () => ({ json: { metric: 'runs', period: 'week', target: 4 } }),
      ] as const,
      [
        ...['/races', 'race'],
        () => ({ json: { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 } }),
        () => ({ json: { date: '2026-06-15', name: 'City 10K', distanceM: 10_000 } }),
      ] as const,
      [
        ...['/places', 'place'],
        () => ({ json: { name: 'Home', lat: 48.137, lon: 11.575 } }),
        () => ({ json: { name: 'Home', lat: 48.137, lon: 11.576 } }),
      ] as const,
      [
        ...[`/workouts/${workout}/media`, 'media'],
        () => ({ body: form({ 'a.png': png() }) }),
        () => ({ body: form({ 'b.png': png() }) }),
      ] as const,
      [
        ...['/workouts/import', 'workout'],
        () => ({ body: form({ 'b.fit': fitRun({ seconds: 700 }) }) }),
        () => ({ body: form({ 'b.fit': fitRun({ seconds: 700 }) }, { unitPreference: 'imperial' }) }),
      ] as const,
      [
        ...['/workouts/import/raw', 'workout'],
        () => ({ body: fitRun({ seconds: 710 }).slice() }),
        () => ({ body: fitRun({ seconds: 720 }).slice() }),
      ] as const,
    ]
    for (const [path, table, sent, other] of calls) {
      const before = countOf(app.deps, table)
      const first = await send(app, path, sent(), path)
      expect([path, first.status < 300, first.text]).toEqual([path, true, first.text])
      const receipts = countOf(app.deps, 'receipt')
      for (let times = 0; times < 2; times += 1) expectSame(await send(app, `/api${path}/`, sent(), path), first)
      const { status, json } = await send(app, path, other(), path)
      expect([path, status, json.code, json.field]).toEqual([path, 422, 'idempotency_key_reused', 'Idempotency-Key'])
      expect([path, countOf(app.deps, table) - before]).toEqual([path, 1])
      expect(countOf(app.deps, 'receipt')).toBe(receipts)
    }
  })

  test('may carry no other query, and be of no other call', async () => {
    await using app = await testApp()
    const body = fitRun().slice()
    expect((await send(app, '/workouts/import/raw?name=a.fit', { body })).status).toBe(200)
    expect((await send(app, '/workouts/import/raw?name=b.fit', { body })).status).toBe(422)
    expect((await send(app, '/workouts/import/raw', { body })).status).toBe(422)
    const named = { body, headers: { 'x-filename': 'c.fit' } }
    expect((await send(app, '/workouts/import/raw?name=a.fit', named)).status).toBe(200)
    expect((await send(app, '/shoes', { json: SHOE })).json.code).toBe('idempotency_key_reused')
  })

  test('is of the runner in any session, and of each API key alone', async () => {
    await using app = await testApp()
    const keys = await Promise.all(
      ['full', 'full', 'read', 'upload'].map(async (scope) => (await app.ok('POST', '/auth/api-keys', { scope })).key),
    )
    const ids = new Set<string>()
    for (const token of [undefined, ...keys.slice(0, 2)]) {
      const of = token === undefined ? {} : { token }
      const first = await send(app, '/shoes', { json: SHOE, ...of })
      expectSame(await send(app, '/shoes', { json: SHOE, ...of }), first)
      ids.add(first.json.id)
    }
    expect(ids.size).toBe(3)
    for (const token of keys.slice(2)) expect((await send(app, '/shoes', { json: SHOE, token })).status).toBe(403)
    expect((await send(app, '/shoes', { json: SHOE, token: null })).status).toBe(401)
    const upload = { token: keys[3]!, body: fitRun().slice() }
    const first = await send(app, '/workouts/import/raw', upload)
    expectSame(await send(app, '/workouts/import/raw', upload), first)
  })
})

describe('an Idempotency-Key', () => {
  test('of a request under way is 409, for one file and for several', async () => {
    await using app = await testApp()
    for (const count of [1, 3]) {
      const files = Array.from({ length: count }, (_, at) => [`${at}.fit`, fitRun({ seconds: 600 + 20 * at + count })])
      const sent = () => send(app, '/workouts/import', { body: form(Object.fromEntries(files)) }, `k${count}`)
      const answers = await Promise.all([sent(), sent()])
      const [first, second] = answers.toSorted((a, b) => a.status - b.status)
      expect([first!.status, second!.status, second!.json.code]).toEqual([200, 409, 'idempotency_in_progress'])
      expectSame(await sent(), first!)
    }
    expect(await runsOf(app)).toBe(4)
  })

  test('has 1 to 255 visible ASCII characters, is refused before the body is read, and is ignored by other calls', async () => {
    await using app = await testApp()
    for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256)]) {
      for (const path of ['/shoes', '/workouts/import', '/workouts/import/raw']) {
        const { status, json } = await send(app, path, { body: 'no body that it takes' }, key)
        expect([key, path, status, json.field]).toEqual([key, path, 400, 'Idempotency-Key'])
      }
      expect((await send(app, '/auth/api-keys', { json: {} }, key)).status).toBe(201)
    }
    for (const key of ['!', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'x'.repeat(255)])
      expect((await send(app, '/shoes', { json: SHOE }, key)).status).toBe(200)
    expect((await send(app, '/auth/api-keys', { json: {} })).text).not.toBe(
      (await send(app, '/auth/api-keys', { json: {} })).text,
    )
  })

  test('stays usable after a refusal that left nothing, not after one with a receipt', async () => {
    await using app = await testApp()
    expect((await send(app, '/shoes', { json: { brand: 'A' } })).status).toBe(400)
    expect((await send(app, '/shoes', { json: SHOE })).status).toBe(200)
    const broken = () => ({ body: 'a letter' })
    const first = await send(app, '/workouts/import/raw', broken(), 'k2')
    expect([first.status, first.headers.get('harrier-receipt')]).toEqual([400, expect.any(String)])
    expectSame(await send(app, '/workouts/import/raw', broken(), 'k2'), first)
    expect((await app.ok('GET', '/receipts?kind=import')).items).toHaveLength(1)
  })

  test('stays usable after a failure of the service', async () => {
    await using app = await testApp()
    const back = lose(app.deps, 'shoe')
    expect((await send(app, '/shoes', { json: SHOE })).status).toBe(500)
    back()
    expect((await send(app, '/shoes', { json: SHOE })).status).toBe(200)
    expect(countOf(app.deps, 'shoe')).toBe(1)
  })

  test('is used by a failure after something was stored', async () => {
    await using app = await testApp()
    await app.run(fitRun())
    const race = { json: { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 } }
    // its prediction fails
    const back = lose(app.deps, 'workout')
    expect((await send(app, '/races', race)).status).toBe(500)
    back()
    const again = await send(app, '/races', race)
    expect([again.status, again.json.code, countOf(app.deps, 'race')]).toEqual([409, 'idempotency_answer_lost', 1])
  })

  test('finishes an import and an upload of which the service failed on files', async () => {
    await using app = await testApp()
    const failing = (table: string) => {
      app.deps.db.$client.run(`CREATE TRIGGER no BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`)
      return () => void app.deps.db.$client.run('DROP TRIGGER no')
    }
    const files = () => ({ body: form({ 'a.fit': fitRun(), 'b.fit': fitRun({ seconds: 700 }) }) })
    const heal = failing('recording')
    expect((await send(app, '/workouts/import', files())).json).toMatchObject({ successful: 0, errors: 2 })
    heal()
    expect((await send(app, '/workouts/import', files())).json).toMatchObject({ successful: 2, errors: 0 })
    const [{ id }] = (await app.ok('GET', '/workouts')).items
    const media = `/workouts/${id}/media?as=summary`
    const photos = () => ({ body: form({ 'a.png': png(1), 'b.png': png(2) }) })
    const healed = failing('media')
    const failed = await send(app, media, photos(), 'k2')
    expect(failed.json).toMatchObject({ successCount: 0, errorCount: 2 })
    healed()
    expect((await send(app, media, photos(), 'k2')).json).toMatchObject({ successCount: 2, errorCount: 0 })
  })

  test('of a dry run serves the run itself, and what is repeated or refused by its key is no upload', async () => {
    await using app = await testApp()
    expect((await send(app, '/workouts', { json: { ...RUN, dryRun: true } })).status).toBe(200)
    expect((await send(app, '/workouts', { json: RUN })).status).toBe(201)
    const { key: token } = await app.ok('POST', '/auth/api-keys', { scope: 'upload' })
    const last = async () => (await app.ok('GET', '/auth/api-keys'))[0].lastUpload
    const upload = (body: string) => send(app, '/workouts/import/raw', { body, token }, 'k2')
    expect((await upload('a letter')).status).toBe(400)
    const first = await last()
    expect(first.error).toBeString()
    app.clock.nowMs += HOUR_MS
    expect([(await upload('a letter')).status, (await upload('another')).status]).toEqual([400, 422])
    expect(await last()).toEqual(first)
  })

  test('is free after an answer that is not to be kept', async () => {
    await using app = await testApp()
    for (const way of ['recognises', 'adds'] as const) {
      removeRows(app.deps, 'kept_answer')
      let done = 0
      const work = async (request: Request) => {
        keepNoAnswer(request)
        done += 1
        return { done }
      }
      const ask = slowCall(app, work, way)
      expect([await (await ask()).json(), await (await ask()).json()]).toEqual([{ done: 1 }, { done: 2 }])
    }
  })

  test('is known after a restart, for 24 hours, and then removed', async () => {
    await using before = await testApp()
    const first = await send(before, '/workouts', { json: RUN })
    await using app = await testApp({ db: copyOfDb(bytesOf(before.deps)) })
    app.clock.nowMs += 24 * HOUR_MS - 1
    expectSame(await send(app, '/workouts', { json: RUN }), first)
    await collectOld(app.deps)
    expect(countOf(app.deps, 'kept_answer')).toBe(1)
    app.clock.nowMs += 1
    const later = await send(app, '/workouts', { json: { ...RUN, distanceM: 9000 } })
    expect([later.status, isReplayed(later), await runsOf(app)]).toEqual([201, false, 2])
    app.clock.nowMs += 24 * HOUR_MS + 1
    await collectOld(app.deps)
    expect(countOf(app.deps, 'kept_answer')).toBe(0)
  })

  test('of what was cut short adds nothing a second time, but finishes an import', async () => {
    await using app = await testApp()
    const body = () => form({ 'a.fit': fitRun(), 'b.fit': fitRun({ seconds: 700 }) })
    const run = await send(app, '/workouts', { json: RUN }, 'run')
    const files = await send(app, '/workouts/import', { body: body() }, 'files')
    // what a crash between the work and its answer leaves of the two
    setRows(app.deps, 'kept_answer', { status: null, answer: null }, { key: 'run' })
    removeRows(app.deps, 'kept_answer', { key: 'files' })
    const again = await send(app, '/workouts', { json: RUN }, 'run')
    expect([run.status, again.status, again.json.code]).toEqual([201, 409, 'idempotency_answer_lost'])
    const finished = await send(app, '/workouts/import', { body: body() }, 'files')
    expect([files.json.successful, finished.json.skipped, await runsOf(app)]).toEqual([2, 2, 3])
  })

  test('of an import that the end of the process cut short continues it', async () => {
    await using app = await testApp()
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, k) => [`${k}.fit`, fitRun({ seconds: 600 + 20 * k })]),
    )
    app.deps.events.subscribe(({ event }) => event === 'import.progress' && app.deps.events.close())
    expect((await send(app, '/workouts/import', { body: form(files) })).status).toBe(503)
    const stored = await runsOf(app)
    await using after = await testApp({ db: copyOfDb(bytesOf(app.deps)) })
    const { json } = await send(after, '/workouts/import', { body: form(files) })
    expect([json.skipped, json.successful]).toEqual([stored, 30 - stored])
  })

  test('is noted before the work of what would be added twice', async () => {
    await using app = await testApp()
    app.deps.db.$client.run(
      "CREATE TRIGGER known BEFORE INSERT ON shoe BEGIN SELECT RAISE(ABORT, 'unknown') WHERE NOT EXISTS (SELECT 1 FROM kept_answer WHERE status IS NULL); END",
    )
    expect((await send(app, '/shoes', { json: SHOE })).status).toBe(200)
    expect((await app.call('POST', '/shoes', { json: SHOE })).status).toBe(500)
  })

  test('keeps the answer of an import whose client left', async () => {
    await using app = await testApp()
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${app.token}`, ...keyed('k1') }
    const sent = () => ({
      method: 'POST',
      headers,
      body: form({ 'a.fit': fitRun(), 'b.fit': fitRun({ seconds: 700 }) }),
    })
    const asked = app.handle(new Request('http://localhost/workouts/import', { ...sent(), signal: leaving.signal }))
    await Bun.sleep(1)
    leaving.abort()
    await asked
    const again = await send(app, '/workouts/import', { body: sent().body })
    expect([again.status, isReplayed(again), again.json.successful]).toEqual([200, true, 2])
  })

  test('tells listeners of no second import', async () => {
    await using app = await testApp()
    const heard: unknown[] = []
    app.deps.events.subscribe(({ event }) => void heard.push(event))
    const sent = () => send(app, '/workouts/import', { body: form({ 'a.fit': fitRun() }) })
    await sent()
    const first = heard.length
    expect(first).toBeGreaterThan(0)
    await sent()
    expect(heard).toHaveLength(first)
  })

  test('keeps no answer of more than 256 KiB: what would be added twice is 409 then, what is recognised is done again', async () => {
    await using app = await testApp()
    const work = () => Promise.resolve({ text: 'x'.repeat(262_144) })
    for (const way of ['adds', 'recognises'] as const) {
      const ask = slowCall(app, work, way)
      expect((await ask()).status).toBe(200)
      const again = await ask()
      expect([way, again.status, again.headers.get('idempotency-replayed')]).toEqual([
        ...[way, way === 'adds' ? 409 : 200, null],
      ])
    }
  })

  test('keeps an answer that blanks keep alive once it is whole, though its client left', async () => {
    await using app = await testApp()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const ask = slowCall(app, () => promise, 'recognises')
    const first = await ask()
    void first.body?.cancel()
    expect((await ask()).status).toBe(409)
    resolve({ successful: 300 })
    await Bun.sleep(5)
    const again = await ask()
    expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', '{"successful":300}'])
  })

  test('that cannot be stored spoils no answer', async () => {
    await using app = await testApp()
    lose(app.deps, 'kept_answer')
    app.deps.db.$client.run('CREATE VIEW kept_answer AS SELECT * FROM lost')
    const body = fitRun().slice()
    expect((await send(app, '/workouts/import/raw', { body })).json.action).toBe('created')
    expect(app.logged.filter((line) => line.includes('could not be kept'))).toHaveLength(1)
  })
})

/** A call that answers as imports of several files do. */
function slowCall(
  { deps }: TestApp,
  work: (request: Request) => Promise<unknown>,
  way: Repeated,
): () => Promise<Response> {
  const keyedCalls = createKeyed({ ...deps, lastChange: () => 0 })
  return async () => {
    const request = new Request('http://localhost/slow', { method: 'POST', headers: keyed('k1') })
    setActor(request, 'browser', way)
    return await keyedCalls(request, async () => {
      takesKey(way)({ request })
      try {
        claimKey(request, bodyHasher(request))
      } catch {
        return new Response(null)
      }
      return await slowJson(work(request), { whenFailed: () => null, silenceMs: 1 })
    })
  }
}
