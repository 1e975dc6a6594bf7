import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { consoleLog } from '../../src/base/log.ts'
import { answerError } from '../../src/http/errors.ts'
import { canonicalPath } from '../../src/http/paths.ts'
import { type CallOptions, type TestApp, testApp } from '../app.ts'
import { lose } from '../library/as-stored.ts'

const CORS = { CORS_ALLOWED_ORIGINS: 'https://run.example.org, http://localhost:3000/' }

describe('addresses', () => {
  test('every spelling of an address reaches the same route, whatever the host', async () => {
    for (const [sent, expected] of [
      ['/api/workouts/', '/workouts'],
      ['/workouts/', '/workouts'],
      ['/api/', '/'],
      ['/api/api/workouts', '/api/workouts'],
      ['/apiary', '/apiary'],
    ] as const)
      expect(canonicalPath(sent)).toBe(expected)
    await using app = await testApp()
    const headers = { authorization: `Bearer ${app.token}` }
    for (const host of ['localhost', 'pi', 'nas:5001', 'run.example.org']) {
      for (const path of ['/auth/me', '/auth/me/', '/api/auth/me', '/api/auth/me/', '/api/auth/me?x=1'])
        expect((await app.handle(new Request(`http://${host}${path}`, { headers }))).status, host + path).toBe(200)
    }
  })

  test('HEAD answers like GET, with the length and without the body', async () => {
    await using app = await testApp()
    for (const path of ['/health', '/api/auth/me/', '/auth/api-keys', '/swagger/assets/swagger-ui.css']) {
      const get = await app.call('GET', path)
      const { status, text, headers } = await app.call('HEAD', path)
      expect([status, text, headers.get('content-length')]).toEqual([200, '', String(Buffer.byteLength(get.text))])
      expect(headers.get('content-type')).toBe(get.headers.get('content-type'))
    }
    expect((await app.call('HEAD', '/auth/me', { token: null })).status).toBe(401)
    expect((await app.call('HEAD', '/nothing')).status).toBe(404)
  })
})

describe('the frame of an answer', () => {
  test('JSON is UTF-8, not stored and not sniffed, errors included', async () => {
    await using app = await testApp()
    for (const path of ['/health', '/auth/me', '/nothing']) {
      const { headers } = await app.call('GET', path)
      const found = ['content-type', 'cache-control', 'x-content-type-options'].map((name) => headers.get(name))
      expect(found).toEqual(['application/json; charset=utf-8', 'no-store', 'nosniff'])
    }
  })

  test('an unknown path or method is 401 for strangers, with credentials a path is 404 and a method 405', async () => {
    await using app = await testApp()
    const gone = { error: 'Not found', code: 'not_found' }
    const other = { error: 'This path has no such method', code: 'method_not_allowed' }
    for (const [name, status, body, allow] of [
      ['GET /nothing', 404, gone, null],
      ['OPTIONS /nothing', 404, gone, null],
      ['GET /%68ealth', 404, gone, null],
      ['PUT /shoes', 405, other, 'GET, HEAD, OPTIONS, POST'],
      ['GET /api/workouts/import/raw/', 405, other, 'OPTIONS, POST'],
      ['PATCH /workouts/export', 405, other, 'OPTIONS, POST'],
      ['GET /workouts/import/export', 405, other, 'OPTIONS, POST'],
      ['PUT /workouts/x', 405, other, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['GET /in/tmp_nobody', 405, other, 'OPTIONS, POST, PUT'],
      ['OPTIONS /shoes', 204, undefined, 'GET, HEAD, OPTIONS, POST'],
    ] as const) {
      const [method = '', path = ''] = name.split(' ')
      const stranger = await app.call(method, path, { token: null })
      const refused = { error: 'Invalid or expired credentials', code: 'invalid_credentials' }
      expect([name, stranger.status, stranger.json]).toEqual([name, 401, refused])
      expect([stranger.headers.get('www-authenticate'), stranger.headers.get('allow')]).toEqual(['Bearer', null])
      const known = await app.call(method, path)
      expect([name, known.status, known.json, known.headers.get('allow')]).toEqual([name, status, body, allow])
    }
    // what is open has no secret methods, and only those
    for (const [name, status, allow] of [
      ['GET /auth/login', 405, 'OPTIONS, POST'],
      ['DELETE /health', 405, 'GET, HEAD, OPTIONS'],
      ['POST /app/runs', 405, 'GET, HEAD, OPTIONS'],
      ['OPTIONS /api/auth/login', 204, 'OPTIONS, POST'],
    ] as const) {
      const [method = '', path = ''] = name.split(' ')
      const { status: found, headers } = await app.call(method, path, { token: null })
      expect([name, found, headers.get('allow')]).toEqual([name, status, allow])
    }
  })

  test('what is unexpected, or breaks its own schema, is a 500 without a word of its cause, and one log line', async () => {
    await using app = await testApp()
    lose(app.deps, 'api_key')
    const { status, json } = await app.call('GET', '/auth/api-keys')
    expect([status, json]).toEqual([500, { error: 'Internal server error', code: 'internal' }])
    expect(app.logged).toEqual([expect.stringContaining('GET /auth/api-keys failed')])
    const logged: unknown[] = []
    const log = consoleLog('error', { write: (line) => void logged.push(line) })
    const broken = new Elysia()
      .onError(({ error, code, request }) => answerError({ error, code, request, log }))
      // @ts-expect-error the compiler refuses it as well
      .get('/x', () => ({ distanceM: 'far' }), { response: { 200: Type.Object({ distanceM: Type.Number() }) } })
    const answer = await broken.handle(new Request('http://localhost/x'))
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'Internal server error', code: 'internal' }])
    expect(logged).toHaveLength(1)
  })
})

