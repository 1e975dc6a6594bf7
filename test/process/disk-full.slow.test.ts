// A disk that runs full at every step of what writes: the answer says so, nothing is half-written, the service goes on, and
// the same request succeeds once there is space. The import of a file is in disk-full.test.ts.
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastBackup } from '../../src/base/last-backup.ts'
import { testApp } from '../app.ts'
import { exported } from '../archive/archives.ts'
import { filledLibrary } from '../archive/backups/library.ts'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'
import { namesIn } from '../library/whole.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, SOURCES } from './real-server.ts'
import {
  type Answered,
  diskTest,
  expectSound,
  FULL,
  longNotes,
  onDisk,
  REFUSED,
  type SmallDisk,
  untilRefused,
  way,
} from './small-disk.ts'

const { strava, run } = maker(randomOf('full'))
const bulk = strava(24)
const BULK = { runs: 24, photos: bulk.runs.reduce((sum, { photos }) => sum + photos.size, 0) }
const files = Array.from({ length: 6 }, run)
const PHOTOS = Array.from({ length: 8 }, (_, at) => [`${at}.jpg`, jpeg(15_000 + at)] as const)
const root = tempFolder()
let archive = new Uint8Array()

beforeAll(async () => {
  await using source = await testApp()
  await source.upload('/workouts/import/bulk', [bulk.zip])
  archive = await exported(source)
})

function severalFiles(several: readonly (readonly [string, Uint8Array])[]): RequestInit {
  const body = new FormData()
  for (const [name, bytes] of several) body.append('file', new File([bytes.slice()], name))
  return { method: 'POST', body }
}

interface Write {
  readonly name: string
  /** Each of its files is answered for itself, at any rate. */
  readonly isNeverRefused?: boolean
  /** By so much more is free with every try. */
  readonly stepKib: number
  readonly stored: { readonly runs: number; readonly photos: number }
  /** What is said, in an answer of 200, of what had no space. */
  readonly said: (json: Answered['json']) => readonly string[]
  write(disk: SmallDisk): Promise<Answered>
}

const errorsOf = (list: readonly { error: string }[]) => list.map(({ error }) => error)
const photosPath = async ({ send }: SmallDisk) => `/workouts/${(await send('/workouts')).json.items[0].id}/media`

const WRITES: readonly Write[] = [
  {
    ...{ name: 'a bulk import', stepKib: 96, stored: BULK },
    said: ({ errorDetails, warnings }) => [
      ...errorsOf(errorDetails),
      ...warnings.map(({ message }: { message: string }) => message),
    ],
    write: ({ send }) =>
      send('/workouts/import/bulk', oneFile('export.zip', new Uint8Array(bulk.zip.bytes as Uint8Array))),
  },
  {
    ...{ name: 'a restore', stepKib: 128, stored: BULK, said: ({ errors }) => errors },
    write: ({ send }) => send('/workouts/import/export', oneFile('archive.zip', archive)),
  },
  {
    ...{
      name: 'the import of several files',
      stepKib: 4,
      stored: { runs: files.length, photos: 0 },
      isNeverRefused: true,
    },
    said: ({ errorDetails }) => errorsOf(errorDetails),
    write: ({ send }) =>
      send('/workouts/import', severalFiles(files.map(({ file: { name, bytes } }) => [name, Buffer.from(bytes)]))),
  },
  {
    ...{ name: 'the upload of photos', stepKib: 28, stored: { runs: 1, photos: PHOTOS.length } },
    said: ({ errors = [] }) => errorsOf(errors),
    write: async (disk) => {
      const path = await photosPath(disk)
      const there: { filename: string }[] = (await disk.send(path)).json
      return await disk.send(path, severalFiles(PHOTOS.filter(([name]) => !there.some((one) => one.filename === name))))
    },
  },
]

for (const { name, stepKib, stored, said, write, isNeverRefused = false } of WRITES) {
  diskTest(`a full disk in ${name}`, async (disk) => {
    if (stored.runs === 1) await disk.send('/workouts/import', oneFile('a.fit', fitRun({ seconds: 60 })))
    const seen = new Set<string>()
    for (let freeKib = 0; !seen.has('complete'); freeKib += stepKib) {
      disk.fill(freeKib * 1024)
      const { status, json } = await write(disk)
      if (status !== 200) expect([status, json]).toEqual([507, REFUSED])
      const sentences = status === 200 ? said(json) : []
      for (const sentence of sentences) expect(sentence).toStartWith(FULL)
      seen.add(status !== 200 ? 'refused' : sentences.length > 0 ? 'in part' : 'complete')
      await expectSound(disk)
    }
    expect([...seen].toSorted()).toEqual(['complete', 'in part', ...(isNeverRefused ? [] : ['refused'])])
    expect(await expectSound(disk)).toEqual(stored)
  })
}

