import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { checked } from '../../src/http/check.ts'
import { json } from '../../src/http/json.ts'
import { query } from '../../src/http/query.ts'
import { choice, integer, nullable, trimmedText, Uuid } from '../../src/http/schemas.ts'
import { type TestApp, testApp } from '../app.ts'

const Body = Type.Object({
  name: Type.Optional(nullable(trimmedText({ minLength: 1, maxLength: 5 }))),
  rpe: Type.Optional(nullable(integer({ minimum: 1, maximum: 10 }))),
  distanceM: Type.Optional(Type.Number({ minimum: 0 })),
  remember: Type.Optional(Type.Boolean()),
  runType: Type.Optional(nullable(choice('Race', 'Easy Run'))),
  shoeId: Type.Optional(Uuid),
  zones: Type.Optional(Type.Array(Type.Object({ minBpm: integer(), maxBpm: integer() }), { minItems: 2, maxItems: 2 })),
})
const Query = Type.Object({
  page: Type.Optional(integer()),
  offset: Type.Optional(integer({ minimum: -840, maximum: 840 })),
  minDistanceM: Type.Optional(Type.Number()),
  includeRaw: Type.Optional(Type.Boolean()),
  keyword: Type.Optional(Type.String()),
  unit: Type.Optional(choice('metric', 'imperial')),
})

type Options = Parameters<typeof json>[1]

/** What a route would be given, or the refusal. */
function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const bodyOf = (text: string, options: Options = {}) =>
  outcome(() => json(Body, options).body['~standard'].validate(new TextEncoder().encode(text)).value)

function queryOf(text: string): unknown {
  const options = query(Query)
  const context = { request: new Request(`http://localhost/x${text}`), query: undefined as unknown }
  options.transform(context)
  return outcome(() => options.query['~standard'].validate(context.query).value)
}

const RPE = 'rpe must be an integer from 1 to 10 or null'
const DISTANCE = 'distanceM must be a number of at least 0'
const NAME = 'name must be text of 1 to 5 characters or null'
const NO_OBJECT = 'The request body must be a JSON object'
const INVALID = 'The request body is not valid JSON'
const zones = (...pairs: readonly (readonly [number, number])[]) => ({
  zones: pairs.map(([minBpm, maxBpm]) => ({ minBpm, maxBpm })),
})

test.each<[text: string, expected: unknown]>([
  ['{"rpe":7.0}', { rpe: 7 }],
  ['{"RPE":7,"DistanceM":1.5}', { rpe: 7, distanceM: 1.5 }],
  ['{"Rpe":3,"rpe":4,"RPE":5}', { rpe: 4 }],
  ['{"rpe":null,"unknown":{"a":1}}', { rpe: null }],
  ['{"name":"  äöüßé  "}', { name: 'äöüßé' }],
  ['{"name":"🏃🏃🏃🏃🏃"}', { name: '🏃🏃🏃🏃🏃' }],
  ['{"runType":"Easy Run"}', { runType: 'Easy Run' }],
  ['{"shoeId":"0198A000-0000-7000-8000-00000000000A"}', { shoeId: '0198a000-0000-7000-8000-00000000000a' }],
  ['{"zones":[{"MinBpm":1,"maxbpm":2},{"minBpm":2,"maxBpm":3}]}', zones([1, 2], [2, 3])],
  ['\ufeff {}', {}],
  ['{"__proto__":{"rpe":3},"constructor":1}', {}],
  ['{"rpe":"7"}', RPE],
  ['{"rpe":7.5}', RPE],
  ['{"rpe":[7]}', RPE],
  ['{"distanceM":"5"}', DISTANCE],
  ['{"distanceM":-0.1}', DISTANCE],
  ['{"remember":"true"}', 'remember must be true or false'],
  ['{"runType":"race"}', 'runType must be one of Race, Easy Run or null'],
  ['{"name":"   "}', NAME],
  ['{"name":"🏃🏃🏃🏃🏃🏃"}', NAME],
  ['{"shoeId":"7"}', 'shoeId must be a UUID'],
  ['{"zones":[]}', 'zones must be an array of exactly 2 entries'],
  ['{"zones":[{"minBpm":1,"maxBpm":2},{"minBpm":"2","maxBpm":3}]}', 'zones[1].minBpm must be an integer'],
  ['{"zones":[{"minBpm":1,"maxBpm":2},{"minBpm":2}]}', 'zones[1].maxBpm is required and must be an integer'],
  ['[]', NO_OBJECT],
  ['null', NO_OBJECT],
  ['', 'The request body is missing; it must be a JSON object'],
  ['{"rpe":', INVALID],
  ['['.repeat(200_000), INVALID],
])('the JSON body %.40s is %j', (text, expected) => {
  expect(bodyOf(text)).toEqual(expected)
})

