import { expect, test } from 'bun:test'
import { RUNNER, type TestApp, testApp } from '../app.ts'
import { type Document, operationsOf } from './document.ts'

// Bodies that a stranger sends half of: nothing of the runner's is in them, so nobody has to wait for the rest.

const LOGIN = JSON.stringify({ username: RUNNER.username, password: RUNNER.password })

interface Held {
  readonly answered: Promise<{ readonly status: number; readonly json: unknown; readonly headers: Headers }>
  /** Whether there is still no answer after a moment. */
  waits(): Promise<boolean>
  send(text: string): void
  end(): void
}

const allWait = async (all: readonly Held[]) =>
  expect(new Set(await Promise.all(all.map((request) => request.waits())))).toEqual(new Set([true]))

/** A request whose body is handed over in pieces. */
function held(app: TestApp, path: string, first: string, headers: Readonly<Record<string, string>> = {}): Held {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (begun) => {
      controller = begun
    },
  })
  const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
  send(first)
  const sent = { 'content-type': 'application/json', ...headers }
  const answered = app
    .handle(new Request(`http://localhost${path}`, { method: 'POST', body, headers: sent }))
    .then(async (answer) => ({ status: answer.status, json: await answer.json(), headers: answer.headers }))
  return {
    answered,
    waits: () => Promise.race([answered.then(() => false), Bun.sleep(20).then(() => true)]),
    send,
    end: () => controller.close(),
  }
}

test('half a body, then silence: every operation that strangers may call ends it after 30 s', async () => {
  await using app = await testApp()
  const document: Document = (await app.call('GET', '/swagger/json')).json
  // those of addresses with a key need no header, but the key
  const open = operationsOf(document).filter(
    ([name, { security, requestBody }]) => security?.length === 0 && requestBody && !name.includes('{key}'),
  )
  expect(open.map(([name]) => name)).toEqual(['post /auth/register', 'post /auth/login'])
  for (const [name, { responses }] of open) {
    const request = held(app, name.split(' ')[1] ?? '', '{"username":')
    await request.waits()
    app.pass(29_999)
    expect(await request.waits(), name).toBe(true)
    app.pass(1)
    const { status, json, headers } = await request.answered
    expect([status, json]).toEqual([
      408,
      expect.objectContaining({ error: 'The request body did not arrive within 30 seconds' }),
    ])
    // what has not been read would be taken for the next request
    expect(headers.get('connection')).toBe('close')
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '503']))
  }
})

test('a body that comes in pieces is read, as long as all of it is there within 30 s', async () => {
  await using app = await testApp()
  const request = held(app, '/auth/login', LOGIN.slice(0, 9))
  for (let at = 9; at < LOGIN.length; at += 9) {
    expect(await request.waits()).toBe(true)
    app.pass(1_000)
    request.send(LOGIN.slice(at, at + 9))
  }
  request.end()
  expect((await request.answered).status).toBe(200)
  // pieces that come for ever do not hold it
  const dripping = held(app, '/auth/login', ' ')
  for (let second = 0; second < 30; second += 1) {
    expect(await dripping.waits()).toBe(true)
    dripping.send(' ')
    app.pass(1_000)
  }
  expect((await dripping.answered).status).toBe(408)
})

test('64 wait at most: the one that has waited longest is ended, and a request with a whole body is served', async () => {
  await using app = await testApp()
  const waiting = Array.from({ length: 64 }, () => held(app, '/auth/login', '{'))
  await allWait(waiting)
  expect((await app.call('POST', '/auth/login', { token: null, body: LOGIN })).status).toBe(200)
  const [first, ...others] = waiting
  const { headers, ...ended } = await first!.answered
  expect(ended).toEqual({ status: 503, json: expect.objectContaining({ error: expect.any(String) }) })
  expect([headers.get('connection'), headers.get('retry-after')]).toEqual(['close', '1'])
  await allWait(others)
  for (const request of others) request.end()
  const statuses = others.map(async (request) => (await request.answered).status)
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([400]))
})

test('a request with a credential has no time limit', async () => {
  await using app = await testApp()
  const mine = held(app, '/shoes', '{"brand":"Hoka",', { authorization: `Bearer ${app.token}` })
  await mine.waits()
  for (let index = 0; index < 70; index += 1) held(app, '/auth/login', '{')
  app.pass(600_000)
  expect(await mine.waits()).toBe(true)
  mine.send('"model":"Mach 6"}')
  mine.end()
  expect((await mine.answered).status).toBe(200)
})
