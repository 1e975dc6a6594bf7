import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { isPublic } from '../../src/auth/gate.ts'
import { answerError } from '../../src/http/errors.ts'
import { framed } from '../../src/http/frame.ts'
import { createLarge } from '../../src/http/large.ts'
import { canonicalPath } from '../../src/http/paths.ts'
import { consoleLog } from '../../src/log.ts'
import { type CallOptions, type TestApp, testApp } from '../app.ts'
import { lose } from '../library/as-stored.ts'

const CORS = { CORS_ALLOWED_ORIGINS: 'https://run.example.org, http://localhost:3000/' }

describe('addresses', () => {
  test.each([
    ['/api/workouts/', '/workouts'],
    ['/workouts/', '/workouts'],
    ['/api/', '/'],
    ['/api/api/workouts', '/api/workouts'],
    ['/apiary', '/apiary'],
  ])('%s is %s', (sent, expected) => {
    expect(canonicalPath(sent)).toBe(expected)
  })

  test('every spelling of an address reaches the same route, whatever the host', async () => {
    await using app = await testApp()
    for (const host of ['localhost', 'pi', 'nas:5001', 'x', 'run.example.org']) {
      for (const path of ['/auth/me', '/auth/me/', '/api/auth/me', '/api/auth/me/', '/api/auth/me?x=1']) {
        const request = new Request(`http://${host}${path}`, { headers: { authorization: `Bearer ${app.token}` } })
        expect((await app.handle(request)).status, host + path).toBe(200)
      }
    }
  })

  test('HEAD answers like GET, with the length and without the body', async () => {
    await using app = await testApp()
    for (const path of ['/health', '/api/auth/me/', '/auth/api-keys', '/swagger/assets/swagger-ui.css']) {
      const get = await app.call('GET', path)
      const head = await app.call('HEAD', path)
      expect(head.status).toBe(200)
      expect(head.text).toBe('')
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
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
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('an unknown path or method is 401 for strangers and 404 with credentials', async () => {
    await using app = await testApp()
    const unknown = [
      ['GET', '/nothing'],
      ['GET', '/auth/login'],
      ['PUT', '/shoes'],
      ['OPTIONS', '/shoes'],
      ['GET', '/%68ealth'],
    ] as const
    for (const [method, path] of unknown) {
      const stranger = await app.call(method, path, { token: null })
      expect(stranger.json, `${method} ${path}`).toEqual({ error: 'Invalid or expired credentials' })
      expect(stranger.status).toBe(401)
      expect(stranger.headers.get('www-authenticate')).toBe('Bearer')
    }
    for (const [method, path] of unknown.slice(0, 4)) {
      const known = await app.call(method, path)
      expect([known.status, known.json], `${method} ${path}`).toEqual([404, { error: 'Not found' }])
    }
  })

  test('what is unexpected is a 500 without a word of its cause, and one log line', async () => {
    await using app = await testApp()
    lose(app.deps, 'api_key')
    const { status, json } = await app.call('GET', '/auth/api-keys')
    expect([status, json]).toEqual([500, { error: 'Internal server error' }])
    expect(app.logged).toHaveLength(1)
    expect(app.logged[0]).toContain('GET /auth/api-keys failed')
  })

  test('an answer that breaks its own schema is a 500 and one log line', async () => {
    const logged: unknown[] = []
    const log = consoleLog('error', { write: (line) => void logged.push(line) })
    const app = new Elysia()
      .onError(({ error, code, request }) => answerError({ error, code, request, log }))
      // @ts-expect-error the compiler refuses it as well
      .get('/x', () => ({ distanceM: 'far' }), { response: { 200: Type.Object({ distanceM: Type.Number() }) } })
    const answer = await app.handle(new Request('http://localhost/x'))
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'Internal server error' }])
    expect(logged).toHaveLength(1)
  })
})

describe('how long a connection may stay silent', () => {
  const timeoutsOf = async (method: string, path: string, answer: Response) => {
    const seconds: number[] = []
    const server = { timeout: (_request: Request, value: number) => void seconds.push(value) }
    const config = { corsAllowedOrigins: [] }
    const { large } = createLarge({ after: () => () => {}, close: () => {} })
    await framed(new Request(`http://pi${path}`, { method }), () => answer, { config, server, isPublic, large })
    return seconds
  }

  test('while a request of a stranger is at work and afterwards, whatever its answer is', async () => {
    const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    expect(await timeoutsOf('GET', '/api/', page())).toEqual([45, 60])
    expect(await timeoutsOf('GET', '/assets/page.js', page())).toEqual([45, 60])
    expect(await timeoutsOf('POST', '/auth/login', Response.json({}))).toEqual([45, 60])
  })

  test('after an answer of a few bytes, and not while others are at work', async () => {
    expect(await timeoutsOf('POST', '/workouts/import', Response.json({}))).toEqual([0, 60])
    expect(await timeoutsOf('POST', '/workouts/export', new Response('a stream'))).toEqual([0])
  })
})

describe('refusals', () => {
  const TELLTALE =
    /\/(work|tmp|home|usr|data)\/|node_modules|sqlite|SQL|constraint|TypeBox|Elysia|Unexpected|JSON Parse|Expected|\.ts\b|at .*:\d/i

  test('error texts never contain file system paths, SQL, or messages of libraries', async () => {
    for (const isBroken of [false, true]) {
      await using app = await testApp()
      const { json: document } = await app.call('GET', '/swagger/json')
      if (isBroken) lose(app.deps, 'workout')
      let refusals = 0
      for (const [path, operations] of Object.entries<object>(document.paths)) {
        // its stream never ends
        if (path === '/events') continue
        for (const method of Object.keys(operations).map((name) => name.toUpperCase())) {
          for (const id of ['x', crypto.randomUUID()]) {
            for (const sent of method === 'GET' ? [{}] : hostileBodies()) {
              const address = `${path.replace(/\{\w+\}/g, id)}?page=x&startDate=x&timezoneOffsetMinutes=x&referenceDate=x`
              const { status, json } = await app.call(method, address, sent)
              if (status < 400) continue
              refusals += 1
              expect(json.error, `${method} ${address} ${status}`).toBeString()
              expect(json.error).not.toMatch(TELLTALE)
              expect([400, 401, 404, 413, 415, 429, 500, 503]).toContain(status)
            }
          }
        }
      }
      expect(refusals).toBeGreaterThan(50)
    }
  })

  function hostileBodies(): CallOptions[] {
    const form = new FormData()
    form.append('file', new File(['<gpx><trk>'], '../../etc/passwd.gpx'))
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    return [
      {},
      { body: '{"a":', headers: { 'content-type': 'application/json' } },
      { json: { username: null, zones: 'x', shoeId: "'; DROP TABLE shoe; --", brand: {} } },
      { body: '--x\r\nbroken', headers: multipart },
      { body: form },
    ]
  }
})

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
    for (const origin of [
      'https://evil.example',
      'https://run.example.org.evil.example',
      'null',
      'https://run.example.org/',
    ]) {
      const { status, headers } = await fromOrigin(app, 'GET', '/health', origin)
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toBeNull()
    }
    const asked = { 'access-control-request-method': 'GET' }
    expect((await fromOrigin(app, 'OPTIONS', '/workouts', 'https://evil.example', asked)).status).toBe(401)
  })
})
