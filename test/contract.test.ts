// http/calls.txt, call by call: the document names the statuses of its line and no others, a real request produces each
// of them, and every answer is what the document says.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../src/base/config.ts'
import { ERROR_CODES } from '../src/base/errors.ts'
import { comparePairs } from '../src/library/merging/pairs.ts'
import { type CallOptions, RUNNER, type TestApp, testApp } from './app.ts'
import { exported } from './archive/archives.ts'
import { stravaCsv } from './fixtures/csv.ts'
import { healthExport, healthRun } from './fixtures/health.ts'
import { png } from './fixtures/media.ts'
import { fitRun, START_MS } from './fixtures/runs.ts'
import { zipUpload } from './fixtures/strava-zip.ts'
import { type Document, departures, type Operation, operationsOf, rulesOf } from './http/document.ts'
import { bytesOf, loseAllBut, setRows } from './library/as-stored.ts'
import { copyOfDb } from './library/memory-db.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

/** A stream never ends, and its first bytes say all that the document does. */
const ENDLESS = 'get /events'
/** Its answers are those of the server of the tiles. */
const OUTSIDE = 'get /map/tiles/{z}/{x}/{y}'
/** Its success leads a browser on. */
const LEADING = 'post /share'
/** intervals.icu with one run. */
const SERVICE = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => {
    if (url.endsWith('/file')) return new Response(fitRun({ seconds: 790 }).slice())
    const start = new Date().toISOString().slice(0, 19)
    return Response.json(
      url.includes('activities') ? [{ id: 'i1', type: 'Run', start_date_local: start }] : { id: 'i0' },
    )
  },
})
afterAll(() => SERVICE.stop(true))
/** Kinds of the receipts that operations leave when they change something; others leave none (docs/ways.md A.1). */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  import: [
    ...['post /workouts/import', 'post /workouts/import/raw', 'post /workouts/import/bulk', 'post /share'],
    ...['post /workouts/import/export', 'post /workouts/import/health', 'post /watch-folder/files/{id}/import'],
    ...['post /in/{key}', 'put /in/{key}', 'post /in/{key}/{name}', 'put /in/{key}/{name}'],
    ...['post /settings/sync/intervals-icu/run', 'post /workouts/import/archive'],
  ],
  manual: ['post /workouts'],
  edit: [
    ...['patch /workouts/{id}', 'patch /workouts/{id}/best-efforts/{distanceM}'],
    ...['patch /workouts/{id}/media/{mediaId}', 'put /workouts/{id}/intervals', 'post /truth/marks'],
  ],
  bulk_edit: ['post /workouts/bulk-edit', 'post /workouts/merge-suggestions/merge'],
  delete: [
    'delete /workouts/{id}',
    'delete /workouts/{id}/media/{mediaId}',
    'delete /shoes/{id}',
    'delete /truth/marks/{id}',
    'delete /places/{id}',
    'delete /training/goals/{id}',
    'delete /races/{id}',
  ],
  crop: ['post /workouts/{id}/crop'],
  repair: [
    ...['patch /workouts/{id}/numbers', 'post /workouts/{id}/cut', 'post /workouts/{id}/mend'],
    ...['post /workouts/{id}/distance', 'post /workouts/{id}/shift', 'post /workouts/{id}/revert'],
    'put /workouts/{id}/field-sources',
  ],
  merge: ['post /workouts/{id}/merge'],
  unmerge: ['post /workouts/{id}/unmerge'],
  join: ['post /workouts/join'],
  split: ['post /workouts/{id}/split'],
  undo: ['post /receipts/{id}/undo', 'post /trash/{id}/restore'],
  recalculate: [
    ...['post /settings/heart-rate-zones/update-with-recalc', 'post /stats/best-efforts/recalculate'],
    ...['post /workouts/{id}/recalculate-effort', 'post /workouts/{id}/recalculate-splits'],
    ...['post /workouts/recalculate-relative-effort', 'post /workouts/recalculate-splits'],
  ],
}
/** What these read has to be made first. */
const READ_BY_ID = /\/watch-folder| \/(?:receipts|trash)\/\{id\}/
const PASSWORD = 'several-other-words-in-a-row'
const NOBODY = '0198a000-0000-7000-8000-00000000dead'

