import { expect, test } from 'bun:test'
import { NOTHING_CHOSEN, reachedTo, toggled } from '../../../src/web/screens/list-place.ts'

const shown = ['a', 'b', 'c', 'd', 'e']
/** The runs that are chosen by pressing these, and by Shift up to another. */
function chosen(pressed: string, upTo?: string): string {
  const pressedOnes = [...pressed].reduce(toggled, NOTHING_CHOSEN)
  return [...(upTo === undefined ? pressedOnes : reachedTo(pressedOnes, upTo, shown)).ids].toSorted().join('')
}

test('runs are chosen one more or one less with each press, and with Shift up to the next, up or down', () => {
  expect([chosen('bd'), chosen('bdb')]).toEqual(['bd', 'd'])
  const one = toggled(NOTHING_CHOSEN, 'd')
  toggled(one, 'b')
  // what was before stays as it was
  expect([[...one.ids], one.anchor, reachedTo(one, 'b', shown).anchor]).toEqual([['d'], 'd', 'b'])
  expect([chosen('d', 'b'), chosen('da', 'b')]).toEqual(['bcd', 'abd'])
  // the one that was pressed when nothing was chosen, or the last one is on another page
  expect([chosen('', 'c'), chosen('x', 'c')]).toEqual(['c', 'cx'])
})
