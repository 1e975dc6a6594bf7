import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'
import { command, type RealServer, startServer } from './real-server.ts'

const OLD = 'correct-horse-battery-staple'
const NEW = 'four-other-words-at-last'
const dataDir = tempFolder()
let server: RealServer

beforeAll(async () => {
  server = await startServer({ dataDir })
})
afterAll(async () => {
  await server.end('SIGKILL')
})

/** The command as package.json runs it, while the service runs. */
function reset(typed: string, { folder = dataDir } = {}) {
  return command(['reset-password'], { DATA_DIR: folder }, '', typed)
}

async function login(password: string): Promise<number> {
  const body = JSON.stringify({ username: 'runner', password })
  const headers = { 'content-type': 'application/json' }
  return (await server.call('/auth/login', { method: 'POST', headers, body }, '')).status
}

test('before there is an account it has nothing to do', async () => {
  const err = 'There is no account yet; the first person to open the page creates it\n'
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
  expect(await reset(`${NEW}\r\nanything else\n`)).toEqual({
    ...{ exitCode: 0, out },
    err: expect.stringContaining(' info The password was reset\n'),
  })
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

test('without a library it makes none', async () => {
  const folder = mkdtempSync(join(dataDir, 'empty-'))
  expect(await reset(`${NEW}\n`, { folder })).toMatchObject({ exitCode: 1, err: `There is no database in ${folder}\n` })
  expect(readdirSync(folder)).toEqual([])
})
