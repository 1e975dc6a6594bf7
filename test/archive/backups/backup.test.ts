import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readManifest, stampsIn } from '../../../src/archive/backups/folder.ts'
import { lastBackup } from '../../../src/base/last-backup.ts'
import { setRows } from '../../library/as-stored.ts'
import { checkpointed, closed, textOfTables } from '../../library/database-file.ts'
import { filesBelow, filledLibrary, folders, libraryIn, on } from './library.ts'

const { root, folderNamed } = folders()

const modeOf = (path: string) => statSync(path).mode & 0o777
const sharedBy = (target: string) => filesBelow(join(target, 'files'))

/** A library, and where its backups go. */
async function prepared(runs?: number) {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  const app = await filledLibrary(data, runs)
  const backup = (keep = '7,4,12') => on(data, ['backup', target], { BACKUP_KEEP: keep })
  return { app, data, target, backup, [Symbol.asyncDispose]: () => app.close() }
}

test('a backup holds the whole library, trash and secret included, and becomes the same DATA_DIR again', async () => {
  await using library = await prepared()
  const { app, data, target } = library
  const out = expect.stringMatching(/: 20\S+Z, \d+\.\d MB, 5 files, verified\n$/)
  expect(await library.backup()).toEqual({ exitCode: 0, err: '', out })
  const [stamp = ''] = stampsIn(target)
  const { files } = readManifest(target, stamp)
  expect(files.map(({ path }) => path.replace(/[\da-f-]{36}/, 'ID'))).toEqual([
    ...['jwt-secret', 'files/raw/ID', 'files/raw/ID', 'files/raw/ID', 'files/media/ID'],
  ])
  for (const file of filesBelow(target)) expect([file, modeOf(join(target, file))]).toEqual([file, 0o600])
  expect(lastBackup(data)).toMatchObject({ count: 1, made: { stamp, isVerified: true }, failed: null })
  expect(readdirSync(join(data, 'backup')).toSorted()).toEqual(['last.json', 'lock'])
  const last = { enabled: false, last: { verified: true }, failed: null }
  expect(await app.ok('GET', '/settings/backup')).toMatchObject(last)

  const fresh = join(folderNamed('restored'), 'new')
  const restored = await on(data, ['restore', target, fresh])
  expect(restored).toEqual({ exitCode: 0, err: '', out: `${fresh}: restored the backup ${stamp}, 5 files\n` })
  const database = join(fresh, 'harrier.sqlite')
  expect(textOfTables(database)).toBe(textOfTables(join(data, 'harrier.sqlite')))
  expect([modeOf(database), filesBelow(join(fresh, 'files'))]).toEqual([0o600, filesBelow(join(data, 'files'))])
  for (const { path } of files)
    expect(readFileSync(join(fresh, path)).equals(readFileSync(join(data, path)))).toBe(true)
  // the same library for the next start: what was deleted can be undone
  await using again = await libraryIn(fresh)
  expect((await again.ok('GET', '/trash')).items).toHaveLength(1)
  for (const [args, err] of [
    [[stamp, fresh], `${fresh} is not empty: name a new folder\n`],
    [['2020-01-01T000000Z', join(root, 'x')], `There is no backup 2020-01-01T000000Z in ${target}\n`],
  ] as const) {
    expect(await on(data, ['restore', target, ...args])).toMatchObject({ exitCode: 1, err })
  }
})

test('two backups are never made at once; a second stores what is new, and loses no file of one that cannot be read', async () => {
  await using library = await prepared()
  const { app, target } = library
  const both = await Promise.all([library.backup(), library.backup()])
  // one after the other where the second was slow to start
  expect(both.map(({ exitCode }) => exitCode)).toContain(0)
  for (const { exitCode, err } of both) if (exitCode !== 0) expect(err).toContain('is in use by another')
  const first = sharedBy(target)
  const timesOf = (names: readonly string[]) => names.map((name) => statSync(join(target, 'files', name)).mtimeMs)
  const times = timesOf(first)
  await app.ok('DELETE', '/trash')
  const unread = join(target, '2020-01-01T000000Z.json')
  writeFileSync(unread, '{"format":2}')
  mkdirSync(join(target, 'mine'))
  writeFileSync(join(target, 'files', 'mine.txt'), 'x')
  expect(await library.backup('1,0,12')).toMatchObject({ exitCode: 0 })
  expect(sharedBy(target)).toEqual([...first, 'mine.txt'].toSorted())
  expect(timesOf(first)).toEqual(times)
  rmSync(unread)
  await library.backup('1,0,0')
  // of one day the latest alone stays, and with the earlier one goes what it alone named
  expect(stampsIn(target)).toHaveLength(1)
  expect(sharedBy(target)).toHaveLength(first.length)
  expect([sharedBy(target).includes('mine.txt'), existsSync(join(target, 'mine'))]).toEqual([true, true])
  expect(filesBelow(target)).toHaveLength(first.length + 3)
})

