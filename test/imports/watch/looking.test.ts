import { expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { removeRows } from '../../library/as-stored.ts'
import { watchedFolder } from './watched.ts'

const DAY_MS = 864e5
const runOf = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })

test('a file written in three pieces 3 s apart, or renamed when it is complete, is imported once; an empty one never', async () => {
  await using watched = await watchedFolder()
  const { app, folder } = watched
  const bytes = fitRun()
  const third = Math.ceil(bytes.length / 3)
  watched.put('b.fit.part', runOf(1))
  watched.put('empty.fit', '')
  for (const [at, seconds] of [3, 3, 3, 1, 1, 6].entries()) {
    appendFileSync(join(folder, 'run.fit'), bytes.subarray(at * third, (at + 1) * third))
    await watched.look()
    expect(await watched.runs()).toBe(0)
    app.pass(seconds * 1000)
  }
  renameSync(join(folder, 'b.fit.part'), join(folder, 'b.fit'))
  for (let looks = 0; looks < 5; looks += 1) {
    app.pass(10_000)
    await watched.look()
  }
  expect(await watched.files()).toMatchObject([
    { name: 'b.fit', outcome: 'created' },
    { name: 'run.fit', sizeBytes: bytes.length, outcome: 'created' },
  ])
  expect(await watched.runs()).toBe(2)
})

test('only what may be a run is looked at, eight folders deep, and no link out of the folder is followed', async () => {
  await using watched = await watchedFolder()
  const { folder } = watched
  const outside = mkdtempSync(join(tmpdir(), 'harrier-outside-'))
  writeFileSync(join(outside, 'secret.fit'), runOf(9))
  const never = [
    ...['.run.fit', '~run.fit', 'run.fit.part', 'run.fit.partial', 'run.fit.TMP', 'run.fit.crdownload', 'a.filepart'],
    ...['notes.txt', 'Thumbs.db', 'desktop.ini', '.stversions/a.fit', '.stfolder/a.fit', '@eaDir/a.fit'],
    ...['.Trash-1000/a.fit', '#recycle/a.fit', '$RECYCLE.BIN/a.fit', 'System Volume Information/a.fit'],
    '1/2/3/4/5/6/7/8/9/a.fit',
  ]
  for (const name of never) watched.put(name, runOf(8))
  symlinkSync(join(outside, 'secret.fit'), join(folder, 'link.fit'))
  symlinkSync(outside, join(folder, 'elsewhere'))
  symlinkSync('.', join(folder, 'round'))
  watched.put('A.FIT', runOf(0))
  watched.put('1/2/3/4/5/6/7/8/b.fit.GZ', gzipSync(runOf(1)))
  watched.put('.hidden/c.gpx', gpxRun({ startMs: START_MS - 2 * DAY_MS }))
  symlinkSync('.hidden/c.gpx', join(folder, 'inside.gpx'))
  watched.put('run.sync-conflict-20251120-1.fit', runOf(0))
  await watched.settle()
  expect((await watched.files()).map(({ name, outcome }) => [name, outcome])).toEqual([
    ['1/2/3/4/5/6/7/8/b.fit.GZ', 'created'],
    ['A.FIT', 'created'],
    ['inside.gpx', 'created'],
    ['run.sync-conflict-20251120-1.fit', 'skipped'],
  ])
  rmSync(outside, { recursive: true })
})

test('a name that is not UTF-8 is an error under a printable one, until the file is renamed', async () => {
  await using watched = await watchedFolder()
  const { folder } = watched
  const odd = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.fit')])
  writeFileSync(odd, runOf(0))
  await watched.settle()
  const reason = 'Its name is not UTF-8, so it cannot be opened; rename it'
  const files = await watched.files()
  expect(files).toMatchObject([{ name: 'caf\\xE9.fit', outcome: 'error', reason, nextAt: null }])
  const again = await watched.app.call('POST', `/watch-folder/files/${files[0].id}/import`)
  expect([again.status, again.json]).toEqual([400, expect.objectContaining({ error: reason })])
  renameSync(odd, join(folder, 'cafe.fit'))
  await watched.settle()
  expect(await watched.files()).toMatchObject([{ name: 'cafe.fit', outcome: 'created' }])
})

