import { expect, test } from 'bun:test'
import { encode } from 'uqr'
import { pathOf } from '../../../src/web/screens/settings/qr-code.tsx'

test('a code is drawn module by module as it was made', () => {
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
