import { describe, expect, test } from 'bun:test'
import { FORMAT_NAMES } from '../../../src/formats/registry.ts'
import { type Answer, RUNNER, type TestApp, testApp } from '../../app.ts'
import { png } from '../../fixtures/media.ts'
import { fitRun, gpxRun } from '../../fixtures/runs.ts'
import { type Document, operationsOf } from '../../http/document.ts'
import { rowsOf, tablesOf } from '../../library/as-stored.ts'

type Scope = 'full' | 'read' | 'upload'

async function keyOf(app: TestApp, scope: Scope): Promise<string> {
  const { status, json } = await app.call('POST', '/auth/api-keys', { json: { scope, label: scope } })
  expect([status, json.scope]).toEqual([201, scope])
  return json.key
}

/** A library with one of everything that has an id. */
async function filled(app: TestApp) {
  const run = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const shoe = await app.call('POST', '/shoes', { json: { brand: 'Road', model: 'One' } })
  const media = await app.upload(`/workouts/${run.json.id}/media`, [{ name: 'a.png', bytes: png() }])
  return { run: run.json.id as string, shoe: shoe.json.id as string, media: media.json[0].id as string }
}

type Ids = Awaited<ReturnType<typeof filled>>

function addressOf(path: string, { run, shoe, media }: Ids): string {
  return path
    .replace('{mediaId}', media)
    .replace(/\{(recordingId|otherId)\}/, run)
    .replace('{distanceM}', '400')
    .replace('{id}', path.startsWith('/shoes') ? shoe : run)
    .replace(/^(\/workouts\/[^/]+\/export)$/, '$1?format=fit')
}

/** Everything that the runner has, row for row; what is only kept to be faster, and what passes by, left out. */
function stored({ deps }: TestApp): string {
  const passing = /^(sqlite_|training_state|workout_load|workout_training|login_failure|changed$)/
  const tables = tablesOf(deps).filter((name) => !passing.test(name))
  expect(tables.length).toBeGreaterThan(12)
  return tables.map((name) => `${name} ${JSON.stringify(rowsOf(deps, name))}`).join('\n')
}

async function documentOf(app: TestApp): Promise<Document> {
  return (await app.call('GET', '/swagger/json')).json
}

const FOR_SESSIONS = [
  ...['post /auth/change-password', 'post /auth/logout-others', 'post /auth/api-keys'],
  'post /settings/calendar-feed',
  'post /workouts/{id}/share',
]

/** A GET that never ends is only begun. */
async function statusOf(app: TestApp, method: string, address: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = method === 'GET' ? {} : { body: '{}' }
  const answer = await app.handle(new Request(`http://localhost${address}`, { method, headers, ...body }))
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
  else await answer.arrayBuffer()
  return answer.status
}

describe('a key', () => {
  test.each(['upload', 'read'] as const)(
    'of scope %s changes nothing but by imports, and reads what it may',
    async (scope) => {
      await using app = await testApp()
      const ids = await filled(app)
      const key = await keyOf(app, scope)
      const before = stored(app)
      const counts = { open: 0, refused: 0 }
      for (const [name, { security }] of operationsOf(await documentOf(app))) {
        const [method = '', path = ''] = name.split(' ')
        if ((security ?? []).length === 0 || name === 'post /share') continue
        const isImport = /^\/workouts\/import(\/raw|\/health)?$/.test(path)
        if (scope === 'upload' ? isImport : path.startsWith('/map/tiles')) continue
        const isOpen = scope === 'read' && method === 'get' && path !== '/auth/api-keys'
        const status = await statusOf(app, method.toUpperCase(), addressOf(path, ids), key)
        if (isOpen) expect([name, status === 401 || status === 403]).toEqual([name, false])
        else expect([name, status]).toEqual([name, FOR_SESSIONS.includes(name) ? 401 : 403])
        counts[isOpen ? 'open' : 'refused'] += 1
      }
      expect(counts.open).toBeGreaterThan(scope === 'read' ? 40 : -1)
      expect(counts.refused).toBeGreaterThan(scope === 'read' ? 30 : 70)
      const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', ...(scope === 'read' ? [] : ['GET'])]
      for (const method of methods) {
        const { status, json } = await app.call(method, '/nothing', { token: key })
        expect([method, status, json]).toEqual([
          method,
          403,
          expect.objectContaining({ error: `This key may only ${scope}` }),
        ])
      }
      expect((await app.call('HEAD', '/workouts', { token: key })).status).toBe(scope === 'read' ? 200 : 403)
      expect(await statusOf(app, 'GET', '/health', key)).toBe(200)
      expect(stored(app)).toBe(before)
    },
    120_000,
  )

  test('that may only upload does so with a form or a file, whatever a cookie beside it would allow', async () => {
    await using app = await testApp()
    const key = await keyOf(app, 'upload')
    const form = new FormData()
    form.append('file', new File([fitRun().slice()], 'a.fit'))
    expect((await app.call('POST', '/workouts/import', { token: key, body: form })).json.action).toBe('created')
    const raw = await app.call('POST', '/workouts/import/raw', { token: key, body: fitRun().slice() })
    expect([raw.status, raw.json.action]).toEqual([200, 'skipped'])
    const headers = { cookie: `authToken=${app.token}` }
    expect((await app.call('GET', '/workouts', { token: key, headers })).status).toBe(403)
  })

  test('states when a file last arrived by it, and why it was refused', async () => {
    await using app = await testApp()
    const key = await keyOf(app, 'upload')
    const lastUpload = async () => (await app.ok('GET', '/auth/api-keys'))[0].lastUpload
    const uploads = async (path: string, body: BodyInit) => await app.call('POST', path, { token: key, body })
    expect(await lastUpload()).toBeNull()
    const form = new FormData()
    for (const name of ['a.gpx', 'b.gpx']) form.append('file', new File(['<gpx/>'], name))
    for (const [path, body, at, error] of [
      ['/workouts/import/raw', 'no run', '2025-11-20T13:05:11Z', `This file is not a ${FORMAT_NAMES} workout`],
      ['/workouts/import/raw', fitRun().slice(), '2025-11-20T13:05:12Z', null],
      ['/workouts/import', form, '2025-11-20T13:05:13Z', expect.stringContaining('GPX')],
      ['/workouts/import', '{}', '2025-11-20T13:05:14Z', 'The request body must be multipart/form-data'],
    ] as const) {
      await uploads(path, body)
      expect(await lastUpload()).toEqual({ at, error })
      app.pass(1000)
    }
    // reading, and what a session uploads, is nothing that comes by a key
    await app.run(gpxRun({ seconds: 660 }))
    expect((await lastUpload()).at).toBe('2025-11-20T13:05:14Z')
  })
})

