import { expect, test } from 'bun:test'
import { memberTexts, objectText } from '../../src/workers/json-text.ts'

test('text in pieces is the text of JSON.stringify', () => {
  const value = { 'a"': 'ö😀\ud800', left: undefined, none: null, list: [1, [], 'x'], 7: { deep: true } }
  expect([...objectText(memberTexts(value))].join('')).toBe(JSON.stringify(value))
  expect([...objectText({})].join('')).toBe('{}')
  const inserted = { ...memberTexts({ id: 1, raw: null }), raw: ['{"x"', ':[]}'], ...memberTexts({ last: [] }) }
  expect([...objectText(inserted)].join('')).toBe('{"id":1,"raw":{"x":[]},"last":[]}')
})
