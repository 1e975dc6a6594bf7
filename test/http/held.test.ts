import { expect, test } from 'bun:test'
import { RUNNER, type TestApp, testApp } from '../app.ts'
import { type Document, operationsOf } from './document.ts'

// Bodies that a stranger sends half of: nothing of the runner's is in them, so nobody has to wait for the rest.

const LOGIN = JSON.stringify({ username: RUNNER.username, password: RUNNER.password })

interface Held {
  /** The answer, or `waiting` when there is none yet. */
  state(): Promise<{ readonly status: number; readonly json: unknown; readonly headers: Headers } | 'waiting'>
  send(text: string): void
  end(): void
}

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
  const answer = app.handle(new Request(`http://localhost${path}`, { method: 'POST', body, headers: sent }))
  return {
    state: async () => {
      const state = await Promise.race([answer, Bun.sleep(20).then(() => 'waiting' as const)])
      if (state === 'waiting') return state
      return { status: state.status, json: await state.clone().json(), headers: state.headers }
    },
    send,
    end: () => controller.close(),
  }
}

const statusOf = async (request: Held) => {
  const state = await request.state()
  return state === 'waiting' ? state : state.status
}

test('half a body, then silence: every operation that strangers may call ends it after 30 s', async () => {
  await using app = await testApp()
  const document: Document = (await app.call('GET', '/swagger/json')).json
  const open = operationsOf(document).filter(([, { security, requestBody }]) => security?.length === 0 && requestBody)
  expect(open.map(([name]) => name)).toEqual(['post /auth/register', 'post /auth/login'])
  for (const [name, { responses }] of open) {
    const request = held(app, name.split(' ')[1] ?? '', '{"username":')
    await request.state()
    app.pass(29_999)
    expect(await request.state(), name).toBe('waiting')
    app.pass(1)
    const state = await request.state()
    if (state === 'waiting') throw new Error(`${name} waits on`)
    expect([state.status, state.json]).toEqual([408, { error: 'The request body did not arrive within 30 seconds' }])
    // what has not been read would be taken for the next request
    expect(state.headers.get('connection')).toBe('close')
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '503']))
  }
})

test('a body that comes in pieces is read, as long as all of it is there within 30 s', async () => {
  await using app = await testApp()
  const request = held(app, '/auth/login', LOGIN.slice(0, 9))
  for (let at = 9; at < LOGIN.length; at += 9) {
    await request.state()
    app.pass(1_000)
    request.send(LOGIN.slice(at, at + 9))
  }
  request.end()
  await Bun.sleep(300)
  expect(await statusOf(request)).toBe(200)
  // pieces that come for ever do not hold it
  const dripping = held(app, '/auth/login', ' ')
  for (let second = 0; second < 31; second += 1) {
    dripping.send(' ')
    await Bun.sleep(0)
    app.pass(1_000)
  }
  expect(await statusOf(dripping)).toBe(408)
})

test('64 wait at most: the one that has waited longest makes room, and whoever sends a whole body is served', async () => {
  await using app = await testApp()
  const waiting: Held[] = []
  for (let index = 0; index < 64; index += 1) waiting.push(held(app, '/auth/login', '{'))
  expect(new Set(await Promise.all(waiting.map(statusOf)))).toEqual(new Set(['waiting']))
  expect((await app.call('POST', '/auth/login', { token: null, body: LOGIN })).status).toBe(200)
  const [first, ...others] = waiting
  const state = await first?.state()
  if (state === undefined || state === 'waiting') throw new Error('The first one waits on')
  expect([state.status, state.json]).toEqual([503, { error: expect.any(String) }])
  expect([state.headers.get('connection'), state.headers.get('retry-after')]).toEqual(['close', '1'])
  expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set(['waiting']))
  for (const request of others) request.end()
  expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set([400]))
})

test('whoever has a credential may take as long as it takes', async () => {
  await using app = await testApp()
  const mine = held(app, '/shoes', '{"brand":"Hoka",', { authorization: `Bearer ${app.token}` })
  await mine.state()
  for (let index = 0; index < 70; index += 1) held(app, '/auth/login', '{')
  app.pass(600_000)
  expect(await mine.state()).toBe('waiting')
  mine.send('"model":"Mach 6"}')
  mine.end()
  expect(await statusOf(mine)).toBe(200)
})