diskTest('an export needs no space', async (disk) => {
  await disk.send('/workouts/import/bulk', oneFile('export.zip', Buffer.from(bulk.zip.bytes)))
  const archive = async () => (await disk.server.call('/workouts/export', { method: 'POST' })).arrayBuffer()
  const before = (await archive()).byteLength
  disk.fill(0)
  // the same but for the moment of the export
  expect(Math.abs((await archive()).byteLength - before)).toBeLessThan(64)
  expect(await expectSound(disk)).toEqual(BULK)
  expect(namesIn(join(disk.copied(), 'tmp'))).toEqual([])
})

diskTest('a full disk in changes of a run and of settings: what was answered last holds', async (disk) => {
  const { id } = (await disk.send('/workouts/import', oneFile('a.fit', fitRun({ seconds: 60 })))).json
  const units = (attempt: number) => ({ unitPreference: attempt % 2 === 0 ? 'imperial' : 'metric' })
  disk.fill(0)
  for (const [method, path, before, bodyOf] of [
    ['PATCH', `/workouts/${id}`, { notes: null }, longNotes],
    ['PUT', '/settings/unit-preference', { unitPreference: 'metric' }, units],
  ] as const) {
    const taken = await untilRefused<object>(disk, [method, path], bodyOf)
    expect((await disk.send(path)).json).toMatchObject(taken ?? before)
    await expectSound(disk)
  }
  disk.empty()
  const json = { headers: { 'content-type': 'application/json' } }
  const short = await disk.send(`/workouts/${id}`, { ...json, method: 'PATCH', body: '{"notes":"short"}' })
  expect([short.status, short.json.notes]).toEqual([200, 'short'])
})

test.skipIf(way === null)(
  'a full backup disk and a read-only one: the older backups stay, the new one is not half there',
  async () => {
    const [data, disk] = [join(root, 'small'), join(root, 'disk')]
    mkdirSync(data)
    mkdirSync(disk)
    await using app = await filledLibrary(data, 4)
    // backups until the disk is full; then a list of what is there, and the check of it
    const script = `"$0" "$1" backup ${disk} || exit 9
    head -c 20000 /dev/urandom > ${data}/files/media/more && dd if=/dev/zero of=${disk}/filler bs=1k 2>/dev/null
    truncate -s -10k ${disk}/filler; "$0" "$1" backup ${disk} 2>&1
    ls ${disk} ${disk}/files; "$0" "$1" verify ${disk} || exit 8
    cp ${data}/backup/last.json ${root}/full.json; rm ${disk}/filler; mount -o remount,ro ${disk}
    "$0" "$1" backup ${disk} 2>&1; "$0" "$1" verify ${disk}`
    const child = Bun.spawn([...onDisk(way!, disk, '2m'), 'sh', '-c', script, ...SOURCES], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: data, TMPDIR: root },
      ...{ stdout: 'pipe', stderr: 'pipe' },
    })
    const out = await new Response(child.stdout).text()
    expect([await child.exited, out]).toEqual([0, expect.any(String)])
    for (const [said, times] of [
      [/The disk of the backup folder is full/g, 1],
      [/all right/g, 2],
      [/\.json/g, 1],
      [/EROFS: read-only file system, open/g, 1],
      [/unfinished/g, 1],
    ] as const)
      expect([said, out.match(said)?.length]).toEqual([said, times])
    const full = JSON.parse(readFileSync(join(root, 'full.json'), 'utf8'))
    expect(full.failed.error).toBe('The disk of the backup folder is full')
    expect(lastBackup(data)).toMatchObject({ count: 1, failed: { error: 'The backup folder cannot be written' } })
    expect(app.logged).toEqual([])
  },
  120_000,
)

test.skipIf(way === null)(
  'a full disk in verify: one sentence that names its folder, code 3, and nothing about the archive',
  async () => {
    const [scratch, good] = [join(root, 'scratch'), join(root, 'good.zip')]
    mkdirSync(scratch)
    await using app = await testApp()
    await app.run(fitRun({ seconds: 1200 }))
    await app.run(fitRun({ seconds: 1200, speedMps: 4 }))
    writeFileSync(good, await exported(app))
    const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch }
    const ended = new Set<number>()
    for (let size = 0; size <= 1536; size += 96) {
      const verify = [...onDisk(way!, scratch, `${Math.max(4, size)}k`), ...SOURCES, 'verify', good]
      const { exitCode, stdout, stderr } = Bun.spawnSync(verify, { cwd: root, env })
      ended.add(exitCode)
      if (exitCode === 0) continue
      const full = `${good}: The disk of ${scratch} is full; make space there, or set TMPDIR to a folder of another disk\n`
      expect([exitCode, stdout.toString()]).toEqual([3, ''])
      expect(stderr.toString()).toEndWith(full)
    }
    expect([...ended]).toEqual([3, 0])
  },
  120_000,
)
