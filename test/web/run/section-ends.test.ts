import { expect, test } from 'bun:test'
import { startingSection, tappedSection } from '../../../src/web/run/again/sections.ts'

const LAST_S = 3000

test('a selection begins with the middle third', () => {
  expect(startingSection({ elapsedS: Float64Array.of(0, 1500, LAST_S) })).toEqual({ fromS: 1000, toS: 2000 })
})

test.each([
  ['start', 300, { fromS: 300, toS: 2000 }],
  // behind the end: the rest of the run
  ['start', 2500, { fromS: 2500, toS: LAST_S }],
  ['start', LAST_S, { fromS: LAST_S - 10, toS: LAST_S }],
  ['end', 2500, { fromS: 1000, toS: 2500 }],
  // before the start: the other way round
  ['end', 400, { fromS: 400, toS: 1000 }],
  ['end', 1004, { fromS: 1000, toS: 1010 }],
] as const)('a tap sets the %s at %d s', (end, atS, section) => {
  expect(tappedSection({ fromS: 1000, toS: 2000 }, end, atS, LAST_S)).toEqual(section)
})
