import { expect, test } from 'bun:test'
import { slowestShown } from '../../../src/web/charts/scale.ts'

test('an effort that is far slower than the middle one does not set the axis', () => {
  expect(slowestShown([1227, 1293, 1298, 1307, 2100])).toBe(1307)
  expect(slowestShown([1227, 1293, 1298, 1307, 1700])).toBe(1700)
  expect(slowestShown([1500])).toBe(1500)
})