const TELLTALE =
  /\/(work|tmp|home|usr|data)\/|node_modules|sqlite|SQL|constraint|TypeBox|Elysia|Unexpected|JSON Parse|Expected|\.ts\b|at .*:\d/i

function hostileBodies(): CallOptions[] {
  const form = new FormData()
  form.append('file', new File(['<gpx><trk>'], '../../etc/passwd.gpx'))
  return [
    {},
    { body: '{"a":', headers: { 'content-type': 'application/json' } },
    { json: { username: null, zones: 'x', shoeId: "'; DROP TABLE shoe; --", brand: {} } },
    { body: '--x\r\nbroken', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    { body: form },
  ]
}

test.each([false, true])(
  'error texts have no paths, SQL, or messages of libraries (broken database: %p)',
  async (isBroken) => {
    await using app = await testApp()
    const { json: document } = await app.call('GET', '/swagger/json')
    if (isBroken) lose(app.deps, 'workout')
    let refusals = 0
    for (const [path, operations] of Object.entries<object>(document.paths)) {
      // its stream never ends
      if (path === '/events') continue
      const calls = Object.keys(operations).flatMap((name) =>
        ['x', crypto.randomUUID()].flatMap((id) =>
          (name === 'get' ? [{}] : hostileBodies()).map((sent) => [name.toUpperCase(), id, sent] as const),
        ),
      )
      for (const [method, id, sent] of calls) {
        const address = `${path.replace(/\{\w+\}/g, id)}?page=x&startDate=x&timezoneOffsetMinutes=x&referenceDate=x`
        const { status, json } = await app.call(method, address, sent)
        if (status < 400) continue
        refusals += 1
        expect(json.error, `${method} ${address} ${status}`).toBeString()
        expect(json.error).not.toMatch(TELLTALE)
        expect([400, 401, 404, 413, 415, 429, 500, 503]).toContain(status)
      }
    }
    expect(refusals).toBeGreaterThan(50)
  },
)

describe('cross-origin calls', () => {
  const fromOrigin = (app: TestApp, method: string, path: string, origin: string, more = {}) =>
    app.call(method, path, { token: null, headers: { origin, ...more } })

  test('an allowed origin may ask for any method and header, for a day', async () => {
    await using app = await testApp({ env: CORS })
    const { status, headers, text } = await fromOrigin(app, 'OPTIONS', '/api/workouts/x', 'https://run.example.org', {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type, x-anything',
    })
    expect([status, text]).toEqual([204, ''])
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'access-control-allow-origin': 'https://run.example.org', 'access-control-allow-credentials': 'true' },
      ...{ 'access-control-allow-methods': 'PATCH', 'access-control-allow-headers': 'content-type, x-anything' },
      'access-control-max-age': '86400',
    })
  })

  test('the headers are on success, on 401, on 404 and on 413', async () => {
    await using app = await testApp({ env: CORS })
    const origin = 'http://localhost:3000'
    const tooLong = { 'content-length': '2000000', 'content-type': 'application/json' }
    const answers = [
      await fromOrigin(app, 'GET', '/health', origin),
      await fromOrigin(app, 'GET', '/workouts', origin),
      await app.call('GET', '/nothing', { headers: { origin } }),
      await app.call('POST', '/auth/login', { body: ' '.repeat(1_048_577), headers: { origin, ...tooLong } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 413])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')?.split(', ')).toContain('Harrier-Receipt')
      expect(headers.get('vary')).toBe('Origin')
    }
  })

  test('another origin is served as usual, without the headers', async () => {
    await using app = await testApp({ env: CORS })
    const foreign = ['https://evil.example', 'https://run.example.org.evil.example', 'null', 'https://run.example.org/']
    for (const origin of foreign) {
      const { status, headers } = await fromOrigin(app, 'GET', '/health', origin)
      expect([origin, status, [...headers.keys()].filter((name) => name.startsWith('access'))]).toEqual([
        origin,
        200,
        [],
      ])
    }
    const asked = { 'access-control-request-method': 'GET' }
    expect((await fromOrigin(app, 'OPTIONS', '/workouts', 'https://evil.example', asked)).status).toBe(401)
  })
})
