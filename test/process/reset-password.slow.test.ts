import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RealServer, startServer } from './real-server.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const OLD = 'correct-horse-battery-staple'
const NEW = 'four-other-words-at-last'
const dataDir = mkdtempSync(join(tmpdir(), 'harrier-password-'))
let server: RealServer

beforeAll(async () => {
  server = await startServer({ dataDir })
})
afterAll(async () => {
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** The command as package.json runs it, while the service runs. */
async function reset(typed: string, { folder = dataDir, args = [] as readonly string[] } = {}) {
  const child = Bun.spawn([process.execPath, MAIN, 'reset-password', ...args], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
    stdin: new TextEncoder().encode(typed),
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, out, err }
}

async function login(password: string): Promise<number> {
  const body = JSON.stringify({ username: 'runner', password })
  const headers = { 'content-type': 'application/json' }
  return (await server.call('/auth/login', { method: 'POST', headers, body }, '')).status
}

test('before there is an account it has nothing to do', async () => {
  const err = 'There is no account yet: whoever opens the page first creates it\n'
  expect(await reset(`${NEW}\n`)).toEqual({ exitCode: 1, out: '', err })
})

test('a new password ends all sessions, forgets failed logins, and leaves API keys', async () => {
  await server.login()
  const made = await server.call('/auth/api-keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"label":"watch"}',
  })
  const { key } = (await made.json()) as { key: string }
  for (let i = 0; i < 10; i += 1) expect(await login('a-wrong-guess-of-mine')).toBe(401)
  expect(await login(OLD)).toBe(429)

  const out = 'The password of runner is changed, and all sessions have ended. API keys stay.\n'
  expect(await reset(`${NEW}\r\nanything else\n`)).toEqual({ exitCode: 0, out, err: '' })
  expect((await server.call('/workouts')).status).toBe(401)
  expect([await login(OLD), await login(NEW)]).toEqual([401, 200])
  const byKey = await server.call('/workouts', { headers: { authorization: `Bearer ${key}` } }, '')
  expect(byKey.status).toBe(200)
}, 90_000)

test('a password that breaks a rule, or none, changes nothing', async () => {
  for (const [typed, err] of [
    ['short\n', 'password must have at least 16 characters\n'],
    ['my-name-is-runner-here\n', 'password must not contain the username\n'],
    ['', 'password must not be blank\n'],
  ] as const) {
    expect(await reset(typed)).toEqual({ exitCode: 1, out: '', err })
  }
  expect(await login(NEW)).toBe(200)
}, 90_000)

test('without a library it makes none, and with an argument it says how it is called', async () => {
  const folder = mkdtempSync(join(dataDir, 'empty-'))
  expect(await reset(`${NEW}\n`, { folder })).toMatchObject({ exitCode: 1, err: `There is no database in ${folder}\n` })
  expect(readdirSync(folder)).toEqual([])
  expect(await reset('', { args: [NEW] })).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('Usage: bun run reset-password\n'),
  })
})
