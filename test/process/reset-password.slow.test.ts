import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'
import { CREDENTIALS, command, json, startServer } from './real-server.ts'

const NEW = 'four-other-words-at-last'
const dataDir = tempFolder()

/** The command as package.json runs it, while the service runs. */
const reset = (typed: string, folder = dataDir) => command(['reset-password'], { DATA_DIR: folder }, '', typed)

test('a new password ends all sessions, forgets failed logins, and leaves API keys; a bad one changes nothing', async () => {
  await using server = await startServer({ dataDir })
  const login = async (password: string) =>
    (await server.call('/auth/login', json('POST', { ...CREDENTIALS, password }), '')).status
  const nobody = 'There is no account yet; the first person to open the page creates it\n'
  expect(await reset(`${NEW}\n`)).toEqual({ exitCode: 1, out: '', err: nobody })
  await server.login()
  const made = await server.call('/auth/api-keys', json('POST', { label: 'watch' }))
  const { key } = (await made.json()) as { key: string }
  for (let i = 0; i < 10; i += 1) expect(await login('a-wrong-guess-of-mine')).toBe(401)
  expect(await login(CREDENTIALS.password)).toBe(429)
  expect(await reset(`${NEW}\r\nanything else\n`)).toEqual({
    ...{ exitCode: 0, out: 'The password of runner is changed, and all sessions have ended. API keys stay.\n' },
    err: expect.stringContaining(' info The password was reset\n'),
  })
  expect((await server.call('/workouts')).status).toBe(401)
  expect([await login(CREDENTIALS.password), await login(NEW)]).toEqual([401, 200])
  const byKey = await server.call('/workouts', { headers: { authorization: `Bearer ${key}` } }, '')
  expect(byKey.status).toBe(200)
  for (const [typed, err] of [
    ['short\n', 'password must have at least 16 characters\n'],
    ['my-name-is-runner-here\n', 'password must not contain the username\n'],
    ['', 'password must not be blank\n'],
  ] as const) {
    expect(await reset(typed)).toEqual({ exitCode: 1, out: '', err })
  }
  expect(await login(NEW)).toBe(200)
  // without a library it makes none
  const folder = mkdtempSync(join(dataDir, 'empty-'))
  expect(await reset(`${NEW}\n`, folder)).toMatchObject({ exitCode: 1, err: `There is no database in ${folder}\n` })
  expect(readdirSync(folder)).toEqual([])
}, 120_000)
