// A backup as one archive: it restores; one that is stopped leaves nothing, one that is killed nothing that the next one
// would not remove.
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { restored } from '../archive/archives.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { command, PROGRAM } from './real-server.ts'

const folder = tempFolder()
/** Large enough that a backup is met at work: written, then read once more. */
const PHOTO_BYTES = 100_000_000

const place = () => mkdtempSync(join(folder, 'backups-'))
const run = (file: string, dataDir: string) => command(['backup', file], { DATA_DIR: dataDir })

function started(dataDir: string, file: string) {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir }
  return Bun.spawn([...PROGRAM, 'backup', file], { env, stdout: 'ignore', stderr: 'ignore' })
}

/** @returns what is in the folder once the archive has begun to be written */
async function atWork(backups: string): Promise<string[]> {
  for (const deadlineMs = performance.now() + 60_000; ; await Bun.sleep(1)) {
    const names = readdirSync(backups)
    // a folder is made under one name and renamed as soon as it is locked
    const begun = names.some((name) => existsSync(join(backups, name, 'unfinished.zip')))
    if (begun || performance.now() > deadlineMs) return names
  }
}

test('a backup of a data folder in use is read once more, and restores; stopped it leaves nothing', async () => {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  await using app = await testApp({ dataDir, db: openDb(join(dataDir, 'harrier.sqlite')) })
  const id = await app.run(fitRun())
  await app.run(fitRun({ startMs: START_MS + 1e8 }))
  const { json: photos } = await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(5000) }])
  const file = join(place(), 'backup.zip')
  const made = await run(file, dataDir)
  expect(made).toEqual({ exitCode: 0, out: expect.stringContaining('2 workouts'), err: '' })
  expect(made.out).toContain('3 originals and photos')
  expect(await run(file, dataDir)).toMatchObject({ exitCode: 1, err: `${file} exists already\n` })
  await using target = await testApp()
  const counts = { workouts: { imported: 2 } }
  expect((await restored(target, readFileSync(file))).json).toMatchObject({ success: true, statistics: counts })

  writeFileSync(join(dataDir, 'files/media', photos[0].id), Buffer.alloc(PHOTO_BYTES))
  for (const [signal, exitCode] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const backups = place()
    const backup = started(dataDir, join(backups, 'a.zip'))
    expect(await atWork(backups)).toEqual([expect.stringMatching(/^\.harrier-backup-/)])
    backup.kill(signal)
    expect([await backup.exited, readdirSync(backups)]).toEqual([exitCode, []])
  }

  // what a killed one left is removed by the next one, whatever its name; that of one at work is not
  const backups = place()
  const killed = started(dataDir, join(backups, 'monday.zip'))
  await atWork(backups)
  killed.kill('SIGKILL')
  await killed.exited
  const [left] = readdirSync(backups)
  expect(readdirSync(join(backups, left!)).sort()).toEqual(['lock', 'unfinished.zip'])
  // folders of that name that another program created stay: without a lock, and behind a link
  const elsewhere = place()
  writeFileSync(join(elsewhere, 'lock'), 'words')
  symlinkSync(elsewhere, join(backups, '.harrier-backup-link'))
  mkdirSync(join(backups, '.harrier-backup-plain'))
  const both = ['tuesday.zip', 'wednesday.zip'].map((name) => started(dataDir, join(backups, name)))
  expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0])
  const stays = ['.harrier-backup-link', '.harrier-backup-plain', 'tuesday.zip', 'wednesday.zip']
  expect(readdirSync(backups).sort()).toEqual(stays)
  expect(readFileSync(join(elsewhere, 'lock'), 'utf8')).toBe('words')
}, 120_000)

test('without a database there is nothing to back up', async () => {
  const empty = place()
  expect(await run(join(empty, 'x.zip'), empty)).toMatchObject({
    ...{ exitCode: 1, err: `There is no database in ${empty}\n` },
  })
  expect(readdirSync(empty)).toEqual([])
})
