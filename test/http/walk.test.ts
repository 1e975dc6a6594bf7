import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallOptions, RUNNER, type TestApp, testApp } from '../app.ts'
import { healthExport, healthRun } from '../fixtures/health.ts'
import { png } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { type Document, departures, type Operation, operationsOf, type Schema } from './document.ts'

/** A stream never ends, and its first bytes say all that the document does. */
const ENDLESS = 'get /events'
/** Its answers are those of the server of the tiles. */
const OUTSIDE = 'get /map/tiles/{z}/{x}/{y}'
/** Its success leads a browser on. */
const LEADING = 'post /share'
/** What these read has to be made first. */
const READ_BY_ID = /\/watch-folder| \/(?:receipts|trash)\/\{id\}/
const PASSWORD = 'several-other-words-in-a-row'
const NOBODY = '0198a000-0000-7000-8000-00000000dead'

const GOAL = { metric: 'runs', period: 'week', target: 3 }
/** Of zones that do not fit the heart rate of the limit that the runner set. */
const PROPOSAL = 'zones-98-128-135-143-150-180'

/** What operations with a body are sent so that they succeed; the others need nothing but their ids. */
function goodBodies(ids: Ids): Readonly<Record<string, CallOptions>> {
  const zones = { calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 60 }
  const run = new FormData()
  run.append('file', new File([fitRun({ seconds: 700 }).slice()], 'b.fit'))
  const photo = new FormData()
  photo.append('files', new File([png(2)], 'b.png'))
  return {
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
    'post /workouts/{id}/crop': { json: { removeFromStartSeconds: 10 } },
    'post /workouts/{id}/media': { body: photo },
    'patch /workouts/{id}/media/{mediaId}': { json: { caption: 'At the top' } },
    'put /settings/map': { json: { tiles: true } },
    'put /settings/weather': { json: { lookups: false } },
    'put /settings/training': { json: { entries: [{ lthrBpm: 160 }] } },
    'post /training/goals': { json: GOAL },
    'patch /training/goals/{id}': { json: { target: 7 } },
    'post /training/proposals/{id}': { json: { accept: false } },
    'post /workouts/import/raw': { body: fitRun({ seconds: 710 }).slice() },
    'post /workouts/import/health': { json: healthExport([healthRun({ seconds: 760 })]) },
    'post /in/{key}': { body: fitRun({ seconds: 720 }).slice() },
    'put /in/{key}': { body: fitRun({ seconds: 730 }).slice() },
    'post /in/{key}/{name}': { body: fitRun({ seconds: 740 }).slice() },
    'put /in/{key}/{name}': { body: fitRun({ seconds: 750 }).slice() },
    'post /share': { body: run },
    'post /workouts': { json: { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 } },
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

/** What is no good body of any operation. */
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

interface Ids {
  readonly key: string
  /** A key that may only upload, itself. */
  readonly uploadKey: string
  readonly shoe: string
  readonly run: string
  /** One that follows it. */
  readonly next: string
  readonly media: string
  readonly goal: string
}

/** One of everything, with zones stored. */
async function filled(app: TestApp): Promise<Ids> {
  const key = await app.call('POST', '/auth/api-keys')
  const { json: upload } = await app.call('POST', '/auth/api-keys', { json: { scope: 'upload' } })
  const shoe = await app.call('POST', '/shoes', { json: { brand: 'Road', model: 'One' } })
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 40 } })
  const run = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const later = fitRun({ startMs: START_MS + 1_800_000, seconds: 300 })
  const next = await app.upload('/workouts/import', [{ name: 'later.fit', bytes: later }])
  const media = await app.upload(`/workouts/${run.json.id}/media`, [{ name: 'a.png', bytes: png() }])
  await app.call('PUT', '/settings/training', { json: { entries: [{ lthrBpm: 150 }] } })
  const goal = await app.call('POST', '/training/goals', { json: GOAL })
  return {
    ...{ key: key.json.id, uploadKey: upload.key, shoe: shoe.json.id, run: run.json.id, next: next.json.id },
    ...{ media: media.json[0].id, goal: goal.json.id },
  }
}

