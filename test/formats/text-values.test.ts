import { expect, test } from 'bun:test'
import { decimal, decimalAt } from '../../src/formats/text-values.ts'
import { seededRandom } from '../fixtures/damage.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('decimals out of bytes are the doubles that JavaScript reads', () => {
  const random = seededRandom(3)
  const digits = (n: number) => Array.from({ length: n }, () => random() % 10).join('')
  for (let i = 0; i < 20_000; i++) {
    const text = `${random() % 3 === 0 ? '-' : ''}${digits(1 + (random() % 12))}${random() % 4 === 0 ? '' : `.${digits(random() % 30)}`}`
    const bytes = bytesOf(` ${text}\n`)
    expect(decimalAt(bytes, 0, bytes.length)).toBe(Number(text))
  }
  for (const [text, value] of [
    ['1e3', 1000],
    ['+7', 7],
    ['.5', 0.5],
    ['1,5', 1.5],
    ['0', 0],
    ['-0', -0],
    ['5.', 5],
  ] as const) {
    expect(decimal(text)).toBe(value)
    expect(decimalAt(bytesOf(text), 0, text.length)).toBe(value)
  }
  for (const text of ['', ' ', '.', '-', 'NaN', 'Infinity', '1e999', '0x10', '1.2.3', '1,2,3', '12 34', '--1', 'é']) {
    expect(decimalAt(bytesOf(text), 0, bytesOf(text).length)).toBeNaN()
  }
})
