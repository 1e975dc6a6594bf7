// docs/api.md 14, call by call: every status that the specification names is produced by a real request, every answer
// has the documented shape, and the document names the same statuses. What docs/api.md adds to a row is listed as
// added.
import { afterAll, describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Answer, type CallOptions, RUNNER, type TestApp, testApp } from './app.ts'
import { stravaCsv } from './fixtures/csv.ts'
import { fitRun, gpxRun, START_MS } from './fixtures/runs.ts'
import { buildZip } from './fixtures/zip-builder.ts'

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'
const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

/** A signed-in library with one run of every kind that the rows need. */
interface World {
  readonly app: TestApp
  readonly runId: string
  readonly shoeId: string
  readonly mediaId: string
  readonly keyId: string
  readonly apiKey: string
}

type Ask = (world: World) => Promise<Answer>

interface Row {
  /** Statuses that the specification names, each with a request that gives it. */
  readonly spec: Readonly<Record<number, Ask>>
  /** Statuses that docs/api.md adds, likewise. */
  readonly added?: Readonly<Record<number, Ask>>
  /** Added statuses that another test produces. */
  readonly elsewhere?: readonly number[]
  /** true: whoever calls. */
  readonly isPublic?: boolean
}

const call = (method: string, path: string | ((world: World) => string), options: CallOptions = {}): Ask => {
  return (world) => world.app.call(method, typeof path === 'string' ? path : path(world), options)
}
const stranger = (method: string, path: string) => call(method, path, { token: null })

/** A Strava export with one run. */
function stravaZip(): Uint8Array {
  const csv = stravaCsv([
    {
      'Activity ID': 1,
      'Activity Date': 'Nov 3, 2025, 7:00:00 AM',
      'Activity Type': 'Run',
      'Elapsed Time': 600,
      'Distance#2': 1800,
      Filename: 'activities/1.fit',
    },
  ])
  const file = fitRun({ startMs: START_MS + 2 * 864e5 })
  return buildZip([
    { name: 'activities.csv', data: csv },
    { name: 'activities/1.fit', data: file },
  ])
}