/** Produced where it takes more than a request: a range, a slow, busy or full server, many wrong keys, an Idempotency-Key. */
const ELSEWHERE = [206, 304, 408, 409, 412, 416, 422, 429, 502, 503, 507]

/** Where it takes a story; their own tests tell it. */
const TOLD_ELSEWHERE = [
  'get /changes 410',
  ...['get /trash 404', 'get /watch-folder/files 404', 'get /workouts/{id}/ghost/{otherId} 400', 'post /share 400'],
  ...['post /settings/sync/intervals-icu/run 400', 'post /trash/{id}/restore 400', 'post /workouts 200'],
  ...['post /watch-folder/files/{id}/import 400', 'post /workouts/export/files 404', 'post /workouts/import 404'],
  'post /workouts/import/health 413',
].toSorted()

/** Refusals that depend on what is stored. */
const SPECIAL: readonly {
  readonly name: string
  readonly status: number
  readonly path?: string
  readonly sent?: CallOptions
}[] = [
  ...['/workouts', '/receipts'].map((path) => ({
    ...{ name: `get ${path}`, status: 404, path: `${path}?page=9` },
  })),
  { name: 'post /auth/login', status: 401, sent: { json: { username: RUNNER.username, password: 'wrong' } } },
  { name: 'post /workouts/import/archive', status: 404, sent: { body: formWith('uploadId', NOBODY) } },
  { name: 'post /workouts/{id}/recalculate-effort', status: 400 },
  { name: 'post /workouts/recalculate-relative-effort', status: 400 },
  // of a run whose route is not stored
  { name: 'post /workouts/{id}/recalculate-splits', status: 400 },
]

/** What some cannot do without. */
const QUERIES = [
  ['/map/runs', '?lat=47&lon=8'],
  ['/map/photos', '?west=-180&south=-90&east=180&north=90'],
  ['/map/hidden', '?lat=47&lon=8&hideM=300'],
  ['/map/squares/in', '?x0=8550&y0=5760&x1=8560&y1=5770'],
  ['/workouts/{id}/export', '?format=fit'],
] as const

const MARK = { day: '2026-03-02', kind: 'sensor', name: 'Chest strap' }
const RACE = { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 }
const PLACE = { name: 'Home', lat: 48.137, lon: 11.575 }
const GOAL = { metric: 'runs', period: 'week', target: 3 }
/** Of zones that do not fit the heart rate of the limit that the runner set. */
const PROPOSAL = 'zones-98-128-135-143-150-180'

type Bodies = Readonly<Record<string, CallOptions>>

const MADE = new Map<Ids, Bodies>()

/** What operations with a body are sent so that they succeed; the others need nothing but their ids. */
function goodBodies(ids: Ids): Bodies {
  const bodies = MADE.get(ids) ?? madeBodies(ids)
  MADE.set(ids, bodies)
  return bodies
}

