import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../app.ts'
import { archiveOf, exported } from '../archive/archives.ts'
import { library } from '../archive/restore/restoring.ts'
import { tempoLibrary } from '../archive/restore/tempo-archive.ts'
import { tempFolder } from '../temp-folder.ts'
import { command, SOURCES } from './real-server.ts'

const folder = tempFolder()
/** Where the command may write, and must leave nothing. */
const scratch = join(folder, 'scratch')
const good = join(folder, 'good.zip')
let bytes: Uint8Array

beforeAll(async () => {
  mkdirSync(scratch)
  await using app = await testApp()
  await library(app)
  bytes = await exported(app)
  writeFileSync(good, bytes)
})

async function ran(...args: string[]) {
  return { ...(await command(['verify', ...args], { TMPDIR: scratch }, folder)), left: readdirSync(scratch) }
}

test('an archive that restores: a table, one last line, code 0, and nothing is left', async () => {
  const { out, ...about } = await ran(good)
  expect(about).toEqual({ exitCode: 0, err: '', left: [] })
  expect(out.split('\n')[0]).toMatch(/^\/.*good\.zip: \d+ bytes, written 2025-11-20T13:05:11Z by Harrier /)
  expect(out).toMatch(/^ {2}samples +2402 +2402 +2402$/m)
  expect(out).toEndWith('\nEverything in the archive was restored and is identical.\n')
  // neither data folder nor database where the command was called
  expect(readdirSync(folder).sort()).toEqual(['good.zip', 'scratch'])
})

test('an archive of the earlier service, whose samples a Worker reads out of its originals', async () => {
  const path = join(folder, 'tempo.zip')
  writeFileSync(path, await archiveOf(tempoLibrary()))
  const { out, ...about } = await ran(path)
  expect(about).toEqual({ exitCode: 0, err: '', left: [] })
  expect(out).toMatch(/^ {2}routes +1 +1 +rebuilt$/m)
})

test('a difference: named, code 1, nothing is left', async () => {
  const path = join(folder, 'damaged.zip')
  const damaged = bytes.slice()
  const name = Buffer.from(damaged).indexOf('a.jpg')
  damaged[name + 50]! ^= 255
  writeFileSync(path, damaged)
  const { out, ...about } = await ran(path)
  expect(about).toEqual({ exitCode: 1, err: '', left: [] })
  expect(out).toContain('a.jpg: The file is damaged in the ZIP archive\n')
  expect(out).toMatch(/\n\d+ differences: the restored library differs from the archive\.\n$/)
})

test('what is not an archive: one sentence, code 1, nothing is left', async () => {
  const words = join(folder, 'words.zip')
  writeFileSync(words, 'words')
  const cut = join(folder, 'cut.zip')
  writeFileSync(cut, bytes.slice(0, 5000))
  for (const path of [words, cut, join(folder, 'none.zip'), folder]) {
    const { err, ...about } = await ran(path)
    expect(about).toEqual({ exitCode: 1, out: '', left: [] })
    expect(err).toStartWith(`${path}: `)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  }
})

test('a signal in the middle leaves nothing, as of a backup', async () => {
  const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch }
  const verify = Bun.spawn([...SOURCES, 'verify', good], { cwd: folder, stdout: 'ignore', env })
  const deadlineMs = performance.now() + 60_000
  while (readdirSync(scratch).length === 0 && performance.now() < deadlineMs) await Bun.sleep(1)
  expect(readdirSync(scratch)).toHaveLength(1)
  verify.kill('SIGTERM')
  expect(await verify.exited).toBe(143)
  expect(readdirSync(scratch)).toEqual([])
})
