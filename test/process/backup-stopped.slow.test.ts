// A backup that is stopped leaves nothing, one that is killed nothing that the next one would not remove.
import { beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { media } from '../../src/db/schema.ts'
import { addWorkout } from '../library/feature-app.ts'
import { tempFolder } from '../temp-folder.ts'
import { PROGRAM } from './real-server.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const folder = tempFolder()
const dataDir = join(folder, 'data')
const WORKOUT = '0198b000-0000-7000-8000-000000000001'
const PHOTO = '0198b000-0000-7000-8000-000000000002'

/** Large enough that a backup is met at work: written, then read once more. */
const PHOTO_BYTES = 100_000_000

beforeAll(() => {
  mkdirSync(join(dataDir, 'files', 'media'), { recursive: true })
  const db = openDb(join(dataDir, 'harrier.sqlite'))
  addWorkout({ db }, { id: WORKOUT })
  const about = { filename: 'a.jpg', mimeType: 'image/jpeg', fileSizeBytes: PHOTO_BYTES, createdAt: 0 } as const
  db.insert(media)
    .values({ ...about, id: PHOTO, workoutId: WORKOUT })
    .run()
  db.$client.close()
  writeFileSync(join(dataDir, 'files', 'media', PHOTO), Buffer.alloc(PHOTO_BYTES))
})

const place = () => mkdtempSync(join(folder, 'backups-'))

function started(target: string) {
  return Bun.spawn([...PROGRAM, 'backup', target], {
    ...{ cwd: ROOT, stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
  })
}

/** @returns once the archive has begun to be written */
async function atWork(backups: string): Promise<string[]> {
  const deadlineMs = performance.now() + 60_000
  for (;;) {
    const names = readdirSync(backups)
    // a folder is made under one name and renamed as soon as it is locked
    const begun = names.some((name) => existsSync(join(backups, name, 'unfinished.zip')))
    if (begun || performance.now() > deadlineMs) return names
    await Bun.sleep(1)
  }
}

for (const [signal, exitCode] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} in the middle leaves nothing`, async () => {
    const backups = place()
    const backup = started(join(backups, 'a.zip'))
    expect(await atWork(backups)).toEqual([expect.stringMatching(/^\.harrier-backup-/)])
    backup.kill(signal)
    expect(await backup.exited).toBe(exitCode)
    expect(readdirSync(backups)).toEqual([])
  })
}

test('what a killed backup left is removed by the next one, whatever its name; that of one at work is not', async () => {
  const backups = place()
  const killed = started(join(backups, 'monday.zip'))
  await atWork(backups)
  killed.kill('SIGKILL')
  await killed.exited
  const [left] = readdirSync(backups)
  expect(readdirSync(join(backups, left!)).sort()).toEqual(['lock', 'unfinished.zip'])

  const [tuesday, wednesday] = [started(join(backups, 'tuesday.zip')), started(join(backups, 'wednesday.zip'))]
  expect(await Promise.all([tuesday.exited, wednesday.exited])).toEqual([0, 0])
  expect(readdirSync(backups).sort()).toEqual(['tuesday.zip', 'wednesday.zip'])
})

test('folders of that name that another program created stay: without a lock, and behind a link', async () => {
  const [backups, elsewhere] = [place(), place()]
  writeFileSync(join(elsewhere, 'lock'), 'words')
  symlinkSync(elsewhere, join(backups, '.harrier-backup-link'))
  mkdirSync(join(backups, '.harrier-backup-plain'))
  expect(await started(join(backups, 'a.zip')).exited).toBe(0)
  expect(readdirSync(backups).sort()).toEqual(['.harrier-backup-link', '.harrier-backup-plain', 'a.zip'])
  expect(readFileSync(join(elsewhere, 'lock'), 'utf8')).toBe('words')
})