test('rounds over a folder that cannot be written change nothing in it', async () => {
  await using watched = await watchedFolder({ env: { WATCH_SETTLE_S: '0' } })
  const { app, folder } = watched
  watched.put('a.fit', runOf(0))
  watched.put('2025/b.fit', runOf(1))
  watched.put('broken.fit', 'no run')
  watched.put('takeout.zip', 'PK\x03\x04 and nothing')
  const all = () => ['', ...(readdirSync(folder, { recursive: true }) as string[])].map((name) => join(folder, name))
  // read long ago: the next reading would move that time
  for (const path of all().slice(1)) utimesSync(path, 1_600_000_000, 1_700_000_000)
  for (const path of all()) chmodSync(path, lstatSync(path).isDirectory() ? 0o555 : 0o444)
  /** Names, modes, times and bytes; of folders not the time of their last reading. */
  const state = () =>
    all().map((path) => {
      const { mode, nlink, size, mtimeMs, ctimeMs, atimeMs, ino } = lstatSync(path)
      const ofFile = lstatSync(path).isFile() ? [size, atimeMs] : []
      return [path, mode, nlink, mtimeMs, ctimeMs, ino, ...ofFile]
    })
  const before = state()
  for (let round = 0; round < 20; round += 1) {
    // what was decided is forgotten now and then, so that every round reads
    if (round % 10 === 0) removeRows(app.deps, 'watch_file')
    await watched.look(round % 2 === 0)
    app.pass(60_000)
  }
  expect(state()).toEqual(before)
  expect((await watched.status()).counts).toMatchObject({ skipped: 2, errors: 2, waiting: 0 })
  for (const path of all()) chmodSync(path, 0o755)
})

test('a folder that vanishes and returns loses nothing; its state shows both', async () => {
  await using watched = await watchedFolder()
  const { app, folder } = watched
  watched.put('a.fit', runOf(0))
  watched.put('2025/b.fit', runOf(1))
  watched.put('broken.fit', 'no run')
  await watched.settle()
  const files = await watched.files()
  const state = async () => (await watched.status()).folders
  const startedAt = (await state())[0].since
  for (const leave of [() => {}, () => mkdirSync(folder)]) {
    renameSync(folder, `${folder}-gone`)
    // a mount that is gone leaves the empty folder behind that it was mounted on
    leave()
    const since = new Date(app.clock.nowMs).toISOString().replace('.000', '')
    for (let looks = 1; looks <= 4; looks += 1) {
      await watched.look(looks !== 2)
      expect(await state()).toMatchObject([{ path: folder, state: looks < 3 ? 'watching' : 'unreachable' }])
      app.pass(60_000)
    }
    expect(await state()).toMatchObject([{ since }])
    expect(await watched.files()).toEqual(files)
    rmSync(folder, { recursive: true, force: true })
    renameSync(`${folder}-gone`, folder)
    await watched.look(true)
    expect(await state()).toMatchObject([{ state: 'watching' }])
  }
  expect((await state())[0].since > startedAt).toBe(true)
  await watched.settle()
  expect(await watched.files()).toEqual(files)
  expect(await watched.runs()).toBe(2)
})

test('it looks automatically, sooner for files that are about to be settled', async () => {
  await using watched = await watchedFolder({ env: { WATCH_INTERVAL_S: '300' } })
  const { app } = watched
  const at = (ms: number) => new Date(ms).toISOString().replace('.000', '')
  app.watch.start()
  await app.watch.rest()
  const startMs = app.clock.nowMs
  expect(await watched.status()).toMatchObject({ lastLookAt: at(startMs), nextLookAt: at(startMs + 300_000) })
  watched.put('a.fit', runOf(0))
  app.pass(300_000)
  await app.watch.rest()
  expect(await watched.status()).toMatchObject({ counts: { waiting: 1 }, nextLookAt: at(startMs + 310_000) })
  app.pass(10_000)
  await app.watch.rest()
  expect(await watched.status()).toMatchObject({ counts: { created: 1 }, nextLookAt: at(startMs + 610_000) })
})