function madeBodies(ids: Ids): Bodies {
  const zones = { calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 60 }
  const run = formOf(fitRun({ seconds: 700 }), 'b.fit')
  const strava = zipUpload({ 'activities.csv': stravaCsv([STRAVA_ROW]), 'activities/1.fit': fitRun({ seconds: 720 }) })
  const files = zipUpload({ 'runs/1.fit': fitRun({ seconds: 770 }) })
  return {
    'post /auth/register': { json: { username: 'anyone', password: PASSWORD } },
    'post /workouts/export/files': { json: { ids: [ids.run], format: 'gpx' } },
    'post /auth/login': { json: { username: RUNNER.username, password: RUNNER.password } },
    'post /auth/change-password': { json: { currentPassword: RUNNER.password, newPassword: PASSWORD } },
    'post /auth/api-keys': { json: { label: 'script' } },
    'put /settings/heart-rate-zones': { json: zones },
    'post /settings/heart-rate-zones/update-with-recalc': { json: { ...zones, recalculateExisting: true } },
    'put /settings/unit-preference': { json: { unitPreference: 'imperial' } },
    'put /settings/default-shoe': { json: { defaultShoeId: ids.shoe } },
    'post /shoes': { json: { brand: 'A', model: 'B', initialMileageM: 7.5 } },
    'post /shoes/from-import': { json: { names: ['Road One'] } },
    'patch /shoes/{id}': { json: { initialMileageM: null } },
    'post /workouts/import': { body: run },
    'patch /workouts/{id}': { json: { runType: 'Race', rpe: 7, notes: 'n', name: 'x', shoeId: ids.shoe } },
    'patch /workouts/{id}/best-efforts/{distanceM}': { json: { isRecord: false } },
    'put /workouts/{id}/intervals': { json: { stretches: [{ startS: 60, endS: 180 }] } },
    'post /workouts/{id}/crop': { json: { removeFromStartSeconds: 10 } },
    'post /workouts/import/bulk': { body: formOf(strava.bytes, strava.name) },
    'post /workouts/import/archive': { body: formOf(files.bytes, files.name) },
    'post /workouts/{id}/media': { body: formOf(png(2), 'b.png') },
    'patch /workouts/{id}/media/{mediaId}': { json: { caption: 'At the top' } },
    'put /settings/page': { json: { cards: [{ id: 'week', shown: false }] } },
    'put /settings/map': { json: { tiles: true } },
    'put /settings/weather': { json: { lookups: false } },
    'put /settings/training': { json: { entries: [{ lthrBpm: 160 }] } },
    'post /training/goals': { json: GOAL },
    'patch /training/goals/{id}': { json: { target: 7 } },
    'post /races': { json: RACE },
    'post /places': { json: PLACE },
    'patch /places/{id}': { json: { name: 'Park' } },
    'patch /races/{id}': { json: { goalTimeS: 2400 } },
    'post /truth/marks': { json: MARK },
    'post /training/proposals/{id}': { json: { accept: false } },
    'post /workouts/import/raw': { body: fitRun({ seconds: 710 }).slice() },
    'post /workouts/import/health': { json: healthExport([healthRun({ seconds: 760 })]) },
    'post /in/{key}': { body: fitRun({ seconds: 720 }).slice() },
    'put /in/{key}': { body: fitRun({ seconds: 730 }).slice() },
    'post /in/{key}/{name}': { body: fitRun({ seconds: 740 }).slice() },
    'put /in/{key}/{name}': { body: fitRun({ seconds: 750 }).slice() },
    'post /share': { body: run },
    'post /workouts': { json: { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 } },
    'post /workouts/{id}/merge': { json: { otherId: ids.next } },
    'put /workouts/{id}/field-sources': { json: {} },
    'put /settings/sync/intervals-icu': { json: { apiKey: 'some key' } },
    'put /settings/second-recording': { json: { mode: 'keep' } },
    'post /workouts/{id}/share': { json: { days: 30, show: { map: false } } },
    'put /settings/privacy': { json: { trimEndsM: 200 } },
    'post /workouts/join': { json: { ids: [ids.run, ids.next] } },
    'post /workouts/bulk-edit': { json: { ids: [ids.run], set: { runType: 'Race' } } },
    'patch /workouts/{id}/numbers': { json: { durationS: 650 } },
    'post /workouts/{id}/cut': { json: { fromElapsedS: 100, toElapsedS: 200 } },
    'post /workouts/{id}/split': { json: { atElapsedS: [300] } },
    'post /workouts/{id}/mend': { json: { fromElapsedS: 30, toElapsedS: 90, channel: 'heartRate', fill: 'gap' } },
    'post /workouts/{id}/distance': { json: { distanceM: 1900 } },
    'post /workouts/{id}/shift': { json: { offsetSeconds: 3600 } },
  }
}

const STRAVA_ROW = {
  ...{ 'Activity ID': 1, 'Activity Date': 'Nov 3, 2025, 7:00:00 AM', 'Activity Type': 'Run' },
  ...{ 'Elapsed Time': 720, 'Distance#2': 2160, Filename: 'activities/1.fit' },
}

