import { expect, test } from 'bun:test'
import { coverage } from './coverage.ts'

// ten runners of three cases; a hundred of eleven are in the slow tests
test.each([
  ['no change', {}, 0],
  ['4% faster', { change: 0.04 }, 1],
  ['4% slower', { change: -0.04 }, 1],
])('%s', (_, values, stated) => {
  const { change } = coverage({ years: 2, perWeek: 4, ...values }, 10)
  expect(change.n).toBeGreaterThanOrEqual(9)
  expect(change.covered).toBeGreaterThanOrEqual(0.6)
  expect(Math.abs(change.stated - stated)).toBeLessThanOrEqual(0.1)
})
