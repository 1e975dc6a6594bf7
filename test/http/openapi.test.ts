import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import packaged from '../../package.json' with { type: 'json' }
import { type TestApp, testApp } from '../app.ts'
import { type Document, departures, type Operation, operationsOf, type Schema } from './document.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const PUBLIC = [
  ...['get /health', 'get /ready', 'get /version', 'post /auth/login', 'post /auth/logout', 'post /auth/register'],
  'get /auth/registration-available',
]
/** Their credential is in the path. */
const KEYED = [
  ...['post /in/{key}', 'put /in/{key}', 'post /in/{key}/{name}', 'put /in/{key}/{name}'],
  ...['get /calendar/{feed}', 'get /s/{token}', 'get /s/{token}/photos/{number}'],
]
/** A browser sends it, and is led on whatever happens. */
const LEADING = 'post /share'

let app: TestApp
let document: Document
let text: string
let all: ReturnType<typeof operationsOf>
beforeAll(async () => {
  app = await testApp()
  const answer = await app.call('GET', '/api/swagger/json/', { token: null })
  expect(answer.status).toBe(200)
  ;({ json: document, text } = answer)
  all = operationsOf(document)
})
afterAll(() => app.close())

/** The schemas and examples of every body that is sent or answered. */
function bodiesOf({ requestBody, responses }: Operation) {
  return Object.entries({ request: requestBody, ...responses }).flatMap(([of, body]) =>
    Object.entries(body?.content ?? {}).map(([type, { schema, example }]) => ({ of, type, schema, example })),
  )
}