function formWith(name: string, value: string): FormData {
  const form = new FormData()
  form.append(name, value)
  return form
}

function formOf(bytes: Uint8Array, name: string): FormData {
  const form = new FormData()
  form.append('file', new File([bytes.slice()], name))
  return form
}

/** What is not a valid body of any operation. */
function badBodies(): readonly CallOptions[] {
  const headers = (type: string) => ({ headers: { 'content-type': type } })
  return [
    { body: '{"a":', ...headers('application/json') },
    { body: '[]', ...headers('application/json') },
    { body: '<a/>', ...headers('text/xml') },
    { body: ' '.repeat(1_048_577), ...headers('application/json') },
    { body: '--x\r\nbroken', ...headers('multipart/form-data; boundary=x') },
    {
      json: { username: 5, calculationMethod: 'x', unitPreference: 'x', defaultShoeId: NOBODY, brand: '', rpe: 7.5 },
      ...headers('application/json'),
    },
  ]
}

/** A key, a key that may only upload itself, a calendar feed, a shared run and one that follows it, and one of each other thing. */
const NAMED = [
  'key',
  'uploadKey',
  'feed',
  'share',
  'shoe',
  'run',
  'next',
  'media',
  'goal',
  'race',
  'mark',
  'place',
] as const
type Ids = Readonly<Record<(typeof NAMED)[number], string>>

const UNKNOWN_IDS = Object.fromEntries(NAMED.map((name) => [name, NOBODY])) as Ids
const ALL_UNKNOWN: Ids = { ...UNKNOWN_IDS, uploadKey: 'tmp_nobody' }

