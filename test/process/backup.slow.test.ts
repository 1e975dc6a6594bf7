import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { restored } from '../archive/archives.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'harrier-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The command as package.json runs it. */
function run(file: string | null, dataDir = folder) {
  const args = file === null ? [] : [file]
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, `${ROOT}src/main.ts`, 'backup', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
  })
  return { exitCode, out: stdout.toString(), err: stderr.toString() }
}

test('a backup of a data folder in use is read once more, and restores', async () => {
  await using app = await testApp({ db: openDb(join(folder, 'harrier.sqlite')) })
  // the files of a test app lie in a folder of their own
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
  const made = run(file)
  expect(made).toEqual({ exitCode: 0, out: expect.stringContaining('2 workouts'), err: '' })
  expect(made.out).toContain('3 originals and photos')
  expect(run(file)).toMatchObject({ exitCode: 1, err: `${file} exists already\n` })

  await using target = await testApp()
  const bytes = new Uint8Array(readFileSync(file))
  expect((await restored(target, bytes)).json).toMatchObject({
    success: true,
    statistics: { workouts: { imported: 2 } },
  })
})

test('what cannot be: no file named, no database', () => {
  expect(run(null)).toMatchObject({ exitCode: 1, err: 'Usage: bun run backup <file>\n' })
  const empty = mkdtempSync(join(folder, 'empty-'))
  const target = join(empty, 'x.zip')
  expect(run(target, empty)).toMatchObject({ exitCode: 1, err: `There is no database in ${empty}\n` })
  expect(existsSync(target)).toBe(false)
})
