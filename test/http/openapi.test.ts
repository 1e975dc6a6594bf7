import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type TestApp, testApp } from '../app.ts'
import { departures, type Operation, operationsOf, type Schema } from './document.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const TAGS = [
  ...['Auth', 'System', 'Settings', 'Shoes', 'Statistics', 'Workouts', 'Training', 'Truth', 'Media', 'Places'],
  ...['Receipts', 'Watch folder', 'Events'],
]
const PUBLIC = [
  ...['get /health', 'get /ready', 'get /version', 'post /auth/login', 'post /auth/logout', 'post /auth/register'],
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
  test('has an id, a description and an example of every operation, and each example fits its schema', async () => {
    await using app = await testApp()
    const { json: document } = await app.call('GET', '/swagger/json')
    const ids = new Set<string>()
    const without: string[] = []
    for (const [name, { operationId = '', description, requestBody, responses }] of operationsOf(document)) {
      expect(operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
      ids.add(operationId)
      expect(description?.length, name).toBeGreaterThan(20)
      const answers = Object.entries(responses).map(([status, { content }]) => [status, content] as const)
      for (const [of, content = {}] of [['request', requestBody?.content] as const, ...answers]) {
        for (const [type, { schema, example }] of Object.entries(content)) {
          if (example === undefined) without.push(`${name} ${of} ${type}`)
          else expect([name, of, departures(document, schema ?? {}, example)]).toEqual([name, of, null])
        }
      }
    }
    expect(ids.size).toBe(operationsOf(document).length)
    expect(without.filter((one) => one.endsWith(' application/json'))).toEqual([])
  })

  test('names what occurs twice, has no choice without enum, no member without a type, and is small', async () => {
    await using app = await testApp()
    const { json: document, text } = await app.call('GET', '/swagger/json')
    const seen = new Map<string, number>()
    const odd: string[] = []
    const look = (schema: Schema, place: string): void => {
      const { type, anyOf, $ref, enum: words, properties = {}, items, ...rest } = schema
      if (type === undefined && anyOf === undefined && $ref === undefined) odd.push(`${place}: no type`)
      if (anyOf?.every((part) => part.const !== undefined || part.type === 'null')) odd.push(`${place}: constants`)
      if (Object.keys(properties).length > 0 || words !== undefined) {
        const shape = JSON.stringify({ type, anyOf, words, properties, items, required: rest.required })
        seen.set(shape, (seen.get(shape) ?? 0) + 1)
        if (seen.get(shape) === 2) odd.push(`${place}: twice`)
      }
      for (const [key, part] of Object.entries(properties)) look(part, `${place}.${key}`)
      for (const part of [...(anyOf ?? []), ...(items === undefined ? [] : [items])]) look(part, `${place} of`)
    }
    for (const [name, schema] of Object.entries<Schema>(document.components.schemas)) look(schema, name)
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
      for (const [method, { requestBody, responses, parameters = [] }] of Object.entries(methods)) {
        const bodies = [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}))
        for (const { schema } of [...bodies, ...(parameters as readonly { schema?: Schema }[])]) {
          if (schema !== undefined && schema.format !== 'binary') look(schema, `${method} ${path}`)
        }
      }
    }
    expect(odd).toEqual([])
    // 300 KB, 45 KB gzipped, at the 141 operations the bound was made for
    const share = (await operations(app)).length / 141
    expect(text.length).toBeLessThanOrEqual(300_000 * Math.max(1, share))
    expect(Bun.gzipSync(text).length).toBeLessThanOrEqual(45_000 * Math.max(1, share))
  })

  test('says bytes of bytes only: figures for Prometheus and events are text', async () => {
    await using app = await testApp()
    const all = new Map(await operations(app))
    expect(all.get('get /metrics')?.responses[200]?.content).toEqual({ 'text/plain': { schema: { type: 'string' } } })
    const binary = [...all].flatMap(([name, { responses }]) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([type, { schema }]) =>
          schema.format === 'binary' ? [`${type} of ${name}`] : [],
        ),
      ),
    )
    expect(binary.length).toBeGreaterThan(10)
    expect(binary.filter((one) => one.startsWith('text/'))).toEqual([])
  })

  test('declares every tag, with a description', async () => {
    await using app = await testApp()
    const { tags } = (await app.call('GET', '/swagger/json')).json
    expect(tags).toEqual(TAGS.map((name) => ({ name, description: expect.any(String) })))
  })

  test('is valid and names its version', async () => {
    await using app = await testApp()
    const { status, json } = await app.call('GET', '/api/swagger/json/', { token: null })
    expect(status).toBe(200)
    expect(json.openapi).toStartWith('3.')
    expect([json.info.title, json.info.version, json.info['x-harrier-version']]).toEqual(['Harrier', '2.6.0', '2.9.0'])
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
})

describe('the interactive page', () => {
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