test('an alias counts only when the key itself is absent, in whatever case; an optional body may be absent', () => {
  const aliases = { effort: 'rpe' }
  expect(bodyOf('{"Effort":4}', { aliases })).toEqual({ rpe: 4 })
  expect(bodyOf('{"effort":4,"RPE":5}', { aliases })).toEqual({ rpe: 5 })
  expect(bodyOf('{"effort":4,"rpe":null}', { aliases })).toEqual({ rpe: null })
  for (const text of ['', '  ', 'null', '{}']) expect(bodyOf(text, { optional: true })).toEqual({})
  expect(bodyOf('[]', { optional: true })).toBe(NO_OBJECT)
  expect(checked(Type.Unknown(), { a: [1] }, 'x')).toEqual({ a: [1] })
})

test.each<[text: string, expected: unknown]>([
  ['', {}],
  ['?', {}],
  ['?page=3&offset=-300', { page: 3, offset: -300 }],
  ['?minDistanceM=1e3&includeRaw=FALSE', { minDistanceM: 1000, includeRaw: false }],
  ['?offset=+60', { offset: 60 }],
  ['?keyword=5,5%20km+%26+%7Bx%7D', { keyword: '5,5 km & {x}' }],
  ['?keyword=[1,2]', { keyword: '[1,2]' }],
  ['?keyword=', { keyword: '' }],
  ['?other=1&other=2&Page=x', {}],
  ['?unit=imperial', { unit: 'imperial' }],
  ['?page=1&page=2', 'page must not be repeated'],
  ['?page=1.5', 'page must be an integer'],
  ['?page=0x10', 'page must be an integer'],
  ['?page=99999999999999999999', 'page must be an integer'],
  ['?offset=841', 'offset must be an integer from -840 to 840'],
  ['?minDistanceM=NaN', 'minDistanceM must be a number'],
  ['?minDistanceM=1e999', 'minDistanceM must be a number'],
  ['?includeRaw=yes', 'includeRaw must be true or false'],
  ['?unit=Metric', 'unit must be one of metric, imperial'],
  ['?keyword=%zz&keyword=a', 'keyword must not be repeated'],
])('the query %s is %j', (text, expected) => {
  expect(queryOf(text)).toEqual(expected)
})

describe('the body of a JSON route', () => {
  const post = async (app: TestApp, body: BodyInit | undefined, type = '', path = '/auth/api-keys') => {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return await app.call('POST', path, { ...(bytes === undefined ? {} : { body: bytes }), headers })
  }

  test('over 1 MiB is 413, announced or not', async () => {
    await using app = await testApp()
    const chunked = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
    for (const body of [' '.repeat(1_048_577), chunked])
      expect(await post(app, body)).toMatchObject({ status: 413, json: { error: expect.any(String) } })
    const exact = `{"label":"x"}${' '.repeat(1_048_576 - 13)}`
    expect((await post(app, exact, 'application/json')).status).toBe(201)
  })

  test('of another declared type is 415; a missing one counts as JSON, an empty body has none', async () => {
    await using app = await testApp()
    for (const [body, type, status] of [
      ['{}', '', 201],
      ['{}', 'application/json; charset=utf-8', 201],
      ['{}', 'application/vnd.api+json', 201],
      ['{}', 'text/plain', 415],
      ['label=x', 'application/x-www-form-urlencoded', 415],
      [undefined, 'text/plain', 201],
      ['', 'application/json', 201],
    ] as const)
      expect([body, type, (await post(app, body, type)).status]).toEqual([body, type, status])
    // where none is wanted any does
    for (const body of [undefined, '', '{broken'])
      expect((await post(app, body, 'application/json', '/auth/logout')).status).toBe(200)
  })

  test('is checked in order: 401, 413 and 415, malformed path id, body', async () => {
    await using app = await testApp()
    const broken = { body: '{broken', headers: { 'content-type': 'application/json' } }
    const patch = async (path: string, sent: object) => (await app.call('PATCH', path, sent)).status
    expect(await patch('/shoes/x', { ...broken, token: null })).toBe(401)
    expect(await patch('/shoes/x', { body: ' '.repeat(1_048_577) })).toBe(413)
    expect(await patch('/shoes/x', { body: 'x', headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await patch('/shoes/x', broken)).toBe(404)
    expect(await patch(`/shoes/${crypto.randomUUID()}`, broken)).toBe(400)
    expect(await patch(`/shoes/${crypto.randomUUID()}`, { json: {} })).toBe(404)
  })
})

test('what changes something names its receipt in a header; a question, and a change of nothing, has none', async () => {
  await using app = await testApp()
  const receiptOf = async (method: string, path: string, json?: object) => {
    const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' }
    const body = json === undefined ? null : JSON.stringify(json)
    const answer = await app.handle(new Request(`http://localhost${path}`, { method, headers, body }))
    return answer.headers.get('harrier-receipt')
  }
  const run = { startedAt: '2025-11-03T07:00:00Z', durationS: 1500, distanceM: 5000 }
  const left = await receiptOf('POST', '/workouts', run)
  expect((await app.ok('GET', '/receipts')).items.map(({ id }: { id: string }) => id)).toEqual([left])
  const { items } = await app.ok('GET', '/workouts')
  expect(await receiptOf('GET', '/workouts')).toBeNull()
  expect(await receiptOf('PATCH', `/workouts/${items[0].id}`, {})).toBeNull()
})
