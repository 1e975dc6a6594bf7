import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { restored } from '../archive/archives.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { command } from './real-server.ts'

const folder = tempFolder()

const run = (file: string, dataDir = folder) => {
  return command(['backup', file], { DATA_DIR: dataDir })
}

test('a backup of a data folder in use is read once more, and restores', async () => {
  await using app = await testApp({ db: openDb(join(folder, 'harrier.sqlite')) })
  // the files of a test app are in a folder of their own
  const { dataDir } = app.deps.config
  const ids: string[] = []
  for (const n of [0, 1]) {
    const bytes = fitRun({ startMs: START_MS + n * 1e8 })
    ids.push((await app.upload('/workouts/import', [{ name: `${n}.fit`, bytes }])).json.id)
  }
  await app.upload(`/workouts/${ids[0]}/media`, [{ name: 'a.jpg', bytes: jpeg(5000) }])
  app.deps.db.$client.run('PRAGMA wal_checkpoint(PASSIVE)')
  Bun.spawnSync(['cp', '-r', join(dataDir, 'files'), folder])

  const file = join(folder, 'backup.zip')
  const made = await run(file)
  expect(made).toEqual({ exitCode: 0, out: expect.stringContaining('2 workouts'), err: '' })
  expect(made.out).toContain('3 originals and photos')
  expect(await run(file)).toMatchObject({ exitCode: 1, err: `${file} exists already\n` })

  await using target = await testApp()
  const bytes = new Uint8Array(readFileSync(file))
  expect((await restored(target, bytes)).json).toMatchObject({
    success: true,
    statistics: { workouts: { imported: 2 } },
  })
})

test('what cannot be: no database', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'))
  const target = join(empty, 'x.zip')
  expect(await run(target, empty)).toMatchObject({ exitCode: 1, err: `There is no database in ${empty}\n` })
  expect(existsSync(target)).toBe(false)
})