/** The library as its own archive. */
async function archiveOf({ app }: World): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${app.token}` }
  const answer = await app.handle(new Request('http://localhost/workouts/export', { method: 'POST', headers }))
  return new Uint8Array(await answer.arrayBuffer())
}

/** The same request over a database that fails at the first question after the gate. */
function broken(ask: Ask, tables: readonly string[]): Ask {
  return async (world) => {
    world.app.deps.db.$client.run('PRAGMA foreign_keys = OFF')
    for (const table of tables) world.app.deps.db.$client.run(`ALTER TABLE ${table} RENAME TO gone_${table}`)
    return await ask(world)
  }
}

const run =
  (suffix = '') =>
  ({ runId }: World) =>
    `/workouts/${runId}${suffix}`
const unknownRun = (suffix = '') => `/workouts/${UNKNOWN}${suffix}`
const zones = { calculationMethod: 'AgeBased', age: 40 }
const wrongType = {
  415: (method: string, path: string | ((world: World) => string)) =>
    call(method, path, { body: 'x=1', headers: { 'content-type': 'text/plain' } }),
}[415]
const tooLarge = (method: string, path: string | ((world: World) => string)) =>
  call(method, path, { json: { notes: 'x'.repeat(1_100_000) } })
const json = (method: string, path: string | ((world: World) => string)) => ({
  413: tooLarge(method, path),
  415: wrongType(method, path),
})
const noFile: Ask = ({ app }) => app.upload('/workouts/import', [])

const ROWS: Readonly<Record<string, Row>> = {
  'POST /auth/register': {
    isPublic: true,
    spec: {
      200: async () => {
        await using app = await testApp({ fresh: true })
        return await app.call('POST', '/auth/register', { json: { username: 'a', password: RUNNER.password } })
      },
      400: call('POST', '/auth/register', { json: { username: 'a', password: RUNNER.password } }),
    },
    added: json('POST', '/auth/register'),
    elsewhere: [408, 503],
  },
  'POST /auth/login': {
    isPublic: true,
    spec: {
      200: call('POST', '/auth/login', { json: { username: RUNNER.username, password: RUNNER.password } }),
      401: call('POST', '/auth/login', { json: { username: RUNNER.username, password: 'wrong' } }),
    },
    added: { 400: call('POST', '/auth/login', { json: {} }), ...json('POST', '/auth/login') },
    elsewhere: [408, 429, 503],
  },
  'POST /auth/change-password': {
    spec: {
      200: call('POST', '/auth/change-password', {
        json: { currentPassword: RUNNER.password, newPassword: 'another-fine-battery-staple' },
      }),
      400: call('POST', '/auth/change-password', { json: { currentPassword: 'wrong', newPassword: 'short' } }),
      401: ({ app, apiKey }) => app.call('POST', '/auth/change-password', { json: {}, token: apiKey }),
    },
    added: json('POST', '/auth/change-password'),
    elsewhere: [429],
  },
  'GET /auth/me': { spec: { 200: call('GET', '/auth/me'), 401: stranger('GET', '/auth/me') } },
  'POST /auth/logout': { isPublic: true, spec: { 200: stranger('POST', '/auth/logout') } },
  'GET /auth/registration-available': {
    isPublic: true,
    spec: { 200: stranger('GET', '/auth/registration-available') },
  },
  'POST /auth/api-keys': {
    spec: {
      201: call('POST', '/auth/api-keys', { json: { label: 'x' } }),
      400: call('POST', '/auth/api-keys', { json: { label: 5 } }),
      401: ({ app, apiKey }) => app.call('POST', '/auth/api-keys', { token: apiKey }),
    },
    added: json('POST', '/auth/api-keys'),
  },
  'GET /auth/api-keys': { spec: { 200: call('GET', '/auth/api-keys'), 401: stranger('GET', '/auth/api-keys') } },
  'DELETE /auth/api-keys/{id}': {
    spec: {
      204: call('DELETE', ({ keyId }) => `/auth/api-keys/${keyId}`),
      401: stranger('DELETE', `/auth/api-keys/${UNKNOWN}`),
      404: call('DELETE', `/auth/api-keys/${UNKNOWN}`),
    },
  },
  'GET /health': { isPublic: true, spec: { 200: stranger('GET', '/health') } },
  'GET /version': { isPublic: true, spec: { 200: stranger('GET', '/version') } },

  'GET /settings/heart-rate-zones': {
    spec: {
      200: call('GET', '/settings/heart-rate-zones'),
      500: broken(call('GET', '/settings/heart-rate-zones'), ['settings']),
    },
  },
  'PUT /settings/heart-rate-zones': {
    spec: {
      200: call('PUT', '/settings/heart-rate-zones', { json: zones }),
      400: call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased' } }),
      500: broken(call('PUT', '/settings/heart-rate-zones', { json: zones }), ['settings']),
    },
    added: json('PUT', '/settings/heart-rate-zones'),
  },
  'POST /settings/heart-rate-zones/update-with-recalc': {
    spec: {
      200: call('POST', '/settings/heart-rate-zones/update-with-recalc', {
        json: { ...zones, recalculateExisting: true },
      }),
      400: call('POST', '/settings/heart-rate-zones/update-with-recalc', {
        json: { ...zones, recalculateExisting: 'yes' },
      }),
    },
    added: json('POST', '/settings/heart-rate-zones/update-with-recalc'),
  },
  'GET /settings/unit-preference': { spec: { 200: call('GET', '/settings/unit-preference') } },
  'PUT /settings/unit-preference': {
    spec: {
      200: call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } }),
      400: call('PUT', '/settings/unit-preference', { json: { unitPreference: 'Metric' } }),
    },
    added: json('PUT', '/settings/unit-preference'),
  },
  'GET /settings/default-shoe': { spec: { 200: call('GET', '/settings/default-shoe') } },
  'PUT /settings/default-shoe': {
    spec: {
      200: ({ app, shoeId }) => app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoeId } }),
      400: call('PUT', '/settings/default-shoe', { json: {} }),
      404: call('PUT', '/settings/default-shoe', { json: { defaultShoeId: UNKNOWN } }),
    },
    added: json('PUT', '/settings/default-shoe'),
  },

  'GET /shoes': { spec: { 200: call('GET', '/shoes'), 500: broken(call('GET', '/shoes'), ['shoe']) } },
  'POST /shoes': {
    spec: {
      200: call('POST', '/shoes', { json: { brand: 'Brooks', model: 'Ghost 15', initialMileageM: 1000 } }),
      400: call('POST', '/shoes', { json: { brand: 'Brooks' } }),
      500: broken(call('POST', '/shoes', { json: { brand: 'a', model: 'b' } }), ['shoe']),
    },
    added: json('POST', '/shoes'),
  },
  'PATCH /shoes/{id}': {
    spec: {
      200: ({ app, shoeId }) => app.call('PATCH', `/shoes/${shoeId}`, { json: { model: 'Mach 7' } }),
      400: ({ app, shoeId }) => app.call('PATCH', `/shoes/${shoeId}`, { json: { model: null } }),
      404: call('PATCH', `/shoes/${UNKNOWN}`, { json: {} }),
      500: broken(({ app, shoeId }) => app.call('PATCH', `/shoes/${shoeId}`, { json: { model: 'x' } }), ['shoe']),
    },
    added: json('PATCH', ({ shoeId }) => `/shoes/${shoeId}`),
  },
  'DELETE /shoes/{id}': {
    spec: {
      204: call('DELETE', ({ shoeId }) => `/shoes/${shoeId}`),
      404: call('DELETE', `/shoes/${UNKNOWN}`),
      500: broken(
        call('DELETE', ({ shoeId }) => `/shoes/${shoeId}`),
        ['shoe'],
      ),
    },
  },
  'GET /shoes/{id}/mileage': {
    spec: {
      200: call('GET', ({ shoeId }) => `/shoes/${shoeId}/mileage?unitPreference=imperial`),
      404: call('GET', `/shoes/${UNKNOWN}/mileage`),
      500: broken(
        call('GET', ({ shoeId }) => `/shoes/${shoeId}/mileage`),
        ['shoe'],
      ),
    },
    added: { 400: call('GET', ({ shoeId }) => `/shoes/${shoeId}/mileage?unitPreference=km`) },
  },

  ...Object.fromEntries(
    ['weekly', 'relative-effort', 'yearly', 'available-periods', 'available-years'].map((name) => [
      `GET /stats/${name}`,
      {
        spec: { 200: call('GET', `/stats/${name}?timezoneOffsetMinutes=-300`) },
        added: { 400: call('GET', `/stats/${name}?timezoneOffsetMinutes=841`) },
      } satisfies Row,
    ]),
  ),
  'GET /stats/weekly-recap': {
    spec: {
      200: call('GET', '/stats/weekly-recap?timezoneOffsetMinutes=60&referenceDate=2025-11-03'),
      400: call('GET', '/stats/weekly-recap?referenceDate=2025-02-30'),
    },
  },
  'GET /stats/best-efforts': {
    spec: { 200: call('GET', '/stats/best-efforts'), 400: call('GET', '/stats/best-efforts?period=decade') },
  },
  'POST /stats/best-efforts/recalculate': {
    spec: {
      200: call('POST', '/stats/best-efforts/recalculate'),
      500: broken(call('POST', '/stats/best-efforts/recalculate'), ['samples']),
    },
  },
  'GET /stats/yearly-weekly': {
    spec: { 200: call('GET', '/stats/yearly-weekly?periodEndDate=2025-11-20') },
    added: { 400: call('GET', '/stats/yearly-weekly?periodEndDate=20.11.2025') },
  },
  'GET /stats/insights': {
    spec: { 200: call('GET', '/stats/insights'), 500: broken(call('GET', '/stats/insights'), ['workout']) },
    added: { 400: call('GET', '/stats/insights?timezoneOffsetMinutes=x') },
  },

  'POST /workouts/import': {
    spec: {
      200: ({ app }) =>
        app.upload('/workouts/import', [{ name: 'b.gpx', bytes: gpxRun({ startMs: START_MS + 864e5 }) }]),
      400: noFile,
      500: broken(
        ({ app }) =>
          app.upload('/workouts/import', [{ name: 'c.fit', bytes: fitRun({ startMs: START_MS + 2 * 864e5 }) }]),
        ['workout_split', 'samples'],
      ),
    },
    elsewhere: [413],
  },
  'POST /workouts/import/bulk': {
    spec: {
      200: ({ app }) => app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes: stravaZip() }]),
      400: ({ app }) => app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes: 'no archive' }]),
      500: broken(
        ({ app }) => app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes: stravaZip() }]),
        ['settings', 'shoe', 'workout'],
      ),
    },
    elsewhere: [413],
  },
  'POST /workouts/export': {
    spec: {
      200: call('POST', '/workouts/export'),
      500: broken(call('POST', '/workouts/export'), ['settings', 'workout']),
    },
  },
  'POST /workouts/import/export': {
    spec: {
      200: async (world) => {
        const bytes = await archiveOf(world)
        return await world.app.upload('/workouts/import/export', [{ name: 'archive.zip', bytes }])
      },
      400: ({ app }) => app.upload('/workouts/import/export', [{ name: 'archive.zip', bytes: stravaZip() }]),
      500: async (world) => {
        const bytes = await archiveOf(world)
        // a database that fails later is told in the summary
        const restore: Ask = ({ app }) => app.upload('/workouts/import/export', [{ name: 'archive.zip', bytes }])
        return await broken(restore, ['user'])(world)
      },
    },
    elsewhere: [413],
  },
  'GET /workouts': {
    spec: { 200: call('GET', '/workouts?page=1&pageSize=5'), 404: call('GET', '/workouts?page=9') },
    added: { 400: call('GET', '/workouts?page=one') },
  },
  'GET /workouts/{id}': {
    spec: { 200: call('GET', run()), 404: call('GET', unknownRun()) },
    added: { 400: call('GET', run('?includeRaw=perhaps')) },
  },
  'PATCH /workouts/{id}': {
    spec: {
      200: ({ app, runId }) => app.call('PATCH', `/workouts/${runId}`, { json: { rpe: 5 } }),
      400: ({ app, runId }) => app.call('PATCH', `/workouts/${runId}`, { json: { rpe: 11 } }),
      404: call('PATCH', unknownRun(), { json: {} }),
    },
    added: json('PATCH', run()),
  },
  'DELETE /workouts/{id}': {
    spec: { 204: call('DELETE', run()), 404: call('DELETE', unknownRun()) },
    added: { 400: call('DELETE', run('?forever=perhaps')) },
  },
  'POST /workouts/{id}/crop': {
    spec: {
      200: ({ app, runId }) =>
        app.call('POST', `/workouts/${runId}/crop`, { json: { removeFromStartSeconds: 60, removeFromEndSeconds: 30 } }),
      400: ({ app, runId }) => app.call('POST', `/workouts/${runId}/crop`, { json: { removeFromStartSeconds: 595 } }),
      404: call('POST', unknownRun('/crop'), { json: { removeFromStartSeconds: 1 } }),
    },
    added: json('POST', run('/crop')),
  },
  'POST /workouts/{id}/recalculate-effort': {
    spec: {
      200: async (world) => {
        await world.app.call('PUT', '/settings/heart-rate-zones', { json: zones })
        return await world.app.call('POST', `/workouts/${world.runId}/recalculate-effort`)
      },
      400: call('POST', run('/recalculate-effort')),
      404: call('POST', unknownRun('/recalculate-effort')),
    },
  },
  'POST /workouts/{id}/recalculate-splits': {
    spec: {
      200: call('POST', run('/recalculate-splits')),
      400: async ({ app, runId }) => {
        app.deps.db.$client.run('UPDATE workout SET route_preview = NULL')
        return await app.call('POST', `/workouts/${runId}/recalculate-splits`)
      },
      404: call('POST', unknownRun('/recalculate-splits')),
    },
  },
  'GET /workouts/{id}/similar-routes': {
    spec: {
      200: call('GET', run('/similar-routes?maxResults=5&maxYears=3')),
      400: call('GET', run('/similar-routes?maxResults=0')),
      404: call('GET', unknownRun('/similar-routes')),
    },
  },
  'GET /workouts/{id}/time-series': {
    spec: { 200: call('GET', run('/time-series?page=1&pageSize=100')), 404: call('GET', unknownRun('/time-series')) },
    added: { 400: call('GET', run('/time-series?page=x')) },
  },
  'GET /workouts/recalculate-relative-effort/count': {
    spec: { 200: call('GET', '/workouts/recalculate-relative-effort/count') },
  },
  'POST /workouts/recalculate-relative-effort': {
    spec: {
      200: async ({ app }) => {
        await app.call('PUT', '/settings/heart-rate-zones', { json: zones })
        return await app.call('POST', '/workouts/recalculate-relative-effort')
      },
      400: call('POST', '/workouts/recalculate-relative-effort'),
    },
    added: json('POST', '/workouts/recalculate-relative-effort'),
  },
  'GET /workouts/recalculate-splits/count': { spec: { 200: call('GET', '/workouts/recalculate-splits/count') } },
  'POST /workouts/recalculate-splits': {
    spec: {
      200: call('POST', '/workouts/recalculate-splits'),
      400: call('POST', '/workouts/recalculate-splits', {
        body: 'not JSON',
        headers: { 'content-type': 'application/json' },
      }),
    },
    added: json('POST', '/workouts/recalculate-splits'),
  },

  'POST /workouts/{id}/media': {
    spec: {
      200: ({ app, runId }) => app.upload(`/workouts/${runId}/media`, [{ name: 'b.png', bytes: PNG }]),
      400: ({ app, runId }) => app.upload(`/workouts/${runId}/media`, [{ name: 'b.png', bytes: 'no picture' }]),
      404: ({ app }) => app.upload(unknownRun('/media'), [{ name: 'b.png', bytes: PNG }]),
    },
    elsewhere: [413],
  },
  'GET /workouts/{id}/media': { spec: { 200: call('GET', run('/media')), 404: call('GET', unknownRun('/media')) } },
  'GET /workouts/{id}/media/{mediaId}': {
    spec: {
      200: call('GET', ({ runId, mediaId }) => `/workouts/${runId}/media/${mediaId}`),
      404: call('GET', run(`/media/${UNKNOWN}`)),
    },
    added: { 400: call('GET', ({ runId, mediaId }) => `/workouts/${runId}/media/${mediaId}?small=perhaps`) },
    elsewhere: [206, 304, 416],
  },
  'DELETE /workouts/{id}/media/{mediaId}': {
    spec: {
      204: call('DELETE', ({ runId, mediaId }) => `/workouts/${runId}/media/${mediaId}`),
      404: call('DELETE', run(`/media/${UNKNOWN}`)),
    },
    added: { 400: call('DELETE', ({ runId, mediaId }) => `/workouts/${runId}/media/${mediaId}?forever=perhaps`) },
  },
}

/** Beyond the specification's table; their own tests ask them. */
const BEYOND = [
  'GET /receipts',
  'GET /receipts/{id}',
  'POST /receipts/{id}/undo',
  'GET /trash',
  'DELETE /trash',
  'DELETE /trash/{id}',
  'POST /trash/{id}/restore',
  'GET /ready',
  'GET /events',
  'GET /workouts/{id}/ghost/{otherId}',
  'GET /shoes/from-import',
  'POST /shoes/from-import',
  'GET /workouts/{id}/intervals',
  'GET /workouts/{id}/laps',
  'GET /workouts/{id}/passes',
  'GET /workouts/{id}/samples',
  'GET /workouts/{id}/file',
  'GET /workouts/{id}/sources',
  'GET /workouts/{id}/sources/{recordingId}/file',
  'POST /workouts/{id}/revert',
  'POST /workouts',
  'POST /workouts/bulk-edit',
  'POST /workouts/join',
  'PATCH /workouts/{id}/numbers',
  'POST /workouts/{id}/cut',
  'POST /workouts/{id}/split',
  'POST /workouts/{id}/mend',
  'POST /workouts/{id}/distance',
  'POST /workouts/{id}/shift',
  'GET /workouts/{id}/oddities',
  'GET /workouts/{id}/export',
  'POST /workouts/export/files',
  'PATCH /workouts/{id}/media/{mediaId}',
  'GET /workouts/{id}/best-efforts',
  'PATCH /workouts/{id}/best-efforts/{distanceM}',
  'GET /workouts/{id}/neighbours',
  'GET /stats/daily',
  'GET /stats/monthly',
  'GET /stats/highest-heart-rate',
  'GET /stats/best-efforts/medals',
  'GET /stats/best-efforts/{distanceM}/progress',
  'GET /settings/files',
  'GET /settings/weather',
  'PUT /settings/weather',
  'GET /settings/map',
  'PUT /settings/map',
  'GET /map/tiles/{z}/{x}/{y}',
  'GET /watch-folder',
  'POST /watch-folder/look',
  'GET /watch-folder/files',
  'POST /watch-folder/files/{id}/import',
  'GET /training/load',
  'GET /training/today',
  'GET /training/forecast',
  'GET /training/vo2max',
  'GET /training/predictions',
  'GET /training/critical-speed',
  'GET /training/efficiency',
  'GET /training/intensity',
  'GET /training/zones',
  'GET /training/proposals',
  'GET /training/goals',
  'GET /training/calendar',
  'POST /training/proposals/{id}',
  'POST /training/goals',
  'PATCH /training/goals/{id}',
  'DELETE /training/goals/{id}',
  'GET /settings/training',
  'PUT /settings/training',
  'GET /workouts/{id}/training',
  'GET /workouts/{id}/training/windows',
  'POST /workouts/import/raw',
  'POST /workouts/import/health',
  'POST /in/{key}',
  'PUT /in/{key}',
  'POST /in/{key}/{name}',
  'PUT /in/{key}/{name}',
  'GET /share',
  'POST /share',
]

async function world(): Promise<World & AsyncDisposable> {
  const app = await testApp()
  const { json: run } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const { json: shoe } = await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 6' } })
  const { json: media } = await app.upload(`/workouts/${run.id}/media`, [{ name: 'a.png', bytes: PNG }])
  const { json: key } = await app.call('POST', '/auth/api-keys')
  return {
    app,
    runId: run.id,
    shoeId: shoe.id,
    mediaId: media[0]?.id,
    keyId: key.id,
    apiKey: key.key,
    [Symbol.asyncDispose]: () => app.close(),
  }
}

interface Documented {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

/** Where nothing is stored, for calls that are refused and for the document, which is the same whatever is asked. */
const empty = await testApp()
afterAll(() => empty.close())
const document: { paths: Record<string, Record<string, Documented>>; components: object } = (
  await empty.call('GET', '/swagger/json')
).json

/** The answer is what the document says of this status: body and content type, or no body at all. */
function expectDocumented(operation: string, answer: Answer): void {
  const [method = '', path = ''] = operation.split(' ')
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[String(answer.status)]
  expect(response, `${operation} documents ${answer.status}`).toBeDefined()
  if (answer.status === 204) return void expect(answer.text).toBe('')
  const schema = response?.content?.['application/json']?.schema
  if (schema === undefined) return
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (answer.status >= 400) expect(Object.keys(answer.json)[0]).toBe('error')
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  const isValid = ajv.validate({ ...schema, components: document.components }, answer.json)
  expect(isValid, `${operation} ${answer.status}: ${ajv.errorsText()}`).toBe(true)
}

const WRITES_NOTHING = ['POST /auth/logout', 'POST /workouts/export']

for (const [operation, row] of Object.entries(ROWS)) {
  describe(operation, () => {
    const [method = '', path = ''] = operation.split(' ')
    const asked = { ...row.spec, ...row.added }
    for (const [status, ask] of Object.entries(asked)) {
      test(`answers ${status}`, async () => {
        await using here = await world()
        const answer = await ask(here)
        expect(answer.status, answer.text).toBe(Number(status))
        expectDocumented(operation, answer)
      })
    }

    if (row.isPublic !== true && asked[401] === undefined) {
      test('answers strangers 401', async () => {
        const answer = await empty.call(method, path.replace(/\{\w+\}/g, UNKNOWN), { token: null })
        expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid or expired credentials' }])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      })
    }

    if (method !== 'GET') {
      test('answers 403 to a page of another origin', async () => {
        const headers = { cookie: `authToken=${empty.token}`, 'sec-fetch-site': 'same-site' }
        const answer = await empty.call(method, path.replace(/\{\w+\}/g, UNKNOWN), { token: null, headers })
        expect(answer.status).toBe(403)
        expectDocumented(operation, answer)
      })
    }

    test('is documented with these statuses and no others', () => {
      const documented = document.paths[path]?.[method.toLowerCase()]
      const statuses = new Set([...Object.keys(asked).map(Number), ...(row.elsewhere ?? []), 500])
      if (row.isPublic !== true) statuses.add(401)
      if (method !== 'GET') statuses.add(403)
      // produced where a disk is really full: test/archive/disk-full.test.ts
      if (method !== 'GET' && !WRITES_NOTHING.includes(operation)) statuses.add(507)
      expect(Object.keys(documented?.responses ?? {}).map(Number)).toEqual([...statuses].sort((a, b) => a - b))
    })
  })
}

test('every documented operation has a row', () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.sort()).toEqual([...Object.keys(ROWS), ...BEYOND].sort())
})
