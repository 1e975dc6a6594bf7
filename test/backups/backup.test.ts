import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { lastBackup } from '../../src/backups/last.ts'
import { readManifest, stampsIn } from '../../src/backups/manifest.ts'
import { openDb, openSnapshot } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { tempFolder } from '../temp-folder.ts'
import { filledLibrary, on } from './library.ts'

const root = tempFolder()
const folderNamed = (name: string) => mkdtempSync(join(root, `${name}-`))

/** All rows of all tables, as text. */
function rowsOf(path: string): string {
  const { $client: client } = openSnapshot(path)
  const tables = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
  const rows = tables.map(
    ({ name }) => `${name}: ${client.query(`SELECT * FROM "${name}"`).values().map(String).join('\n')}`,
  )
  client.close()
  return rows.join('\n\n')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

test('a backup holds the whole library, trash and secret included, and becomes the same DATA_DIR again', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using app = await filledLibrary(data)
  const made = await on(data, ['backup', target])
  expect(made).toMatchObject({
    exitCode: 0,
    err: '',
    out: expect.stringMatching(/: 20\S+Z, \d+\.\d MB, 5 files, verified\n$/),
  })
  const [stamp = ''] = stampsIn(target)
  const manifest = readManifest(target, stamp)
  expect(manifest.files.map(({ path }) => path.replace(/[\da-f-]{36}/, 'ID'))).toEqual([
    'jwt-secret',
    ...['files/raw/ID', 'files/raw/ID', 'files/raw/ID', 'files/media/ID'],
  ])
  // photos do not get smaller, originals do
  expect(manifest.files.map(({ isPacked }) => isPacked)).toEqual([true, true, true, true, false])
  for (const file of filesBelow(target))
    expect([file, statSync(join(target, file)).mode & 0o777]).toEqual([file, 0o600])
  expect(lastBackup(data)).toMatchObject({ count: 1, made: { stamp, isVerified: true }, failed: null })
  expect(readdirSync(join(data, 'backup')).toSorted()).toEqual(['last.json', 'lock'])

  const fresh = join(folderNamed('restored'), 'new')
  const restored = await on(data, ['restore', target, fresh])
  expect(restored).toEqual({ exitCode: 0, err: '', out: `${fresh}: restored the backup ${stamp}, 5 files\n` })
  expect(rowsOf(join(fresh, 'harrier.sqlite'))).toBe(rowsOf(join(data, 'harrier.sqlite')))
  const files = filesBelow(join(data, 'files'))
  expect(filesBelow(join(fresh, 'files'))).toEqual(files)
  for (const file of [...files.map((name) => `files/${name}`), 'jwt-secret']) {
    expect(readFileSync(join(fresh, file)).equals(readFileSync(join(data, file)))).toBe(true)
  }
  expect(statSync(join(fresh, 'harrier.sqlite')).mode & 0o777).toBe(0o600)
  // the same library for the next start: what was deleted can be undone
  await using again = await testApp({ dataDir: fresh, db: openDb(join(fresh, 'harrier.sqlite')) })
  expect((await again.ok('GET', '/trash')).items).toHaveLength(1)
  expect(await on(data, ['restore', target, stamp, fresh])).toMatchObject({
    exitCode: 1,
    err: `${fresh} is not empty: name a new folder\n`,
  })
  expect(await on(data, ['restore', target, '2020-01-01T000000Z', join(root, 'x')])).toMatchObject({
    exitCode: 1,
    err: `There is no backup 2020-01-01T000000Z in ${target}\n`,
  })
  expect(await app.ok('GET', '/settings/backup')).toMatchObject({
    enabled: false,
    last: { verified: true },
    failed: null,
  })
})

test('a second backup stores the database and what is new; files that are gone stay with the first', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using app = await filledLibrary(data)
  const pool = () => readdirSync(join(target, 'files')).toSorted()
  await on(data, ['backup', target])
  const first = pool()
  const times = first.map((name) => statSync(join(target, 'files', name)).mtimeMs)
  await app.call('DELETE', '/trash')
  await on(data, ['backup', target], { BACKUP_KEEP: '1,0,0' })
  // of one day the latest alone stays, and with the earlier one goes what it alone named
  expect(stampsIn(target)).toHaveLength(1)
  expect(pool()).toHaveLength(first.length - 1)
  expect(pool().every((name) => statSync(join(target, 'files', name)).mtimeMs === times[first.indexOf(name)])).toBe(
    true,
  )
  expect(filesBelow(target)).toHaveLength(pool().length + 2)
})

