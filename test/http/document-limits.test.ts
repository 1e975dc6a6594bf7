// What clients that are generated from the document have to know before they ask, and that it is true.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
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
