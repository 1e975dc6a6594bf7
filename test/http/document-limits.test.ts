// What clients that are generated from the document have to know before they ask, and that it is true.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { RUNNER, type TestApp, testApp } from '../app.ts'
import { type Document, departures, operationsOf, type Schema } from './document.ts'

let app: TestApp
let document: Document
let documented: ReadonlyMap<string, ReturnType<typeof operationsOf>[number][1]>
beforeAll(async () => {
  app = await testApp()
  document = await app.ok('GET', '/swagger/json')
  documented = new Map(operationsOf(document))
})
afterAll(() => app.close())

const bodyOf = (operation: string) =>
  documented.get(operation)?.requestBody?.content['application/json'] as
    | { schema: Schema; example?: unknown }
    | undefined
const parameterOf = (operation: string, name: string) =>
  documented.get(operation)?.parameters?.find((one) => one.name === name)?.schema

async function statusOf(operation: string, json?: unknown, query = ''): Promise<number> {
  const [method = '', path = ''] = operation.split(' ')
  return (await app.call(method.toUpperCase(), `${path}${query}`, json === undefined ? {} : { json })).status
}

const zone = (minBpm: number, maxBpm: number) => ({ minBpm, maxBpm })
const custom = (first: number, last: number, more: readonly object[] = []) => ({
  calculationMethod: 'Custom',
  zones: [zone(first, 120), zone(120, 130), zone(130, 140), zone(140, 150), zone(150, last), ...more],
})
const karvonen = (more: object) => ({
  ...{ calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 50, ...more },
})
const ZONES = ['put /settings/heart-rate-zones', 'post /settings/heart-rate-zones/update-with-recalc'] as const

/** In words, since they hold for one method only; each of the bodies is just beyond. */
const LIMITS: readonly (readonly [member: string, words: string, beyond: readonly object[]])[] = [
  ['age', '1 to 120', [0, 121].map((age) => ({ calculationMethod: 'AgeBased', age }))],
  ['restingHeartRateBpm', '30 to 120', [29, 121].map((bpm) => karvonen({ restingHeartRateBpm: bpm }))],
  ['maxHeartRateBpm', '60 to 250', [59, 251].map((bpm) => karvonen({ maxHeartRateBpm: bpm }))],
  ['zones', '5 in order within 30 to 250', [{ calculationMethod: 'Custom', zones: custom(90, 200).zones.slice(1) }]],
  ['zones', '5 in order within 30 to 250', [custom(90, 200, [zone(200, 210)]), custom(29, 200), custom(90, 251)]],
]

test.each(ZONES)(
  '%s says the limits of each method, which are those of the service, and allows what it ignores',
  async (operation) => {
    for (const [member, words, beyond] of LIMITS) {
      const schema = bodyOf(operation)?.schema.properties?.[member]
      expect((schema?.anyOf?.[0] ?? schema)?.description).toContain(words)
      for (const json of beyond) expect([json, await statusOf(operation, json)]).toEqual([json, 400])
    }
    const sixZones = custom(90, 200, [zone(7, 9)]).zones
    for (const sent of [
      { calculationMethod: 'AgeBased', age: 40, zones: sixZones },
      { ...custom(90, 200), age: 0, maxHeartRateBpm: 999 },
    ]) {
      for (const [name, value] of Object.entries(sent))
        expect([name, departures(document, bodyOf(operation)!.schema.properties![name]!, value)]).toEqual([name, null])
      expect(await statusOf(operation, sent)).toBe(200)
    }
  },
)

test('the choices of queries are named, the service takes each, and a blank date is none', async () => {
  for (const [operation, member, words] of [
    ['get /workouts', 'sortOrder', ['asc', 'desc']],
    ['get /workouts', 'runType', ['Race', 'Workout', 'Long Run', 'Easy Run', 'none']],
    ['get /training/forecast', 'plan', ['rest', 'usual', 'custom']],
    ['get /training/calendar', 'metric', ['distanceM', 'movingTimeS', 'load']],
  ] as const) {
    expect(parameterOf(operation, member)?.enum).toEqual(words)
    for (const word of words) {
      const query = new URLSearchParams({ [member]: word, ...(word === 'custom' && { loads: '50' }) })
      expect([word, await statusOf(operation, undefined, `?${query}`)]).toEqual([word, 200])
    }
  }
  for (const [name, blank] of Object.entries({ startDate: '', endDate: ' ' }))
    expect(departures(document, parameterOf('get /workouts', name)!, blank)).toBeNull()
  expect(await statusOf('get /workouts', undefined, '?startDate=&endDate=+')).toBe(200)
})

test('a body that may be null, and no other, says so', async () => {
  const [nullable, accepted]: [string[], string[]] = [[], []]
  for (const operation of documented.keys()) {
    const body = bodyOf(operation)
    if (body === undefined) continue
    if (body.schema.anyOf?.some(({ type }) => type === 'null')) nullable.push(operation)
    const status = await statusOf(operation.replace('{id}', crypto.randomUUID()), null)
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
  const example = bodyOf('post /auth/change-password')?.example
  for (let tries = 0; tries < 12; tries += 1) expect(await statusOf('post /auth/change-password', example)).toBe(400)
  const login = { username: RUNNER.username, password: RUNNER.password }
  expect((await app.call('POST', '/auth/login', { token: null, json: login })).status).toBe(200)
})
