import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../app.ts'
import { archiveOf, exported } from '../archive/archives.ts'
import { library } from '../archive/restore/restoring.ts'
import { tempoLibrary } from '../archive/restore/tempo-archive.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'harrier-verify-test-'))
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
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The command as package.json runs it, where nothing else is configured. */
function started(args: readonly string[]) {
  return Bun.spawn([process.execPath, `${ROOT}src/main.ts`, 'verify', ...args], {
    ...{ cwd: folder, stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env.PATH ?? '', TMPDIR: scratch },
  })
}

async function ran(...args: string[]) {
  const process = started(args)
  const [out, err] = await Promise.all([new Response(process.stdout).text(), new Response(process.stderr).text()])
  return { exitCode: await process.exited, out, err, left: readdirSync(scratch) }
}

test('an archive that restores: a table, one last line, code 0, and nothing is left', async () => {
  const { out, ...about } = await ran(good)
  expect(about).toEqual({ exitCode: 0, err: '', left: [] })
  expect(out.split('\n')[0]).toMatch(/^\/.*good\.zip: \d+ bytes, written 2025-11-20T13:05:11Z by Harrier /)
  expect(out).toMatch(/^ {2}samples +2402 +2402 +2402$/m)
  expect(out).toEndWith('\nEverything in the archive was restored and is equal.\n')
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
  expect(out).toMatch(/\n\d+ differences: the archive does not restore to what it says\.\n$/)
})

test('what is no archive: one sentence, code 1, nothing is left', async () => {
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

test('wrong usage is code 2', async () => {
  for (const args of [[], [good, good], ['--help']]) {
    expect(await ran(...args)).toEqual({ exitCode: 2, out: '', err: 'Usage: bun run verify <file>\n', left: [] })
  }
})

test('a signal in the middle leaves nothing, as of a backup', async () => {
  const process = started([good])
  const deadlineMs = performance.now() + 60_000
  while (readdirSync(scratch).length === 0 && performance.now() < deadlineMs) await Bun.sleep(1)
  expect(readdirSync(scratch)).toHaveLength(1)
  process.kill('SIGTERM')
  expect(await process.exited).toBe(143)
  expect(readdirSync(scratch)).toEqual([])
})
