import { expect, test } from 'bun:test'
import { PAGE_CARDS } from '../../../src/engine/limits.ts'
import { testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { each } from '../../rows.ts'

test('all cards are shown until some are sent, which come first; load leads once a run has one; a repeated card is refused', async () => {
  await using app = await testApp()
  const put = (json: unknown) => app.call('PUT', '/settings/page', { json })
  const usual = PAGE_CARDS.map((id) => ({ id, shown: true }))
  expect(await app.ok('GET', '/settings/page')).toEqual({ cards: usual, effort: 'relative' })
  await app.run(fitRun())
  await app.ok('GET', '/workouts')
  expect(await app.ok('GET', '/settings/page')).toEqual({ cards: usual, effort: 'load' })
  const sent = [{ id: 'week', shown: false }, usual.find(({ id }) => id === 'latest')!]
  const { cards, effort } = (await put({ cards: sent })).json
  expect([effort, cards.slice(0, 3)]).toEqual(['load', [...sent, { id: 'today', shown: true }]])
  expect(each(cards, 'id').toSorted()).toEqual([...PAGE_CARDS].toSorted())
  expect((await put({ effort: 'relative' })).json).toEqual({ cards, effort: 'relative' })
  const error = 'cards must not repeat week'
  expect(await put({ cards: [sent[0], sent[0]] })).toMatchObject({ status: 400, json: { error } })
  expect(await app.ok('GET', '/settings/page')).toEqual({ cards, effort: 'relative' })
})
