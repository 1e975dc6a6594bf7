import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type TestApp, testApp } from '../app.ts'
import { operationsOf } from './document.ts'

const TAGS = [
  ...['Auth', 'System', 'Settings', 'Shoes', 'Statistics', 'Workouts', 'Training', 'Media', 'Receipts', 'Events'],
  'Watch folder',
]
const PUBLIC = [
  'get /health',
  'get /ready',
  'get /version',
  'post /auth/login',
  'post /auth/logout',
  'post /auth/register',
  'get /auth/registration-available',
]
/** Their credential is in the path. */
const KEYED = ['post /in/{key}', 'put /in/{key}', 'post /in/{key}/{name}', 'put /in/{key}/{name}']
/** A browser sends it, and is led on whatever happens. */
const LEADING = 'post /share'

async function operations(app: TestApp) {
  return operationsOf((await app.call('GET', '/swagger/json', { token: null })).json)
}

describe('the OpenAPI document', () => {
  test('has an example of every request body, and each JSON one is accepted by its own schema', async () => {
    await using app = await testApp()
    let bodies = 0
    for (const [name, { requestBody }] of await operations(app)) {
      for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
        bodies++
        // the file itself
        if (type === 'application/octet-stream') continue
        const { schema, example } = media as { schema: { examples?: unknown[] }; example?: unknown }
        if (type !== 'application/json') {
          expect(example, name).toBeObject()
          continue
        }
        expect(schema.examples, name).toBeArray()
        const ajv = new Ajv2020({ strict: false })
        addFormats(ajv)
        for (const one of schema.examples ?? [])
          expect(ajv.validate(schema, one), `${name}: ${ajv.errorsText()}`).toBe(true)
      }
    }
    expect(bodies).toBeGreaterThan(14)
  })

  test('has an example of every answer about training, accepted by its own schema', async () => {
    await using app = await testApp()
    let answers = 0
    for (const [name, { tags, responses }] of await operations(app)) {
      if (tags?.[0] !== 'Training') continue
      for (const status of ['200', '201']) {
        const answer = responses[status] as
          | { content?: Record<string, { schema: { examples?: unknown[] } }> }
          | undefined
        const schema = answer?.content?.['application/json']?.schema
        if (schema === undefined) continue
        answers += 1
        expect(schema.examples, name).toBeArrayOfSize(1)
        const ajv = new Ajv2020({ strict: false, allErrors: true })
        addFormats(ajv)
        expect(ajv.validate(schema, schema.examples?.[0]), `${name}: ${ajv.errorsText()}`).toBe(true)
      }
    }
    expect(answers).toBeGreaterThan(16)
  })

  test('is valid and names its version', async () => {
    await using app = await testApp()
    const { status, json } = await app.call('GET', '/api/swagger/json/', { token: null })
    expect(status).toBe(200)
    expect(json.openapi).toStartWith('3.')
    expect([json.info.title, json.info.version]).toEqual(['Harrier', '2.6.0'])
    expect(Object.keys(json.components.securitySchemes)).toEqual(['bearerAuth', 'cookieAuth'])
    expect(await new Validator().validate(json)).toEqual({ valid: true })
  })

  test('has for every operation a summary, who may call it and its answers', async () => {
    await using app = await testApp()
    const all = await operations(app)
    expect(all.length).toBeGreaterThan(15)
    for (const [name, operation] of all) {
      expect(operation.summary, name).toBeString()
      expect(operation.tags, name).toHaveLength(1)
      expect(TAGS).toContain(operation.tags?.[0] ?? '')
      expect(name).not.toContain(' /api/')
      expect(name).not.toMatch(/.\/$/)
      const isPublic = PUBLIC.includes(name)
      const isOpen = isPublic || KEYED.includes(name)
      const security = name === LEADING ? [{ cookieAuth: [] }] : [{ bearerAuth: [] }, { cookieAuth: [] }]
      expect(operation.security, name).toEqual(isOpen ? [] : security)
      const statuses = Object.keys(operation.responses)
      expect(
        statuses.some((status) => status.startsWith(name === LEADING ? '303' : '2')),
        name,
      ).toBe(true)
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) expect(schema, name).toBeDefined()
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (!['204', '206', '303', '304'].includes(status))
          expect(Object.keys(content ?? {}), `${name} ${status}`).not.toEqual([])
      }
    }
    for (const path of PUBLIC) expect(all.map(([name]) => name)).toContain(path)
  })

  test('the operations that refuse an API key say so', async () => {
    await using app = await testApp()
    const all = new Map(await operations(app))
    for (const name of ['post /auth/change-password', 'post /auth/api-keys']) {
      expect(all.get(name)?.description).toContain('an API key is refused')
    }
    expect(all.get('get /auth/me')?.description ?? '').not.toContain('an API key is refused')
  })

  test('is the same before and after its routes were called', async () => {
    await using before = await testApp()
    await using after = await testApp()
    await after.call('GET', '/version')
    await after.call('GET', '/auth/me')
    await after.call('GET', '/shoes')
    const [first, second] = [await before.call('GET', '/swagger/json'), await after.call('GET', '/swagger/json')]
    expect(second.text).toBe(first.text)
  })
})

describe('the interactive page', () => {
  test('comes without the package that reports every installation to its makers', async () => {
    const root = new URL('../../', import.meta.url).pathname
    for (const file of ['package.json', 'bun.lock']) {
      expect(await Bun.file(root + file).text(), file).not.toMatch(/scarf|swagger-ui/)
    }
    // the licences ask to go along with what they cover
    for (const file of ['LICENSE.txt', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
      expect((await Bun.file(`${root}src/http/swagger-ui/${file}`).text()).length, file).toBeGreaterThan(10_000)
    }
  })

  test('and all it loads come out of this process, for strangers too', async () => {
    await using app = await testApp()
    const page = await app.call('GET', '/swagger', { token: null })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).not.toMatch(/https?:/)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policy.split('; ')).toContain(rule)
    }
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
    expect(loaded).toHaveLength(3)
    for (const address of loaded) {
      const { status, text, headers } = await app.call('GET', address, { token: null })
      expect([address, status]).toEqual([address, 200])
      expect(text.length).toBeGreaterThan(50)
      expect(headers.get('content-type')).toMatch(/^text\/(css|javascript)/)
    }
  })
})
