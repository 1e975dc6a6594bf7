import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PAGE_CARDS } from '../../src/engine/limits.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun } from '../fixtures/runs.ts'
import { each } from '../rows.ts'

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

test('cards that are not sent follow those that are, each member is kept alone, and a repeated card is refused', async () => {
  const [week, latest] = [
    { id: 'week', shown: false },
    { id: 'latest', shown: true },
  ]
  const { json, status } = await put({ cards: [week, latest] })
  expect([status, json.cards.slice(0, 3)]).toEqual([200, [week, latest, { id: 'today', shown: true }]])
  expect(each(json.cards, 'id').toSorted()).toEqual([...PAGE_CARDS].toSorted())
  expect((await put({ effort: 'load' })).json.cards).toEqual(json.cards)
  const error = 'cards must not repeat week'
  expect(await put({ cards: [week, week] })).toMatchObject({ status: 400, json: { error } })
  expect((await put({ cards: [{ id: 'weather', shown: true }] })).status).toBe(400)
  expect(await app.ok('GET', '/settings/page')).toEqual({ ...json, effort: 'load' })
})
