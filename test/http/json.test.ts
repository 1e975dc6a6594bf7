import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { checked } from '../../src/http/check.ts'
import { json } from '../../src/http/json.ts'
import { choice, integer, nullable, trimmedText, Uuid } from '../../src/http/schemas.ts'
import { testApp } from '../app.ts'

const Body = Type.Object({
  name: Type.Optional(nullable(trimmedText({ minLength: 1, maxLength: 5 }))),
  rpe: Type.Optional(nullable(integer({ minimum: 1, maximum: 10 }))),
  distanceM: Type.Optional(Type.Number({ minimum: 0 })),
  remember: Type.Optional(Type.Boolean()),
  runType: Type.Optional(nullable(choice('Race', 'Easy Run'))),
  shoeId: Type.Optional(Uuid),
  zones: Type.Optional(Type.Array(Type.Object({ minBpm: integer(), maxBpm: integer() }), { minItems: 2, maxItems: 2 })),
})

/** What a route would be given, or the refusal. */
function read(text: string, options: Parameters<typeof json>[1] = {}): unknown {
  try {
    return json(Body, options).body['~standard'].validate(new TextEncoder().encode(text)).value
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

describe('a JSON body', () => {
  test.each([
    ['{"rpe":7.0}', { rpe: 7 }],
    ['{"RPE":7,"DistanceM":1.5}', { rpe: 7, distanceM: 1.5 }],
    ['{"Rpe":3,"rpe":4,"RPE":5}', { rpe: 4 }],
    ['{"rpe":null,"unknown":{"a":1}}', { rpe: null }],
    ['{"name":"  äöüßé  "}', { name: 'äöüßé' }],
    ['{"name":"🏃🏃🏃🏃🏃"}', { name: '🏃🏃🏃🏃🏃' }],
    ['{"runType":"Easy Run"}', { runType: 'Easy Run' }],
    ['{"shoeId":"0198A000-0000-7000-8000-00000000000A"}', { shoeId: '0198a000-0000-7000-8000-00000000000a' }],
    [
      '{"zones":[{"MinBpm":1,"maxbpm":2},{"minBpm":2,"maxBpm":3}]}',
      {
        zones: [
          { minBpm: 1, maxBpm: 2 },
          { minBpm: 2, maxBpm: 3 },
        ],
      },
    ],
    ['\ufeff {}', {}],
    ['{"__proto__":{"rpe":3},"constructor":1}', {}],
  ])('%s is read', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each([
    ['{"rpe":"7"}', 'rpe must be an integer from 1 to 10 or null'],
    ['{"rpe":7.5}', 'rpe must be an integer from 1 to 10 or null'],
    ['{"rpe":[7]}', 'rpe must be an integer from 1 to 10 or null'],
    ['{"distanceM":"5"}', 'distanceM must be a number of at least 0'],
    ['{"distanceM":-0.1}', 'distanceM must be a number of at least 0'],
    ['{"remember":"true"}', 'remember must be true or false'],
    ['{"runType":"race"}', 'runType must be one of Race, Easy Run or null'],
    ['{"name":"   "}', 'name must be text of 1 to 5 characters or null'],
    ['{"name":"🏃🏃🏃🏃🏃🏃"}', 'name must be text of 1 to 5 characters or null'],
    ['{"shoeId":"7"}', 'shoeId must be a UUID'],
    ['{"zones":[]}', 'zones must be an array of exactly 2 entries'],
    ['{"zones":[{"minBpm":1,"maxBpm":2},{"minBpm":"2","maxBpm":3}]}', 'zones[1].minBpm must be an integer'],
    ['{"zones":[{"minBpm":1,"maxBpm":2},{"minBpm":2}]}', 'zones[1].maxBpm is required and must be an integer'],
    ['[]', 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['', 'The request body is missing; it must be a JSON object'],
    ['{"rpe":', 'The request body is not valid JSON'],
    [`${'['.repeat(200_000)}`, 'The request body is not valid JSON'],
  ])('%.40s is refused', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('an alias counts only when the key itself is absent, in whatever case', () => {
    const aliases = { effort: 'rpe' }
    expect(read('{"Effort":4}', { aliases })).toEqual({ rpe: 4 })
    expect(read('{"effort":4,"RPE":5}', { aliases })).toEqual({ rpe: 5 })
    expect(read('{"effort":4,"rpe":null}', { aliases })).toEqual({ rpe: null })
  })

  test('an optional body may be absent, blank or null, but not another type', () => {
    for (const text of ['', '  ', 'null', '{}']) expect(read(text, { optional: true })).toEqual({})
    expect(read('[]', { optional: true })).toBe('The request body must be a JSON object')
  })

  test('a value of no schema stays as it is', () => {
    expect(checked(Type.Unknown(), { a: [1] }, 'x')).toEqual({ a: [1] })
  })
})

describe('the body of a JSON route', () => {
  const keys = '/auth/api-keys'

  test('over 1 MiB is 413, announced or not', async () => {
    await using app = await testApp()
    const large = ' '.repeat(1_048_577)
    const chunked = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
    for (const body of [large, chunked]) {
      const { status, json: sent } = await app.call('POST', keys, { body })
      expect([status, typeof sent.error]).toEqual([413, 'string'])
    }
    const exact = `{"label":"x"}${' '.repeat(1_048_576 - 13)}`
    expect(
      (await app.call('POST', keys, { body: exact, headers: { 'content-type': 'application/json' } })).status,
    ).toBe(201)
  })

  test('another declared content type is 415, a missing one counts as JSON, and an empty body has none', async () => {
    await using app = await testApp()
    const post = async (body: string | undefined, type: string) => {
      const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      return (await app.call('POST', keys, { ...(bytes === undefined ? {} : { body: bytes }), headers })).status
    }
    expect(await post('{}', '')).toBe(201)
    expect(await post('{}', 'application/json; charset=utf-8')).toBe(201)
    expect(await post('{}', 'application/vnd.api+json')).toBe(201)
    expect(await post('{}', 'text/plain')).toBe(415)
    expect(await post('label=x', 'application/x-www-form-urlencoded')).toBe(415)
    expect(await post(undefined, 'text/plain')).toBe(201)
    expect(await post('', 'application/json')).toBe(201)
  })

  test('a route without a body takes an empty or any other body of any type', async () => {
    await using app = await testApp()
    for (const body of [undefined, '', '{broken']) {
      const sent = { headers: { 'content-type': 'application/json' }, ...(body === undefined ? {} : { body }) }
      expect((await app.call('POST', '/auth/logout', sent)).status).toBe(200)
    }
  })

  test('checks come in order: 401, 413 and 415, malformed path id, body', async () => {
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