/** @returns its id in the ledger */
async function watchedFile(app: TestApp, folder: string): Promise<string> {
  writeFileSync(join(folder, 'a.fit'), fitRun())
  await app.watch.look(true)
  await app.watch.rest()
  return (await app.call('GET', '/watch-folder/files')).json.items[0].id
}

function addressOf(path: string, ids: Ids): string {
  const owners = { '/shoes': ids.shoe, '/auth': ids.key, '/training/goals': ids.goal, '/training/proposals': PROPOSAL }
  const known = Object.entries(owners).find(([prefix]) => path.startsWith(prefix))?.[1] ?? ids.run
  const id = known === PROPOSAL && ids.run === NOBODY ? NOBODY : known
  // the first recording has the id of its workout
  return path
    .replace('{key}', ids.uploadKey)
    .replace('{name}', 'run.fit')
    .replace('{id}', id)
    .replace('{mediaId}', ids.media)
    .replace('{recordingId}', ids.run)
    .replace('{otherId}', ids.run)
    .replace('{distanceM}', '400')
    .replace(/^(\/workouts\/[^/]+\/export)$/, '$1?format=fit')
}

function withQuery(address: string, query: string): string {
  return `${address.split('?')[0]}?${query}`
}

/** Calls an operation and compares what comes back with the document. @returns the status */
async function called(app: TestApp, document: Document, { name, operation, address, sent }: Call): Promise<number> {
  const [method = ''] = name.split(' ')
  const { status, headers, text, json } = await app.call(method.toUpperCase(), address, sent)
  const told = operation.responses[status]
  const where = `${name} ${address} ${status} ${text.slice(0, 200)}`
  expect(told, `${where}: the status is not in the document`).toBeDefined()
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const content = told?.content ?? {}
  if (Object.keys(content).length === 0) expect(text, where).toBe('')
  else expect(Object.keys(content), where).toContain(type)
  const schema = content['application/json']?.schema
  if (type === 'application/json' && schema !== undefined) {
    expect(departures(document, schema, json), where).toEqual([])
  }
  return status
}

interface Call {
  readonly name: string
  readonly operation: Operation
  readonly address: string
  readonly sent: CallOptions
}

describe('the comparison with a schema', () => {
  const document: Document = { paths: {}, components: { schemas: { Id: { type: 'string', format: 'uuid' } } } }
  const schema: Schema = {
    type: 'object',
    required: ['id', 'laps'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      laps: { type: 'array', minItems: 1, items: { anyOf: [{ type: 'integer', maximum: 9 }, { type: 'null' }] } },
      unit: { type: ['string', 'null'], enum: ['km', 'miles'] },
    },
  }
  test.each([
    [{ id: NOBODY, laps: [7, null], unit: null }, 0],
    [{ id: NOBODY, laps: [10], unit: 'km', more: 1 }, 1],
    [{ id: 'x', laps: [7.5] }, 2],
    [{ laps: [] }, 2],
    [{ id: null, laps: {}, unit: 'mi' }, 3],
    [[], 1],
  ])('%j departs %i times', (value, count) => {
    expect(departures(document, schema, value)).toHaveLength(count)
  })
})

