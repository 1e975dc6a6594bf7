// The bounds of simulated runners whose truth is known: 80% ranges that are true, no change where there is none.
import { expect, test } from 'bun:test'
import { coverage } from './coverage.ts'

const RUNNERS = 100
const USUAL = { years: 2, perWeek: 4 }

test.each([
  ['none', {}],
  ['+1%', { change: 0.01 }],
  ['+2%', { change: 0.02 }],
  ['+3%', { change: 0.03 }],
  ['+4%', { change: 0.04 }],
  ['−4%', { change: -0.04 }],
  ['none, one year', { years: 1, perWeek: 3 }],
  ['+4%, one year', { years: 1, perWeek: 3, change: 0.04 }],
  ['none, noisy', { sigma: 0.043 }],
  ['+5%, noisy', { sigma: 0.043, change: 0.05 }],
])('%s', (name, values) => {
  const { change, heat } = coverage({ ...USUAL, ...values }, RUNNERS)
  const truth = 100 * ('change' in values ? values.change : 0)
  const isUsual = !name.includes(',')
  expect(change.n).toBeGreaterThan(0.8 * RUNNERS)
  expect(change.covered).toBeGreaterThanOrEqual(0.68)
  expect(change.covered).toBeLessThanOrEqual(0.97)
  if (isUsual) expect(Math.abs(change.bias)).toBeLessThanOrEqual(Math.max(0.25, 0.15 * Math.abs(truth)))
  if (truth === 0) expect(change.stated).toBeLessThanOrEqual(0.06)
  if (isUsual && Math.abs(truth) === 4) expect(change.stated).toBeGreaterThanOrEqual(0.85)
  expect(heat.stated).toBeGreaterThanOrEqual(0.85)
})

test('no cost of heat is stated in at most 5%', () => {
  const { heat } = coverage({ ...USUAL, heat: [0, 0, 0] }, RUNNERS)
  expect(heat.stated).toBeLessThanOrEqual(0.05)
  expect(heat.covered).toBeGreaterThanOrEqual(0.7)
})
