import { describe, expect, test } from 'bun:test'
import { encode } from 'uqr'
import { arrivalWords } from '../../../src/web/screens/settings/phone/arrival-words.ts'
import { pathOf } from '../../../src/web/screens/settings/phone/qr-code.tsx'

describe('how a way in is', () => {
  const now = new Date(2026, 10, 22, 14, 30).toISOString()
  const today = new Date(2026, 10, 22, 9, 5).toISOString()
  const before = new Date(2026, 4, 3, 9, 5).toISOString()

  test('is described in a line', () => {
    expect(arrivalWords(null, now)).toBe('Waiting for the first file')
    expect(arrivalWords({ at: today, error: null }, now)).toMatch(/^File received at 0?9:05/)
    expect(arrivalWords({ at: before, error: null }, now)).toMatch(/^File received on .*2026$/)
    expect(arrivalWords({ at: today, error: 'It is blank' }, now)).toMatch(/at .*, not imported: It is blank$/)
  })
})

describe('a code', () => {
  test('is drawn module by module as it was made', () => {
    const { data } = encode('http://pi:5001/in/tmp_x', { ecc: 'M', border: 4 })
    const drawn = data.map((row) => row.map(() => false))
    const strokes = [...pathOf(data).matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)]
    for (const [, x = '', y = '', width = '', back = ''] of strokes) {
      expect(back).toBe(x)
      for (let at = 0; at < Number(width); at += 1) drawn[Number(y)]![Number(x) + at] = true
    }
    expect(drawn).toEqual(data)
    expect(strokes.length).toBeLessThan(data.flat().filter(Boolean).length / 1.5)
  })
})
