import { beforeAll, expect, test } from 'bun:test'
import { RUNNER, testApp } from '../app.ts'
import { type Document, departures, operationsOf, type Schema } from './document.ts'

// What clients that are generated from the document have to know before they ask, and that it is true.

let documented: ReadonlyMap<string, ReturnType<typeof operationsOf>[number][1]>
beforeAll(async () => {
  await using app = await testApp()
  documented = new Map(operationsOf((await app.ok('GET', '/swagger/json')) as Document))
})

/** In words, since they hold for one method only; each of the bodies is just beyond. */
type Limited = readonly [operation: string, member: string, words: string, beyond: readonly object[]]

const zone = (minBpm: number, maxBpm: number) => ({ minBpm, maxBpm })
const custom = (first: number, last: number, more: readonly object[] = []) => ({
  calculationMethod: 'Custom',
  zones: [zone(first, 120), zone(120, 130), zone(130, 140), zone(140, 150), zone(150, last), ...more],
})
const ZONES = ['put /settings/heart-rate-zones', 'post /settings/heart-rate-zones/update-with-recalc'] as const

const karvonen = (more: object) => ({
  ...{ calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 50, ...more },
})

const LIMITS: readonly Limited[] = ZONES.flatMap((operation): Limited[] => [
  [operation, 'age', '1 to 120', [0, 121].map((age) => ({ calculationMethod: 'AgeBased', age }))],
  [operation, 'restingHeartRateBpm', '30 to 120', [29, 121].map((bpm) => karvonen({ restingHeartRateBpm: bpm }))],
  [operation, 'maxHeartRateBpm', '60 to 250', [59, 251].map((bpm) => karvonen({ maxHeartRateBpm: bpm }))],
  [
    operation,
    'zones',
    '5 in order within 30 to 250',
    [
      { calculationMethod: 'Custom', zones: custom(90, 200).zones.slice(1) },
      custom(90, 200, [zone(200, 210)]),
      custom(29, 200),
      custom(90, 251),
    ],
  ],
])

test.each(LIMITS)(
  '%s says the limits of %s, which are those of the service',
  async (operation, member, words, beyond) => {
    const [method = '', path = ''] = operation.split(' ')
    const body = documented.get(operation)?.requestBody?.content['application/json'] as { schema: Schema } | undefined
    const schema = body?.schema.properties?.[member]
    expect(schema?.anyOf?.[0] ?? schema).toMatchObject({ description: expect.stringContaining(words) })
    await using app = await testApp()
    for (const json of beyond) expect((await app.call(method.toUpperCase(), path, { json })).status).toBe(400)
  },
)

const SIX_ZONES = { calculationMethod: 'AgeBased', age: 40, zones: custom(90, 200, [zone(7, 9)]).zones }
const IGNORED: readonly (readonly [string, object])[] = [
  ...ZONES.map((name) => [name, SIX_ZONES] as const),
  ...ZONES.map((name) => [name, { ...custom(90, 200), age: 0, maxHeartRateBpm: 999 }] as const),
  ['get /workouts', { startDate: '', endDate: ' ' }],
]
test.each(IGNORED)('%s ignores %j, and the document allows it', async (operation, sent) => {
  const [method = '', path = ''] = operation.split(' ')
  await using app = await testApp()
  const { requestBody, parameters = [] } = documented.get(operation) ?? { responses: {} }
  const document = await app.ok('GET', '/swagger/json')
  const body = requestBody?.content['application/json']?.schema
  for (const [name, value] of Object.entries(sent)) {
    const parameter = parameters.find((one) => one.name === name) as { schema: Schema } | undefined
    const schema = parameter?.schema ?? body?.properties?.[name]
    expect([name, departures(document, schema ?? {}, value), schema]).toEqual([name, null, expect.anything()])
  }
  const query = method === 'get' ? `?${new URLSearchParams(sent as Record<string, string>)}` : ''
  const { status } = await app.call(method.toUpperCase(), path + query, method === 'get' ? {} : { json: sent })
  expect(status).toBe(200)
})

test.each([
  ['get /workouts', 'sortOrder', ['asc', 'desc']],
  ['get /workouts', 'runType', ['Race', 'Workout', 'Long Run', 'Easy Run', 'none']],
  ['get /training/forecast', 'plan', ['rest', 'usual', 'custom']],
  ['get /training/calendar', 'metric', ['distanceM', 'movingTimeS', 'load']],
] as const)('the choices of %s %s are named, and the service takes each', async (operation, member, words) => {
  const found = documented.get(operation)?.parameters?.find(({ name }) => name === member)
  expect((found as { schema?: Schema } | undefined)?.schema?.enum).toEqual(words)
  await using app = await testApp()
  for (const word of words) {
    const query = new URLSearchParams({ [member]: word, ...(word === 'custom' && { loads: '50' }) })
    expect([word, (await app.call('GET', `${operation.split(' ')[1]}?${query}`)).status]).toEqual([word, 200])
  }
})

test('a body that may be null, and no other, says so', async () => {
  await using app = await testApp()
  const nullable: string[] = []
  const accepted: string[] = []
  for (const [operation, { requestBody }] of documented) {
    const body = requestBody?.content['application/json'] as { schema: Schema } | undefined
    if (body === undefined) continue
    if (body.schema.anyOf?.some(({ type }) => type === 'null')) nullable.push(operation)
    const [method = '', path = ''] = operation.split(' ')
    const sent = { body: 'null', headers: { 'content-type': 'application/json' } }
    const { status } = await app.call(method.toUpperCase(), path.replace('{id}', crypto.randomUUID()), sent)
    // a body is looked at before what it is for, and this workout there is not
    if (status < 300 || (/(revert|unmerge)$/.test(operation) && status === 404)) accepted.push(operation)
  }
  expect(nullable).toEqual([
    ...['post /auth/api-keys', 'post /workouts/merge-suggestions/merge'],
    ...['post /workouts/{id}/unmerge', 'post /workouts/{id}/revert'],
  ])
  expect(accepted).toEqual(nullable)
})

test('the example of a password change changes nothing and blocks no login, however often it is tried', async () => {
  await using app = await testApp()
  const body = documented.get('post /auth/change-password')?.requestBody?.content['application/json']
  for (let tries = 0; tries < 12; tries += 1) {
    const { status } = await app.call('POST', '/auth/change-password', { json: body?.example })
    expect(status).toBe(400)
  }
  const login = { username: RUNNER.username, password: RUNNER.password }
  expect((await app.call('POST', '/auth/login', { token: null, json: login })).status).toBe(200)
})