/** One of everything, with zones stored. */
async function filled(app: TestApp): Promise<Ids> {
  const added = async (path: string, json?: object): Promise<string> => (await app.ok('POST', path, json)).id
  const key = await added('/auth/api-keys')
  const { key: uploadKey } = await app.ok('POST', '/auth/api-keys', { scope: 'upload' })
  const feed = (await app.ok('POST', '/settings/calendar-feed')).path.split('/').at(-1)
  const shoe = await added('/shoes', { brand: 'Road', model: 'One' })
  await app.ok('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 40 })
  const run = await app.run(fitRun())
  const next = await app.run(fitRun({ startMs: START_MS + 1_800_000, seconds: 300 }))
  const media = (await app.upload(`/workouts/${run}/media`, [{ name: 'a.png', bytes: png() }])).json[0].id
  const share = (await app.ok('POST', `/workouts/${run}/share`, { show: { photos: true } })).url.split('/').at(-1)
  await app.ok('PUT', '/settings/training', { entries: [{ lthrBpm: 150 }] })
  const [goal, race] = [await added('/training/goals', GOAL), await added('/races', RACE)]
  const [mark, place] = [await added('/truth/marks', MARK), await added('/places', PLACE)]
  return { key, uploadKey, feed, share, shoe, run, next, media, goal, race, mark, place }
}

const FILLED = await (async () => {
  const app = await testApp()
  const ids = await filled(app)
  return { app, ids, serialized: bytesOf(app.deps), dataDir: app.deps.config.dataDir }
})()
afterAll(() => FILLED.app.close())

/** An app of its own with the same library, which is filled once. */
async function filledApp(env: Environment = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-contract-'))
  cpSync(join(FILLED.dataDir, 'files'), join(dataDir, 'files'), { recursive: true })
  return await testApp({ db: copyOfDb(FILLED.serialized), dataDir, env })
}

/** Newest first; none for one whose session has ended. */
async function receiptsOf(app: TestApp): Promise<readonly { readonly kind: string }[]> {
  return (await app.call('GET', '/receipts?pageSize=100')).json.items ?? []
}

/** @returns its id in the ledger */
async function watchedFile(app: TestApp, folder: string): Promise<string> {
  writeFileSync(join(folder, 'a.fit'), fitRun())
  await app.watch.look(true)
  await app.watch.rest()
  return (await app.call('GET', '/watch-folder/files')).json.items[0].id
}

function addressOf(path: string, ids: Ids): string {
  const owners = {
    ...{ '/shoes': ids.shoe, '/auth': ids.key, '/training/goals': ids.goal, '/training/proposals': PROPOSAL },
    ...{ '/races': ids.race, '/truth/marks': ids.mark, '/places': ids.place },
  }
  const known = Object.entries(owners).find(([prefix]) => path.startsWith(prefix))?.[1] ?? ids.run
  const [isUnknown, id] = [known === NOBODY, known === PROPOSAL && ids.run === NOBODY ? NOBODY : known]
  const named: Record<string, string> = {
    ...{
      key: ids.uploadKey,
      feed: ids.feed,
      token: ids.share,
      number: '1',
      name: 'run.fit',
      id,
      mediaId: ids.media,
      distanceM: '400',
    },
    // the first recording has the id of its workout
    ...{ recordingId: ids.run, otherId: ids.run },
  }
  const query = QUERIES.find(([of]) => of === path)?.[1] ?? ''
  return path
    .replace('{z}/{x}/{y}', isUnknown ? '5/0/0' : '14/8556/5762')
    .replace('{x}/{y}', isUnknown ? '99999/0' : '8556/5762')
    .replace(/\{(\w+)\}/g, (whole, name: string) => named[name] ?? whole)
    .concat(query)
}

function withQuery(address: string, query: string): string {
  return `${address.split('?')[0]}?${query}`
}

interface Line {
  /** `open` to strangers, `session` refuses API keys, otherwise a session or an API key. */
  readonly who: string
  readonly statuses: readonly number[]
}

/** The lines of http/calls.txt, by operation. */
const CALLS: ReadonlyMap<string, Line> = new Map(
  readFileSync(new URL('http/calls.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, name = '', who = '', statuses = ''] = /^([a-z]+ \/\S*?)(?: (open|session))?: ([\d, ]+)$/.exec(line) ?? []
      return [name, { who, statuses: statuses.split(', ').map(Number) }]
    }),
)
const isKeyed = (name: string) => name.includes('/in/{key}')
const refusesStrangers = (name: string) => (CALLS.get(name)?.who !== 'open' || isKeyed(name)) && name !== LEADING
const WRITES_NOTHING = ['post /auth/logout', 'post /workouts/export', 'post /workouts/export/files']

/**
 * The statuses of a line and what comes to every call like it: 401 where a credential is needed, 403 where an API key may
 * call or something changes, 413 and 415 with a JSON body, 413 with an upload, 503 and 507 where something is written, 409 and
 * 422 with an Idempotency-Key.
 */
function promised(name: string, { requestBody, parameters = [] }: Operation): number[] {
  const types = Object.keys(requestBody?.content ?? {})
  const changes = !name.startsWith('get ')
  const more = [
    500,
    ...(refusesStrangers(name) ? [401] : []),
    // a key with too small a scope, or a page of another origin, which has no key
    ...((changes && !isKeyed(name)) || CALLS.get(name)?.who === '' ? [403] : []),
    ...(types.length > 0 ? [413] : []),
    // the format of that file is looked at, not its type
    ...(types.includes('application/json') && name !== 'post /workouts/import/health' ? [415] : []),
    ...(changes && !WRITES_NOTHING.includes(name) ? [503, 507] : []),
    ...(parameters.some((parameter) => parameter.name === 'Idempotency-Key') ? [409, 422] : []),
  ]
  return [...new Set([...(CALLS.get(name)?.statuses ?? []), ...more])].toSorted((a, b) => a - b)
}

let document: Document
let documentApp: TestApp
beforeAll(async () => {
  documentApp = await testApp()
  document = (await documentApp.call('GET', '/swagger/json')).json
})
afterAll(() => documentApp.close())
const operations = () => operationsOf(document).map(([name, operation]) => ({ name, operation }))

test('headers of ETags, of keys of requests and of streams stand where they are heeded', () => {
  const sent = (name: string) =>
    operations().flatMap((one) => {
      const { parameters = [] } = one.operation
      return parameters.some((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name)
        ? [one.name]
        : []
    })
  const withStatus = (status: number) => operations().filter(({ operation }) => operation.responses[status])
  expect(sent('if-none-match')).toEqual(withStatus(304).map(({ name }) => name))
  expect(sent('if-match')).toEqual(['patch /workouts/{id}', 'delete /workouts/{id}'])
  expect(sent('idempotency-key')).toEqual(withStatus(422).map(({ name }) => name))
  expect(sent('last-event-id')).toEqual(['get /events'])
  for (const { name, operation } of withStatus(304))
    for (const status of Object.keys(operation.responses).filter((status) => Number(status) < 400))
      expect(Object.keys(operation.responses[status]?.headers ?? {}), `${name} ${status}`).toContain('ETag')
})

/** Sentences of refusals with the general code that name no field. */
const nameless = new Set<string>()

/** The statuses that each operation was seen to answer. */
const seen = new Map<string, Set<number>>()

interface Call {
  readonly name: string
  readonly operation: Operation
  readonly address: string
  readonly sent: CallOptions
}

/** Calls an operation and compares what comes back with the document. @returns the status */
async function called(app: TestApp, { name, operation, address, sent }: Call): Promise<number> {
  const { status, headers, text, json } = await app.call(name.split(' ')[0]?.toUpperCase() ?? '', address, sent)
  seen.set(name, (seen.get(name) ?? new Set()).add(status))
  const stated = operation.responses[status]
  const where = `${name} ${address} ${status} ${text.slice(0, 200)}`
  expect(stated, `${where}: the status is not in the document`).toBeDefined()
  const [type = '', charset] = headers.get('content-type')?.split('; ') ?? []
  const content = stated?.content ?? {}
  if (Object.keys(content).length === 0) expect(text, where).toBe('')
  else expect(Object.keys(content), where).toContain(type)
  const schema = content['application/json']?.schema
  if (type !== 'application/json' || schema === undefined) return status
  expect(charset, where).toBe('charset=utf-8')
  expect(departures(document, schema, json), where).toBeNull()
  if (status >= 400 && name !== 'get /ready') expect(Object.keys(json).slice(0, 2), where).toEqual(['error', 'code'])
  if (status >= 400) expect(Object.keys(ERROR_CODES), where).toContain(json.code)
  if (status === 400 && json.code === 'invalid_request' && json.field === undefined) nameless.add(json.error)
  if (status === 404) expect(json.error, where).toMatch(/^[A-Z][\w -]+ not found$/)
  if (status === 401 && refusesStrangers(name)) expect(headers.get('www-authenticate'), where).toBe('Bearer')
  return status
}

test('the document has the calls and statuses of calls.txt and no others, and says which answers name a receipt', () => {
  const served = operations().map(({ name }) => name)
  expect(served.toSorted()).toEqual([...CALLS.keys()].toSorted())
  const leaving = Object.values(LEAVES).flat()
  for (const { name, operation } of operations()) {
    expect([name, Object.keys(operation.responses).map(Number)]).toEqual([name, promised(name, operation)])
    const named = Object.entries(operation.responses).filter(([, { headers }]) => headers?.['Harrier-Receipt'])
    const successes = Object.keys(operation.responses).filter((status) => Number(status) < 400)
    expect([name, named.map(([status]) => status)]).toEqual([name, leaving.includes(name) ? successes : []])
  }
})

test('what may be sent is as it was agreed, member by member: a change of rules.txt is a change of the contract', () => {
  const agreed = readFileSync(new URL('http/rules.txt', import.meta.url), 'utf8')
  expect(rulesOf(document)).toEqual(agreed.trimEnd().split('\n'))
})

describe('what the document says is what the service does', () => {
  test('good requests succeed with a body of the documented schema, and leave a receipt when they should', async () => {
    const refused: string[] = []
    await using read = await filledApp()
    const readIds = FILLED.ids
    // every operation that changes something gets an app of its own, so that none finds what another one changed
    for (const { name, operation } of operations()) {
      if (name === ENDLESS || name === OUTSIDE) continue
      if (name.startsWith('get ') && !READ_BY_ID.test(name)) {
        const call = { name, operation, address: addressOf(name.split(' ')[1] ?? '', readIds), sent: {} }
        const status = await called(read, call)
        if (status >= 300) refused.push(`${name} ${status}`)
        continue
      }
      const folder = name.includes('/watch-folder') ? mkdtempSync(join(tmpdir(), 'harrier-contract-')) : ''
      const env = { WATCH_DIR: folder, WATCH_SETTLE_S: '0', INTERVALS_BASE_URL: `http://127.0.0.1:${SERVICE.port}` }
      const isFresh = name === 'post /auth/register'
      await using app = await (isFresh ? testApp({ fresh: true, env }) : filledApp(env))
      const ids = isFresh ? ALL_UNKNOWN : FILLED.ids
      let sent = goodBodies(ids)[name] ?? {}
      if (name === 'post /workouts/import/export') sent = { body: formOf(await exported(app), 'archive.zip') }
      let address = addressOf(name.split(' ')[1] ?? '', ids)
      if (name.includes('/watch-folder/files/{id}')) address = address.replace(ids.run, await watchedFile(app, folder))
      if (name.endsWith('/revert')) await app.ok('POST', `/workouts/${ids.run}/crop`, { removeFromStartSeconds: 10 })
      if (name.includes(' /receipts/{id}')) {
        const [receipt] = (await app.ok('GET', '/receipts?kind=import')).items
        address = address.replace(ids.run, receipt.id)
      }
      if (name === 'patch /workouts/{id}/numbers') {
        const { json: made } = await app.call('POST', '/workouts', goodBodies(ids)['post /workouts'])
        address = `/workouts/${made.id}/numbers`
      }
      if (name.endsWith('/intervals-icu/run'))
        await app.call('PUT', '/settings/sync/intervals-icu', goodBodies(ids)['put /settings/sync/intervals-icu'])
      if (/merge|field-sources/.test(name)) {
        const other = { otherId: await app.run(fitRun({ seconds: 590 }), 'c.fit') }
        await comparePairs(app.deps)
        const [pair] = await app.ok('GET', '/workouts/merge-suggestions')
        if (name.endsWith('/merge')) sent = { json: other }
        else if (name.endsWith('/dismiss')) address = address.replace(ids.run, pair.id)
        else await app.ok('POST', `/workouts/${ids.run}/merge`, other)
        if (name.endsWith('merge-suggestions/merge')) sent = { json: {} }
        if (name.endsWith('/unmerge')) sent = { json: { sourceId: null } }
      }
      if (name.includes(' /trash/{id}')) await app.call('DELETE', `/workouts/${ids.run}`)
      const before = await receiptsOf(app)
      const status = await called(app, { name, operation, address, sent })
      const left = (await receiptsOf(app)).slice(0, -before.length)
      const kinds = Object.keys(LEAVES).filter((kind) => LEAVES[kind]!.includes(name))
      expect([name, ...left.map(({ kind }) => kind)]).toEqual([name, ...kinds])
      if (status >= 300 && name !== LEADING) refused.push(`${name} ${status}`)
      if (folder !== '') rmSync(folder, { recursive: true })
    }
    expect(refused).toEqual([])
  }, 600_000)

  test('refusals have a documented status and the documented body', async () => {
    await using app = await filledApp()
    const { ids } = FILLED
    const { key: uploadKey } = await app.ok('POST', '/auth/api-keys', { scope: 'upload' })
    for (const { name, operation } of operations()) {
      const path = name.split(' ')[1] ?? ''
      const call = { name, operation, address: addressOf(path, ids), sent: {} }
      const nobody = addressOf(path, ALL_UNKNOWN).replace('/best-efforts/400', '/best-efforts/401')
      const unknown = [nobody, nobody.replaceAll(NOBODY, 'x')]
      if (refusesStrangers(name)) {
        for (const address of isKeyed(name) ? unknown.slice(0, 1) : unknown) {
          const status = await called(app, { ...call, address, sent: { token: null } })
          expect([name, address, status]).toEqual([name, address, 401])
        }
      }
      if (name === ENDLESS || name === OUTSIDE) continue
      if (promised(name, operation).includes(403)) {
        const headers = { cookie: `authToken=${app.token}`, 'sec-fetch-site': 'same-site' }
        const refused = name.startsWith('get ') ? { token: uploadKey } : { token: null, headers }
        expect([name, await called(app, { ...call, sent: refused })]).toEqual([name, 403])
      }
      const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
      for (const query of queries) {
        for (const value of ['x', '', '-1', '1e999', '99999999999999999999', '2025-02-30', '%00', '%ED%A0%80']) {
          await called(app, { ...call, address: withQuery(call.address, `${query.name}=${value}`) })
        }
        await called(app, { ...call, address: withQuery(call.address, `${query.name}=1&${query.name}=1`) })
      }
      if (path.includes('{') && !isKeyed(name)) {
        for (const address of unknown) {
          const status = await called(app, { ...call, address, sent: goodBodies(ids)[name] ?? {} })
          expect([name, address, status]).toEqual([name, address, 404])
        }
      }
      if (operation.requestBody === undefined) continue
      for (const sent of [{}, ...badBodies()]) await called(app, { ...call, sent })
    }
  }, 600_000)

  test('what only some libraries are refused', async () => {
    const operationOf = new Map(operationsOf(document))
    for (const { name, status, path, sent = {} } of SPECIAL) {
      await using app = await testApp()
      const id = await app.run(fitRun())
      if (name.endsWith('-splits')) setRows(app.deps, 'workout', { route_preview: null })
      const address = (path ?? name.split(' ')[1] ?? '').replace('{id}', id)
      const answered = await called(app, { name, operation: operationOf.get(name)!, address, sent })
      expect([name, answered]).toEqual([name, status])
    }
  })

  test('every call that needs the database fails without it', async () => {
    await using app = await filledApp()
    const { ids } = FILLED
    const bodies: Bodies = {
      ...goodBodies(ids),
      'post /workouts/import/export': { body: formOf(await exported(app), 'a.zip') },
    }
    // the gate asks two of them
    loseAllBut(app.deps, 'user', 'api_key')
    const served: string[] = []
    for (const { name, operation } of operations()) {
      if (name === ENDLESS || name === OUTSIDE || !refusesStrangers(name) || name.includes(' /auth/')) continue
      const address = addressOf(name.split(' ')[1] ?? '', ids)
      const status = await called(app, { name, operation, address, sent: bodies[name] ?? {} })
      if (status !== 500) served.push(`${name} ${status}`)
    }
    // all but the last, whose summary says what failed, need nothing or the row of the user
    expect(served).toEqual([
      'get /metrics 200',
      'get /settings/backup 200',
      ...['get /settings/calendar-feed 200', 'post /settings/calendar-feed 201', 'delete /settings/calendar-feed 204'],
      'get /share 200',
      'post /workouts/import/export 200',
    ])
  })

  test('a refusal names the field at fault, unless it is the whole body or several fields', () => {
    const bodies = [...nameless].filter((sentence) => /\bbody\b/.test(sentence)).length
    expect(bodies).toBeGreaterThan(5)
    expect([...nameless].filter((sentence) => !/\bbody\b/.test(sentence)).toSorted()).toEqual([
      'One of startedAt, durationS, movingTimeS, distanceM, avgHeartRateBpm, maxHeartRateBpm, elevGainM, calories is required',
      'Send exactly one of startedAt, offsetSeconds and timeZone',
      'fromM and toM must lie within the 1800 m of the workout, where it has positions',
      'removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0',
      'startLat, startLon and startM are given together',
    ])
  })

  test('every other status of calls.txt was answered', () => {
    const missing = operations().flatMap(({ name, operation }) => {
      if (name === ENDLESS || name === OUTSIDE) return []
      const isUpload = operation.requestBody !== undefined && !operation.requestBody.content['application/json']
      const open = promised(name, operation).filter((status) => seen.get(name)?.has(status) !== true)
      return open
        .filter((status) => ![500, ...ELSEWHERE].includes(status) && !(status === 413 && isUpload))
        .map((status) => `${name} ${status}`)
    })
    expect(missing.toSorted()).toEqual(TOLD_ELSEWHERE)
  })
})