describe('the OpenAPI document', () => {
  test('is valid, names its version, and declares every tag with a description', async () => {
    const { openapi, info, tags, components } = document as unknown as Record<string, Record<string, string>>
    expect(openapi).toStartWith('3.')
    expect([info?.title, info?.version, info?.['x-harrier-version']]).toEqual(['Harrier', '2.6.0', packaged.version])
    expect(Object.keys(components!.securitySchemes!)).toEqual(['bearerAuth', 'cookieAuth'])
    const used = [...new Set(all.flatMap(([, { tags }]) => tags ?? []))].toSorted()
    const declared = tags as unknown as readonly { readonly name: string; readonly description: string }[]
    expect(declared.map(({ name }) => name).toSorted()).toEqual(used)
    for (const tag of declared)
      expect(tag).toEqual({ name: expect.any(String), description: expect.stringMatching(/./) })
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true })
  })

  test('has of every operation an id, a summary, examples that fit, who may call it and its answers', () => {
    const examples = new Set<string>()
    for (const [name, operation] of all) {
      const { operationId = '', summary, description, tags = [], security, responses } = operation
      expect(operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
      expect(description?.length, name).toBeGreaterThan(20)
      expect(summary, name).toBeString()
      expect(tags, name).toHaveLength(1)
      expect(name).not.toMatch(/ \/api\/|.\/$/)
      const ways = name === LEADING ? [{ cookieAuth: [] }] : [{ bearerAuth: [] }, { cookieAuth: [] }]
      expect(security, name).toEqual([...PUBLIC, ...KEYED].includes(name) ? [] : ways)
      const success = name === LEADING ? '303' : '2'
      expect([name, Object.keys(responses).some((status) => status.startsWith(success))]).toEqual([name, true])
      for (const [status, { content = {} }] of Object.entries(responses))
        if (!['204', '206', '303', '304'].includes(status))
          expect(Object.keys(content), `${name} ${status}`).not.toEqual([])
      for (const { of, schema, example } of bodiesOf(operation)) {
        expect([name, of, schema]).toEqual([name, of, expect.anything()])
        if (example === undefined) continue
        expect([name, of, departures(document, schema!, example)]).toEqual([name, of, null])
        examples.add(JSON.stringify(example))
      }
    }
    // where a picture helps; the rest is made of schemas
    expect([...examples].filter((example) => !example.startsWith('{"error"')).length).toBeWithin(10, all.length / 2)
    expect(new Set(all.map(([, { operationId }]) => operationId)).size).toBe(all.length)
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining([...PUBLIC, ...KEYED, LEADING]))
  })

  test('names what is more than three members, describes every member and parameter, has no choice without enum', () => {
    const odd: string[] = []
    const schemas = document.components.schemas!
    const isTold = ({ description, $ref = '', anyOf = [] }: Schema): boolean =>
      [description, schemas[$ref.split('/').at(-1)!]?.description].some((words) => (words?.length ?? 0) > 3) ||
      anyOf.some(isTold)
    const look = (schema: Schema, place: string): void => {
      const { type, anyOf, $ref, properties = {}, items } = schema
      if (type === undefined && anyOf === undefined && $ref === undefined) odd.push(`${place}: no type`)
      if (anyOf?.every((part) => part.const !== undefined || part.type === 'null')) odd.push(`${place}: constants`)
      for (const [key, part] of Object.entries(properties)) {
        if (!isTold(part)) odd.push(`${place}.${key}: no description`)
        look(part, `${place}.${key}`)
      }
      for (const part of [...(anyOf ?? []), ...(items === undefined ? [] : [items])]) look(part, `${place} of`)
    }
    for (const [name, schema] of Object.entries(schemas)) {
      look(schema, name)
      // what a generated client would call a class of its language
      if (/^(Set|Run|Kind|Other|Entry|Id|Item|Data|Result|List)$/.test(name)) odd.push(`${name}: says nothing`)
    }
    const shared = document.components.parameters as unknown as Record<string, NonNullable<Operation['parameters']>[0]>
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const place = `${method} ${path}`
        for (const parameter of operation.parameters ?? []) {
          const $ref = '$ref' in parameter ? String(parameter.$ref) : ''
          const { name, description, schema } = shared[$ref.split('/').at(-1)!] ?? parameter
          if (!isTold({ ...schema, ...(description !== undefined && { description }) }))
            odd.push(`${place} ?${name}: no description`)
          look(schema, `${place} ?${name}`)
        }
        for (const { of, type, schema } of bodiesOf(operation)) {
          if (schema === undefined || schema.format === 'binary') continue
          look(schema, `${place} ${of}`)
          if (type.endsWith('json') && Object.keys(schema.properties ?? {}).length > 3)
            odd.push(`${place} ${of}: no name`)
        }
      }
    }
    expect(odd).toEqual([])
    // it is read by people who program, once
    expect(text.length).toBeLessThanOrEqual(550_000)
  })

  test('has tags of fifteen calls at most, and opens with ten calls to begin with', () => {
    for (const [tag, calls] of Map.groupBy(all, ([, { tags }]) => tags?.[0] ?? ''))
      expect(calls.length, `calls of ${tag}: the next ones need another tag`).toBeLessThanOrEqual(15)
    const begin = (document as unknown as { info: { description: string } }).info.description
    const ids = [...begin.matchAll(/\]\(#\/([^/)]+)\/(\w+)\)/g)].map(([, tag, id]) => [decodeURI(tag!), id])
    expect(ids).toHaveLength(10)
    const known = all.map(([, { tags, operationId }]) => [tags?.[0]?.replaceAll(' ', '_'), operationId])
    for (const id of ids) expect(known).toContainEqual(id)
  })
})

test('the interactive page and all it loads come out of this process, for strangers too', async () => {
  const page = await app.call('GET', '/swagger', { token: null })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).not.toMatch(/https?:/)
  const policy = page.headers.get('content-security-policy')?.split('; ') ?? []
  const rules = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]
  expect(policy).toEqual(expect.arrayContaining(rules))
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
  expect(loaded).toHaveLength(3)
  for (const address of loaded) {
    const { status, text: found, headers } = await app.call('GET', address, { token: null })
    expect([address, status]).toEqual([address, 200])
    expect(found.length).toBeGreaterThan(50)
    expect(headers.get('content-type')).toMatch(/^text\/(css|javascript)/)
  }
})
