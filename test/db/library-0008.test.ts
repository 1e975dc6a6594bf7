// A library as schema 0008 left it, written by the code of then, with every answer that code gave: a migration changes none.
import { expect, test } from 'bun:test'
import { dropRawCopies } from '../../src/library/files/raw-copies.ts'
import type { TestApp } from '../app.ts'
import { dataOf, type Entries, entriesOf, exported, textOf } from '../archive/archives.ts'
import { difference, hashed, isObject } from '../library/net/answers.ts'
import { LIBRARIES, opened, unpacked } from '../library/net/library.ts'

interface Recorded {
  readonly status: number
  readonly type: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Library extends AsyncDisposable {
  /** With the session of the library's own runner. */
  readonly app: TestApp
  readonly answers: Readonly<Record<string, Recorded>>
}

/** The library, migrated, at the time of the answers. */
async function library(): Promise<Library> {
  const app = await opened(LIBRARIES['0008'])
  const answers = JSON.parse(unpacked(LIBRARIES['0008']).get('answers.json')!.toString('utf8'))
  return { app, answers, [Symbol.asyncDispose]: app.close }
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
    body: type?.includes('json') === true ? JSON.parse(new TextDecoder().decode(bytes)) : hashed(bytes),
  }
}

test('opening the library gives every route its trace', async () => {
  await using opened = await library()
  const { $client: client } = opened.app.deps.db
  const untraced = client.query('SELECT workout_id FROM workout_route WHERE trace IS NULL')
  expect(untraced.all()).toEqual([])
  expect(client.query('SELECT 1 FROM workout_route').values().length).toBeGreaterThan(3)
})

/** Members that answers have had since. */
const ADDED: readonly string[] = [
  ...['sources', 'fieldSources', 'corrections', 'stated', 'suggestedRunType', 'isUnconfirmed', 'shortRuns'],
  ...['leftOut', 'isPlausible', 'implausibleReason', 'isRecord', 'counts', 'totals', 'runsWithoutEffort'],
  ...['load', 'loadSource', 'scope', 'lastUpload', 'receiptId'],
]
/** Of the days, which others had before. */
const ADDED_TO_DAYS: readonly string[] = [...ADDED, 'elevGainM']

const ADDED_TO_SHOES: readonly string[] = ['retiredAt', 'retireAtM', 'runs', 'avgPaceS', 'firstRun', 'lastRun']

const ADDED_TO_MEDIA: readonly string[] = [...ADDED, 'lat', 'lon', 'placedBy']

/** Slopes are those of the present engine. */
const ADDED_TO_SAMPLES: readonly string[] = [...ADDED, 'gapPaceS', 'gradePercent']

/** Rows are chosen by grade-adjusted pace, which is smoothed otherwise in these runs, whose times have fractions. */
const OTHER_ROWS = /0000000000(04|05|08|10|11)\/samples\?maxPoints=/

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
  for (const [call, before] of calls.filter(([call]) => !OTHER_ROWS.test(call))) {
    const isDaily = call.startsWith('GET /stats/daily')
    const ofRuns = call.includes('/samples') ? ADDED_TO_SAMPLES : call.endsWith('/media') ? ADDED_TO_MEDIA : ADDED
    const added = isDaily ? ADDED_TO_DAYS : call === 'GET /shoes' ? ADDED_TO_SHOES : ofRuns
    const without = withoutAdded(before, added)
    const found = difference(without, withoutAdded(await asked(opened, call, before), added))
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
  if (name.startsWith('workouts/')) return hashed(entries.get(name)!)
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
    return [id, { rows: sorted.length, sha256: hashed(sorted.join('\n')).$bytes.slice(0, 16) }]
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
    // what explains the archive says it in other words
    const found = name === 'README.txt' && now !== undefined ? null : difference(body, now, { isAdditive: true })
    if (found !== null) differences.push(`${name} ${found}`)
  }
  expect(differences).toEqual([])
  expect(files.length).toBeGreaterThan(60)
})
