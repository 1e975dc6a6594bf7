import { expect, setDefaultTimeout, test } from 'bun:test'
import { cutText } from '../src/base/texts.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

test.each([
  ['abc', 0],
  ['abc', 3],
  ['abc', Number.POSITIVE_INFINITY],
  ['🏃🏽‍♀️ run', 1],
  ['a\ud800b\udc00', 3],
  ['🏃'.repeat(20), 19],
])('%j cut to %p is its first code points', (text, most) => {
  expect(cutText(text, most)).toBe([...text].slice(0, most).join(''))
})
