import { describe, expect, test } from 'bun:test'
import { byMonth, NOTHING_CHOSEN, reachedTo, toggled } from '../../../src/web/screens/run-choice.ts'
import type { Run } from '../../../src/web/types.ts'

const shown = ['a', 'b', 'c', 'd', 'e']

describe('runs that are chosen', () => {
  test('are one more or one less with each press', () => {
    const two = toggled(toggled(NOTHING_CHOSEN, 'b'), 'd')
    expect([[...two.ids], two.anchor]).toEqual([['b', 'd'], 'd'])
    expect([...toggled(two, 'b').ids]).toEqual(['d'])
    // what was before stays as it was
    expect([...two.ids]).toEqual(['b', 'd'])
  })

  test('reach with shift from the last one to the next, up or down, and keep those before', () => {
    const one = toggled(NOTHING_CHOSEN, 'd')
    expect([...reachedTo(one, 'b', shown).ids].toSorted()).toEqual(['b', 'c', 'd'])
    expect([...reachedTo(toggled(one, 'a'), 'b', shown).ids].toSorted()).toEqual(['a', 'b', 'd'])
    expect(reachedTo(one, 'b', shown).anchor).toBe('b')
  })

  test('are the one that was pressed when nothing was chosen, or the last one is on another page', () => {
    expect([...reachedTo(NOTHING_CHOSEN, 'c', shown).ids]).toEqual(['c'])
    expect([...reachedTo(toggled(NOTHING_CHOSEN, 'x'), 'c', shown).ids]).toEqual(['x', 'c'])
  })
})

test('runs are below the month that it was where they began', () => {
  const at = (startedAt: string, utcOffsetMinutes: number) => ({ startedAt, utcOffsetMinutes }) as Run
  const runs = [
    at('2025-11-30T23:30:00Z', 60),
    at('2025-11-30T23:30:00Z', 0),
    at('2025-11-02T08:00:00Z', 0),
    at('2024-11-02T08:00:00Z', 0),
  ]
  expect(byMonth(runs).map(({ month, runs: of }) => [month, of.length])).toEqual([
    ['2025-12', 1],
    ['2025-11', 2],
    ['2024-11', 1],
  ])
  expect(byMonth([])).toEqual([])
})