describe('Authorization: Basic', () => {
  const basic = (user: string, password: string) => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` })
  const ask = (app: TestApp, headers: Record<string, string>, path = '/workouts'): Promise<Answer> =>
    app.call('GET', path, { token: null, headers })

  test('takes a key as the password, with any user name; neither the password of the runner nor a session', async () => {
    await using app = await testApp()
    const [full, upload, read] = [await keyOf(app, 'full'), await keyOf(app, 'upload'), await keyOf(app, 'read')]
    const cookie = { cookie: `authToken=${app.token}` }
    const proxy = basic('proxy', 'its password')
    const odd = [`Basic ${btoa(full)}`, 'Basic', 'Basic %%%'].map((authorization) => ({ authorization }))
    const names = [basic(RUNNER.username, RUNNER.password), basic(RUNNER.username, app.token), basic(full, '')]
    for (const [headers, status] of [
      ...['', 'runner', 'whoever', 'a b'].map((user) => [basic(user, full), 200] as const),
      [{ authorization: `bAsIc  ${btoa(`x:${full}`)} ` }, 200],
      [basic('x', upload), 403],
      [basic('x', read), 200],
      // none of that is a key, so none of it counts: a proxy in front may pass on what it asked for
      ...[...names, ...odd, ...Array<typeof proxy>(12).fill(proxy)].map((headers) => [headers, 401] as const),
      // and a broken header never spoils a good cookie
      [{ ...cookie, ...proxy }, 200],
      [{ ...cookie, ...basic('x', 'tmp_wrong') }, 200],
    ] as const) {
      const answer = await ask(app, headers)
      expect([headers, answer.status]).toEqual([headers, status])
      if (status === 401)
        expect(answer.json).toEqual(expect.objectContaining({ error: 'Invalid or expired credentials' }))
    }
    expect((await app.call('POST', '/auth/api-keys', { token: null, headers: basic('x', full) })).status).toBe(401)
  })

  test('with a wrong key counts, and a right one passes all the same', async () => {
    await using app = await testApp()
    const key = await keyOf(app, 'full')
    for (let time = 0; time < 10; time += 1) expect((await ask(app, basic('x', `tmp_${time}`))).status).toBe(401)
    const blocked = await ask(app, basic('y', 'tmp_other'))
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await ask(app, basic('x', key))).status).toBe(200)
    expect(app.logged.filter((line) => line.includes('wrong keys'))).toHaveLength(1)
    // the login has a count of its own
    const json = { username: RUNNER.username, password: RUNNER.password }
    expect((await app.call('POST', '/auth/login', { token: null, json })).status).toBe(200)
    app.clock.nowMs += 15 * 60_000
    expect((await ask(app, basic('x', 'tmp_other'))).status).toBe(401)
    expect(JSON.stringify(rowsOf(app.deps, 'login_failure'))).not.toContain('tmp_')
  })

  test('is remembered by browsers, so that pages of other origins write nothing with it', async () => {
    await using app = await testApp()
    const headers = { ...basic('x', await keyOf(app, 'full')), origin: 'https://evil.example' }
    const json = { brand: 'Hoka', model: 'Mach 6' }
    expect((await app.call('POST', '/shoes', { token: null, json, headers })).status).toBe(403)
    const { origin: _, ...own } = headers
    expect((await app.call('POST', '/shoes', { token: null, json, headers: own })).status).toBe(200)
  })
})
