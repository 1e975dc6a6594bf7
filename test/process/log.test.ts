// The log of a real service, as an operator collects it.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { earlierDatabase } from '../db/earlier.ts'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { CREDENTIALS, command, oneFile, startServer } from './real-server.ts'

const OTHER_PASSWORD = 'several-other-words-in-a-row'

test('LOG_FORMAT=json: version, imports, restores, exports, failed logins and new passwords are a line each, without names', async () => {
  const dataDir = tempFolder()
  const env = { LOG_FORMAT: 'json', BUILD_VERSION: '1.2.3' }
  const server = await startServer({ dataDir, env })
  await server.login()
  const json = (path: string, body: unknown) =>
    server.call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const { key } = (await (await json('/auth/api-keys', { label: 'my-label' })).json()) as { key: string }
  await server.call('/workouts/import', oneFile('my-file.fit', fitRun()))
  await server.call('/workouts/import', oneFile('my-file.fit', new TextEncoder().encode('no run')))
  const archive = await (await server.call('/workouts/export', { method: 'POST' })).bytes()
  await server.call('/workouts/import/export', oneFile('my-archive.zip', archive))
  expect((await json('/auth/login', { ...CREDENTIALS, password: 'wrong' })).status).toBe(401)
  await json('/auth/change-password', { currentPassword: CREDENTIALS.password, newPassword: OTHER_PASSWORD })
  const reset = await command(['reset-password'], { DATA_DIR: dataDir, ...env }, '', `${CREDENTIALS.password}\n`)
  await server.end('SIGTERM')
  const lines = `${server.log()}${reset.err}`
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  const line = (level: string, message: unknown) => ({ time: expect.stringMatching(/^\d{4}-.*Z$/), level, message })
  const counts = (imported: number, skipped: number) =>
    `${imported} imported, ${skipped} duplicates, 0 updated, 0 errors`
  expect(lines).toEqual([
    line('warn', expect.stringMatching(/^Harrier 1\.2\.3 listens on http:/)),
    line('info', `Import of files: ${counts(1, 0)}`),
    line('info', 'Import of files: refused'),
    line('info', 'Exported the library'),
    line('info', `Restore of an archive: ${counts(0, 1)}`),
    line('warn', 'Failed login from 127.0.0.1'),
    line('info', 'The password was changed'),
    line('info', 'Stopping after SIGTERM'),
    line('info', 'The password was reset'),
  ])
  for (const hidden of [CREDENTIALS.username, 'my-', key, key.slice(0, 12)]) expect(server.log()).not.toContain(hidden)
})

test('the migration of an earlier library is named', async () => {
  const dataDir = tempFolder()
  earlierDatabase(SCHEMA_VERSION - 1, join(dataDir, 'harrier.sqlite')).close()
  const server = await startServer({ dataDir })
  await server.end('SIGTERM')
  const schemas = `${SCHEMA_VERSION - 1} to ${SCHEMA_VERSION}`
  expect(server.log()).toContain(` info Migrating the database from schema ${schemas}\n`)
})
