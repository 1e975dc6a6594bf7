import { expect, test } from 'bun:test'
import { withShortTexts } from '../../../src/archive/restore/raw-data.ts'

test('long texts of raw data are cut, however deep, and names that are not names go', () => {
  const long = 'x'.repeat(60_000)
  const raw = { a: [{ desc: long, n: 1 }, long, null], [long]: 2, short: 'as it was' }
  expect(withShortTexts(raw)).toBeTrue()
  const cut = 'x'.repeat(10_000)
  expect<object>(raw).toEqual({ a: [{ desc: cut, n: 1 }, cut, null], short: 'as it was' })
  expect(withShortTexts(raw)).toBeFalse()
})
