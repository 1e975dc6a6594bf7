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
let bytes: Uint8Array

beforeAll(async () => {
  mkdirSync(scratch)
  await using app = await testApp()
  await library(app)
  bytes = await exported(app)
})

async function ran(name: string, archive: Uint8Array | null) {
  const path = join(folder, name)
  if (archive !== null) writeFileSync(path, archive)
  const { exitCode, out, err } = await command(['verify', path], { TMPDIR: scratch }, folder)
  // nothing is left
  expect(readdirSync(scratch)).toEqual([])
  return { path, exitCode, out, err }
}

function damaged(): Uint8Array {
  const copy = bytes.slice()
  copy[Buffer.from(copy).indexOf('a.jpg') + 50]! ^= 255
  return copy
}

const VERDICTS: readonly (readonly [
  what: string,
  archive: () => Uint8Array | Promise<Uint8Array>,
  exitCode: number,
  said: readonly RegExp[],
])[] = [
  [
    'an archive that restores: a table, one last line',
    () => bytes,
    0,
    [
      /^\/.*a\.zip: \d+ bytes, written 2025-11-20T13:05:11Z by Harrier /,
      /^ {2}samples +2402 +2402 +2402$/m,
      /\nEverything in the archive was restored and is identical\.\n$/,
    ],
  ],
  // its samples are read by a Worker out of its originals
  ['an archive of the earlier service', () => archiveOf(tempoLibrary()), 0, [/^ {2}routes +1 +1 +rebuilt$/m]],
  [
    'a difference, which is named',
    damaged,
    1,
    [
      /a\.jpg: The file is damaged in the ZIP archive\n/,
      /\n\d+ differences: the restored library differs from the archive\.\n$/,
    ],
  ],
]

test.each(VERDICTS)('verify of %s', async (_, archive, exitCode, said) => {
  const { out, path, ...about } = await ran('a.zip', await archive())
  expect(about).toEqual({ exitCode, err: '' })
  for (const line of said) expect(out).toMatch(line)
  // neither data folder nor database where the command was called
  expect(readdirSync(folder).sort()).toEqual(['a.zip', 'scratch'])
})

test('what is not an archive: one sentence, code 1', async () => {
  for (const [name, archive] of [
    ['words.zip', Buffer.from('words')],
    ['cut.zip', bytes.slice(0, 5000)],
    ['none.zip', null],
    ['', null],
  ] as const) {
    const { path, err, ...about } = await ran(name, archive)
    expect(about).toEqual({ exitCode: 1, out: '' })
    expect(err).toStartWith(`${path}: `)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  }
})

test('a signal in the middle leaves nothing, as of a backup', async () => {
  const good = join(folder, 'good.zip')
  writeFileSync(good, bytes)
  const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch }
  const verify = Bun.spawn([...SOURCES, 'verify', good], { cwd: folder, stdout: 'ignore', env })
  const deadlineMs = performance.now() + 60_000
  while (readdirSync(scratch).length === 0 && performance.now() < deadlineMs) await Bun.sleep(1)
  expect(readdirSync(scratch)).toHaveLength(1)
  verify.kill('SIGTERM')
  expect([await verify.exited, readdirSync(scratch)]).toEqual([143, []])
})
