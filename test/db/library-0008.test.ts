// A library as schema 0008 left it, written by the code of then, with every answer that code gave: a migration changes none.
import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { signToken } from '../../src/auth/sessions.ts'
import { SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/open.ts'
import { dropRawCopies } from '../../src/library/files/raw-copies.ts'
import { RUNNER, type TestApp, testApp } from '../app.ts'
import { dataOf, type Entries, entriesOf, exported, textOf } from '../archive/archives.ts'

/** When the answers were recorded: the evening of the day on which the library was filled. */
const RECORDED_MS = Date.UTC(2025, 10, 20, 21, 30)
const ENV = { BUILD_VERSION: '1.0.0-net', BUILD_DATE: '2025-11-20T00:00:00Z', GIT_COMMIT: 'net' }

interface Recorded {
  readonly status: number
  readonly type: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Every file of the fixture by its path: harrier.sqlite, files/… and answers.json. */
function fixture(): Map<string, Buffer> {
  // a line of JSON, [path, length] of each file, then their bytes
  const packed = Buffer.from(Bun.zstdDecompressSync(readFileSync(join(import.meta.dir, 'library-0008.zst'))))
  let at = packed.indexOf('\n') + 1
  const head: [string, number][] = JSON.parse(packed.toString('utf8', 0, at))
  return new Map(
    head.map(([path, length]) => {
      at += length
      return [path, packed.subarray(at - length, at)]
    }),
  )
}

/** What was read out of originals is packed in the fixture as a whole, and in the library one by one. */
function written(folder: string, path: string, bytes: Uint8Array): void {
  const isRawData = path.endsWith('.json')
  const target = join(folder, isRawData ? `${path}.zst` : path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, isRawData ? Bun.zstdCompressSync(bytes) : bytes)
}

interface Library extends AsyncDisposable {
  /** With the session of the library's own runner. */
  readonly app: TestApp
  readonly answers: Readonly<Record<string, Recorded>>
}

/** The library, migrated, and its files in the data folder of an app at the time of the answers. */
async function library(): Promise<Library> {
  const files = fixture()
  const folder = mkdtempSync(join(tmpdir(), 'harrier-0008-'))
  const path = join(folder, 'harrier.sqlite')
  writeFileSync(path, files.get('harrier.sqlite')!)
  const opened = await testApp({ db: openDb(path), fresh: true, env: ENV })
  opened.clock.nowMs = RECORDED_MS
  for (const [name, bytes] of files) {
    if (name.startsWith('files/')) written(opened.deps.config.dataDir, name, bytes)
  }
  const { token } = await signToken(opened.deps, { userId: RUNNER.userId, version: 1, rememberMe: false })
  return {
    app: { ...opened, token },
    answers: JSON.parse(files.get('answers.json')!.toString('utf8')),
    [Symbol.asyncDispose]: async () => {
      await opened.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const sha256 = (bytes: Uint8Array | string) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const bytesOf = (bytes: Uint8Array) => ({ $bytes: sha256(bytes), $length: bytes.length })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/**
 * The first member in which two values differ, `.splits[2].paceS: 331.5, now 332`; null when none does.
 * @param additive members that are new are none
 */
function difference(before: unknown, now: unknown, additive = false, path = ''): string | null {
  if (Array.isArray(before) && Array.isArray(now)) {
    for (let i = 0; i < Math.max(before.length, now.length); i += 1) {
      const found = difference(before[i], now[i], additive, `${path}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(before) && isObject(now)) {
    for (const key of Object.keys(additive ? before : { ...before, ...now })) {
      const found = difference(before[key], now[key], additive, `${path}.${key}`)
      if (found !== null) return found
    }
    return null
  }
  return Object.is(before, now) ? null : `${path}: ${shown(before)}, now ${shown(now)}`
}

/** `GET /path`, or `GET /path [range: bytes=0-9]`. */
async function asked({ app }: Library, call: string, { headers = {} }: Recorded): Promise<Recorded> {
  const [, path = '', name, value] = /^GET (\S+)(?: \[([\w-]+): (.+)\])?$/.exec(call) ?? []
  const request = new Headers({ authorization: `Bearer ${app.token}` })
  if (name !== undefined) request.set(name, value ?? '')
  const response = await app.handle(new Request(`http://localhost${path}`, { headers: request }))
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    type,
    headers: Object.fromEntries(Object.keys(headers).map((key) => [key, response.headers.get(key) ?? ''])),
    body: type?.includes('json') === true ? JSON.parse(new TextDecoder().decode(bytes)) : bytesOf(bytes),
  }
}

test('the library of the fixture is of schema 8, and opening it brings it up to the newest', async () => {
  const version = fixture().get('harrier.sqlite')!.readUInt32BE(60)
  await using opened = await library()
  const { $client: client } = opened.app.deps.db
  expect([version, client.query('PRAGMA user_version').get()]).toEqual([8, { user_version: SCHEMA_VERSION }])
  expect(client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(client.query('PRAGMA foreign_key_check').all()).toEqual([])
  const untraced = client.query('SELECT workout_id FROM workout_route WHERE trace IS NULL')
  expect(untraced.all()).toEqual([])
  expect(client.query('SELECT 1 FROM workout_route').values().length).toBeGreaterThan(3)
})

/** Members that answers have had since. */
const ADDED: readonly string[] = [
  ...['leftOut', 'isPlausible', 'implausibleReason', 'isRecord', 'counts', 'totals', 'runsWithoutEffort'],
  ...['load', 'loadSource', 'scope', 'lastUpload', 'receiptId'],
]
/** Of the days, which others had before. */
const ADDED_TO_DAYS: readonly string[] = [...ADDED, 'elevGainM']

function withoutAdded(value: unknown, added = ADDED): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutAdded(one, added))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([key]) => !added.includes(key))
  return Object.fromEntries(members.map(([key, member]) => [key, withoutAdded(member, added)]))
}

test('every GET answers at least what it answered before the migration', async () => {
  await using opened = await library()
  const differences: string[] = []
  const calls = Object.entries(opened.answers).filter(([call]) => call.startsWith('GET '))
  for (const [call, before] of calls) {
    const added = call.startsWith('GET /stats/daily') ? ADDED_TO_DAYS : ADDED
    const found = difference(before, withoutAdded(await asked(opened, call, before), added))
    if (found !== null) differences.push(`${call} ${found}`)
  }
  expect(differences).toEqual([])
  expect(calls.length).toBeGreaterThan(700)
})

test('details answer the same once what originals give is no longer stored beside them', async () => {
  await using opened = await library()
  const stored = 'SELECT count(*) AS n FROM recording WHERE has_raw'
  const count = () => opened.app.deps.db.$client.query<{ n: number }, []>(stored).get()?.n ?? 0
  const before = count()
  await dropRawCopies(opened.app.deps, new AbortController().signal)
  expect(count()).toBeLessThan(before)
  const calls = Object.entries(opened.answers).filter(([call]) => /^GET \/workouts\/[\w-]{36}$/.test(call))
  const differences: string[] = []
  for (const [call, answer] of calls) {
    const found = difference(answer, withoutAdded(await asked(opened, call, answer)))
    if (found !== null) differences.push(`${call} ${found}`)
  }
  expect([differences, calls.length > 20]).toEqual([[], true])
})

const EXPORT = 'POST /workouts/export#'

/** A file of an archive in the form of the recording: rows by id, samples as one hash for each workout. */
function exportedFile(entries: Entries, name: string, before: unknown): unknown {
  if (!entries.has(name)) return undefined
  if (name.endsWith('.txt')) return textOf(entries, name)
  if (name.startsWith('workouts/')) return bytesOf(entries.get(name)!)
  const value = dataOf(entries, name)
  if (name === 'data/time-series.json') return digested(value, (before as { members: string[] }).members)
  if (Array.isArray(value)) value.sort((a, b) => (a.id < b.id ? -1 : 1))
  return value
}

/** @param members those that rows had then */
function digested(rows: readonly Record<string, unknown>[], members: readonly string[]) {
  const lines = Map.groupBy(
    rows.map((row) => [row.workoutId, JSON.stringify(members.map((member) => row[member]))] as const),
    ([id]) => String(id),
  )
  const workouts = [...lines].map(([id, texts]) => {
    const sorted = texts.map(([, text]) => text).sort()
    return [id, { rows: sorted.length, sha256: sha256(sorted.join('\n')).slice(0, 16) }]
  })
  return { members, workouts: Object.fromEntries(workouts) }
}

test('an export holds at least what it held before the migration', async () => {
  await using opened = await library()
  const entries = await entriesOf(opened.app, await exported(opened.app))
  const differences: string[] = []
  const files = Object.entries(opened.answers).filter(([call]) => call.startsWith(EXPORT))
  for (const [call, { body }] of files) {
    const name = call.slice(EXPORT.length)
    const now = exportedFile(entries, name, body)
    // what explains the archive may say more
    const isExplained =
      name === 'README.txt' &&
      String(body)
        .split('\n')
        .every((line) => String(now).includes(line))
    const found = isExplained ? null : difference(body, now, true)
    if (found !== null) differences.push(`${name} ${found}`)
  }
  expect(differences).toEqual([])
  expect(files.length).toBeGreaterThan(60)
})