test('verify reads everything again, and the next backup repairs what a disk damaged', async () => {
  await using library = await prepared()
  const { data, target } = library
  await library.backup()
  const [stamp = ''] = stampsIn(target)
  const verify = (folder = target) => on(data, ['verify', folder])
  const out = `${stamp}: 2 runs, 2 derived again, 5 files, all right\n`
  expect(await verify()).toEqual({ exitCode: 0, err: '', out })
  const photo = readManifest(target, stamp).files.at(-1)!
  const path = join(target, photo.path)
  const bytes = readFileSync(path)
  bytes[1000]! ^= 1
  writeFileSync(path, bytes)
  const damaged = `${stamp}: ${photo.path} is missing or differs from its hash\n`
  expect(await verify()).toEqual({ exitCode: 1, err: '', out: damaged })
  expect(await on(data, ['restore', target, join(root, 'damaged')])).toMatchObject({ exitCode: 1 })
  expect(existsSync(join(root, 'damaged', 'harrier.sqlite'))).toBe(false)
  expect(await library.backup()).toMatchObject({ exitCode: 0 })
  expect(await verify()).toMatchObject({ exitCode: 0 })
  const database = join(target, `${stampsIn(target).at(-1)}.harrier.sqlite`)
  truncateSync(database, statSync(database).size - 1)
  expect((await verify()).out).toContain('the database is missing or differs from its hash')
  expect(await verify(folderNamed('empty'))).toMatchObject({ exitCode: 1 })
})

test('the numbers of every seventh backup are derived again, and differences are told', async () => {
  await using library = await prepared()
  const { app, data } = library
  const [{ id }] = (await app.ok('GET', '/workouts')).items
  setRows(app.deps, 'workout', { distance_m: 1801 }, { id })
  await library.backup()
  const last = lastBackup(data)
  expect(last.failed).toBeNull()
  writeFileSync(join(data, 'backup/last.json'), JSON.stringify({ ...last, count: 6 }))
  const differ = 'the numbers of 1 of 2 runs differ'
  expect((await library.backup()).out).toContain(differ)
  const failed = { error: `Of the backup, ${differ}` }
  expect(lastBackup(data)).toMatchObject({ count: 7, made: { isVerified: false }, failed })
})

test('what cannot be backed up is told, and the backups that are there stay', async () => {
  const { app, data, target, backup } = await prepared(2)
  await backup()
  const kept = filesBelow(target)
  const expectFailed = async (folder: string, error: string, from = data) => {
    expect(await on(from, ['backup', folder])).toMatchObject({ exitCode: 1, out: '' })
    expect(lastBackup(from).failed?.error).toBe(error)
  }
  const unmounted = join(root, 'unmounted')
  await expectFailed(unmounted, 'The backup folder cannot be reached')
  expect(existsSync(unmounted)).toBe(false)
  const other = folderNamed('other')
  await using second = await libraryIn(other, { fresh: true })
  await expectFailed(target, 'There is no account yet, so there is nothing to back up', other)
  await second.ok('POST', '/auth/register', { username: 'b', password: 'correct-horse-battery-staple' })
  await expectFailed(target, 'The backup folder has backups of another library: use an empty one', other)

  // damage in the middle of the file, as a failing card leaves it
  checkpointed(app.deps)
  closed(app.deps)
  const path = join(data, 'harrier.sqlite')
  const bytes = readFileSync(path)
  bytes.fill(0xff, 8192, bytes.length - 8192)
  writeFileSync(path, bytes)
  const damaged = 'The database is damaged and is only read; save what an export gives, then restore a backup'
  await expectFailed(target, damaged)
  expect(lastBackup(data).made?.isVerified).toBe(true)
  expect(filesBelow(target)).toEqual(kept)
  app.deps.worker.close()
})
