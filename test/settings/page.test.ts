import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PAGE_CARDS } from '../../src/engine/limits.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun } from '../fixtures/runs.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const put = (json: unknown) => app.call('PUT', '/settings/page', { json })

test('all cards are shown in their usual order, and load leads once a run has one', async () => {
  const cards = PAGE_CARDS.map((id) => ({ id, shown: true }))
  expect(await app.ok('GET', '/settings/page')).toEqual({ cards, effort: 'relative' })
  await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  await app.ok('GET', '/workouts')
  expect(await app.ok('GET', '/settings/page')).toEqual({ cards, effort: 'load' })
  expect((await put({ effort: 'relative' })).json).toEqual({ cards, effort: 'relative' })
})

test('cards that are not sent follow those that are, and each member is kept alone', async () => {
  const { json, status } = await put({
    cards: [
      { id: 'week', shown: false },
      { id: 'latest', shown: true },
    ],
  })
  expect([status, json.cards.slice(0, 3)]).toEqual([
    200,
    [
      { id: 'week', shown: false },
      { id: 'latest', shown: true },
      { id: 'today', shown: true },
    ],
  ])
  expect(json.cards.map(({ id }: { id: string }) => id).toSorted()).toEqual([...PAGE_CARDS].toSorted())
  expect((await put({ effort: 'load' })).json.cards).toEqual(json.cards)
})

test('unknown and repeated cards are refused, and nothing is stored', async () => {
  const before = await app.ok('GET', '/settings/page')
  const week = { id: 'week', shown: true }
  for (const body of [{ cards: [{ id: 'weather', shown: true }] }, { cards: [week, week] }])
    expect([body, (await put(body)).status]).toEqual([body, 400])
  expect((await put({ cards: [week, week] })).json.error).toBe('cards must not repeat week')
  expect(await app.ok('GET', '/settings/page')).toEqual(before)
})