test('verify reads everything again, and the next backup repairs what a disk damaged', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using _ = await filledLibrary(data)
  await on(data, ['backup', target])
  const [stamp = ''] = stampsIn(target)
  const sound = { exitCode: 0, err: '', out: `${stamp}: 2 runs, 2 derived again, 5 files, all right\n` }
  expect(await on(data, ['verify', target])).toEqual(sound)
  const photo = readManifest(target, stamp).files.at(-1)!
  const path = join(target, 'files', photo.sha256)
  const bytes = readFileSync(path)
  bytes[1000]! ^= 1
  writeFileSync(path, bytes)
  expect(await on(data, ['verify', target])).toEqual({
    exitCode: 1,
    err: '',
    out: `${stamp}: ${photo.path} is missing or differs from its hash\n`,
  })
  expect(await on(data, ['restore', target, join(root, 'damaged')])).toMatchObject({ exitCode: 1 })
  expect(existsSync(join(root, 'damaged', 'harrier.sqlite'))).toBe(false)
  expect(await on(data, ['backup', target])).toMatchObject({ exitCode: 0 })
  expect(await on(data, ['verify', target])).toMatchObject({ exitCode: 0 })
  const database = join(target, `${stampsIn(target).at(-1)}.sqlite.zst`)
  truncateSync(database, statSync(database).size - 1)
  expect((await on(data, ['verify', target])).out).toContain('the database is missing or differs from its hash')
  expect(await on(data, ['verify', folderNamed('empty')])).toMatchObject({ exitCode: 1 })
})

test('the numbers of every seventh backup are derived again, and differences are told', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using app = await filledLibrary(data)
  app.deps.db.$client.run('UPDATE workout SET distance_m = distance_m + 1 WHERE id = (SELECT min(id) FROM workout)')
  await on(data, ['backup', target])
  const last = lastBackup(data)
  expect(last.failed).toBeNull()
  writeFileSync(join(data, 'backup/last.json'), JSON.stringify({ ...last, count: 6 }))
  expect((await on(data, ['backup', target])).out).toContain('the numbers of 1 of 2 runs differ')
  expect(lastBackup(data)).toMatchObject({
    count: 7,
    made: { isVerified: false },
    failed: { error: 'Of the backup, the numbers of 1 of 2 runs differ' },
  })
})

test('what cannot be backed up is told, and the backups that are there stay', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  const app = await filledLibrary(data, 2)
  await on(data, ['backup', target])
  const kept = filesBelow(target)
  const failed = async (folder: string, error: string, from = data) => {
    expect(await on(from, ['backup', folder])).toMatchObject({ exitCode: 1, out: '' })
    expect(lastBackup(from).failed?.error).toBe(error)
  }
  await failed(join(root, 'unmounted'), 'The backup folder cannot be reached')
  expect(existsSync(join(root, 'unmounted'))).toBe(false)
  writeFileSync(join(root, 'file'), '')
  await failed(join(root, 'file'), 'The backup folder cannot be reached')

  const other = folderNamed('other')
  const second = await testApp({ dataDir: other, db: openDb(join(other, 'harrier.sqlite')), fresh: true })
  await failed(target, 'There is no account yet, so there is nothing to back up', other)
  await second.call('POST', '/auth/register', { json: { username: 'b', password: 'correct-horse-battery-staple' } })
  await failed(target, 'The backup folder has backups of another library: use an empty one', other)
  await second.close()

  // damage in the middle of the file, as a failing card leaves it
  app.deps.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  app.deps.db.$client.close()
  const path = join(data, 'harrier.sqlite')
  const bytes = readFileSync(path)
  bytes.fill(0xff, 8192, bytes.length - 8192)
  writeFileSync(path, bytes)
  await failed(target, 'The database is damaged and is only read; save what an export gives, then restore a backup')
  expect(lastBackup(data).made?.isVerified).toBe(true)
  expect(filesBelow(target)).toEqual(kept)
  app.deps.analyzer.close()
})

test('a folder whose manifest cannot be read loses no file', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using app = await filledLibrary(data, 2)
  await on(data, ['backup', target])
  const pool = readdirSync(join(target, 'files'))
  await app.call('DELETE', '/trash')
  writeFileSync(join(target, '2020-01-01T000000Z.json'), '{"format":2}')
  mkdirSync(join(target, 'mine'))
  writeFileSync(join(target, 'files', 'mine.txt'), 'x')
  expect(await on(data, ['backup', target], { BACKUP_KEEP: '1,0,12' })).toMatchObject({ exitCode: 0 })
  expect(readdirSync(join(target, 'files'))).toEqual(expect.arrayContaining([...pool, 'mine.txt']))
  rmSync(join(target, '2020-01-01T000000Z.json'))
  await on(data, ['backup', target], { BACKUP_KEEP: '1,0,0' })
  expect(readdirSync(join(target, 'files'))).toHaveLength(pool.length)
  expect(readdirSync(join(target, 'files'))).toContain('mine.txt')
  expect(existsSync(join(target, 'mine'))).toBe(true)
})

test('two backups of one library are never made at once', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using _ = await filledLibrary(data, 1)
  const both = await Promise.all([on(data, ['backup', target]), on(data, ['backup', target])])
  const codes = both.map(({ exitCode }) => exitCode)
  // one after the other where the second was slow to start
  expect(codes).toContain(0)
  for (const { exitCode, err } of both) if (exitCode !== 0) expect(err).toContain('is in use by another')
  for (const stamp of stampsIn(target)) expect(readManifest(target, stamp).files).toHaveLength(2 + 1)
})