describe('what the document says is what the service does', () => {
  test('good requests succeed with a body of the documented schema', async () => {
    const refused: string[] = []
    await using first = await testApp()
    const document: Document = (await first.call('GET', '/swagger/json')).json
    await using read = await testApp()
    const readIds = await filled(read)
    // every operation that changes something gets an app of its own, so that none finds what another one changed
    for (const [name, operation] of operationsOf(document)) {
      if (name === ENDLESS || name === OUTSIDE) continue
      if (name.startsWith('get ') && !READ_BY_ID.test(name)) {
        const call = { name, operation, address: addressOf(name.split(' ')[1] ?? '', readIds), sent: {} }
        const status = await called(read, document, call)
        if (status >= 300) refused.push(`${name} ${status}`)
        continue
      }
      const folder = name.includes('/watch-folder') ? mkdtempSync(join(tmpdir(), 'harrier-walk-')) : ''
      const env = { WATCH_DIR: folder, WATCH_SETTLE_S: '0' }
      await using app = await testApp({ fresh: name === 'post /auth/register', env })
      const isFresh = name === 'post /auth/register'
      const ids = isFresh
        ? { key: '', uploadKey: '', shoe: '', run: '', next: '', media: '', goal: '' }
        : await filled(app)
      const registration = { json: { username: 'anyone', password: PASSWORD } }
      const sent = isFresh ? registration : (goodBodies(ids)[name] ?? {})
      let address = addressOf(name.split(' ')[1] ?? '', ids)
      if (name.includes('/watch-folder/files/{id}'))
        address = `/watch-folder/files/${await watchedFile(app, folder)}/import`
      if (name === 'post /workouts/{id}/revert') {
        await app.call('POST', `/workouts/${ids.run}/crop`, { json: { removeFromStartSeconds: 10 } })
      }
      if (name.includes(' /receipts/{id}')) {
        const { items } = (await app.call('GET', '/receipts?kind=import')).json
        address = `/receipts/${items[0].id}${name.endsWith('undo') ? '/undo' : ''}`
      }
      if (name === 'patch /workouts/{id}/numbers') {
        const { json: made } = await app.call('POST', '/workouts', goodBodies(ids)['post /workouts'])
        address = `/workouts/${made.id}/numbers`
      }
      if (name.includes(' /trash/{id}')) await app.call('DELETE', `/workouts/${ids.run}`)
      const status = await called(app, document, { name, operation, address, sent })
      if (status >= 300 && name !== LEADING) refused.push(`${name} ${status}`)
      if (folder !== '') rmSync(folder, { recursive: true })
    }
    // these two need an archive
    expect(refused.filter((name) => !/^post \/workouts\/import\/(bulk|export) 400$/.test(name))).toEqual([])
  }, 180_000)

  test('refusals have a documented status and the documented body', async () => {
    await using app = await testApp()
    const ids = await filled(app)
    const document: Document = (await app.call('GET', '/swagger/json')).json
    for (const [name, operation] of operationsOf(document)) {
      if (name === ENDLESS || name === OUTSIDE || /^post \/auth\/(login|change-password)$/.test(name)) continue
      const path = name.split(' ')[1] ?? ''
      const call = { name, operation, address: addressOf(path, ids), sent: {} }
      const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
      for (const query of queries) {
        for (const value of ['x', '', '-1', '1e999', '99999999999999999999', '2025-02-30', '%00', '%ED%A0%80']) {
          await called(app, document, { ...call, address: withQuery(call.address, `${query.name}=${value}`) })
        }
        await called(app, document, { ...call, address: withQuery(call.address, `${query.name}=1&${query.name}=1`) })
      }
      if (path.startsWith('/in/')) {
        // not the whole walk: an address is told to wait after ten
        const status = await called(app, document, { ...call, address: path.replace('{key}', 'tmp_nobody') })
        expect([name, status]).toEqual([name, 401])
      } else if (path.includes('{')) {
        const nobody = addressOf(path, {
          ...{ key: NOBODY, uploadKey: NOBODY, shoe: NOBODY, run: NOBODY, next: NOBODY, media: NOBODY, goal: NOBODY },
        })
        const unknown = nobody.replace('/best-efforts/400', '/best-efforts/401')
        for (const address of [unknown, unknown.replaceAll(NOBODY, 'x')]) {
          const status = await called(app, document, { ...call, address, sent: goodBodies(ids)[name] ?? {} })
          expect([name, address, status]).toEqual([name, address, 404])
        }
      }
      if (operation.requestBody === undefined) continue
      for (const sent of [{}, ...badBodies()]) await called(app, document, { ...call, sent })
    }
  }, 180_000)
})
