import { describe, expect, test } from 'bun:test'
import { jsonRows, type OddRow } from '../../../src/archive/format/json-rows.ts'
import { gc } from '../../one-process.ts'

const encoder = new TextEncoder()

/** All rows of a text that arrives in pieces of so many bytes. */
async function rowsOf(
  text: string | Uint8Array,
  pieceBytes = 7,
  { maxRowBytes = 1_000_000, leftOut = (_: OddRow) => {} } = {},
): Promise<unknown[]> {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const rows: unknown[] = []
  for await (const batch of jsonRows(pieces(), { maxRowBytes, leftOut })) rows.push(...batch)
  return rows
}

describe('rows of a JSON array', () => {
  const good: readonly (readonly [name: string, text: string])[] = [
    ['nothing', '[]'],
    ['nothing between blanks', ' \r\n[ \t\n ] \n'],
    ['one row', '[{"a":1}]'],
    ['brackets, quotes and commas in texts', '[{"a":"],[}{\\"\\\\"},{"b":"\\\\\\",]"}]'],
    ['rows that are no objects', '[1,"a",null,true,[1,[2]],-2.5e3]'],
    ['characters of several bytes', '[{"é":"🏃‍♀️"},{"z":"\\ud83c\\udfc3"}]'],
    ['deep rows', `[${'{"a":['.repeat(50)}1${']}'.repeat(50)}]`],
  ]
  for (const [name, text] of good) {
    test(`${name}, however the bytes arrive`, async () => {
      for (const pieceBytes of [1, 2, 3, 5, 1000]) expect(await rowsOf(text, pieceBytes)).toEqual(JSON.parse(text))
    })
  }

  test('a byte-order mark is not part of it', async () => {
    for (const pieceBytes of [1, 2, 3, 100]) expect(await rowsOf('\ufeff[{"a":1}]', pieceBytes)).toEqual([{ a: 1 }])
  })

  test('a hundred thousand rows come in batches, in order', async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'x'.repeat(n % 50) })))
    const bytes = encoder.encode(text)
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    }
    let next = 0
    let largest = 0
    for await (const batch of jsonRows(pieces(), { maxRowBytes: 1000, leftOut: () => {} })) {
      largest = Math.max(largest, batch.length)
      for (const row of batch as { n: number }[]) {
        expect(row.n).toBe(next)
        next += 1
      }
    }
    expect(next).toBe(100_000)
    expect(largest).toBeLessThan(10_000)
  })

  const bad: readonly (readonly [name: string, text: string | Uint8Array])[] = [
    ['nothing at all', ''],
    ['an object', '{"a":1}'],
    ['a text', '"[]"'],
    ['a cut array', '[{"a":1}'],
    ['a cut row', '[{"a":1},{"b"'],
    ['a cut text', '["a'],
    ['a comma too many', '[1,2,]'],
    ['a comma at the beginning', '[,1]'],
    ['two commas', '[1,,2]'],
    ['a lone comma', '[,]'],
    ['a row without comma before it', '[{"a":1}{"b":2}]'],
    ['text after the array', '[1]x'],
    ['two arrays', '[1][2]'],
    ['brackets that do not match', '[{"a":[1}]]'],
    ['a bracket too many', '[1}]'],
    ['words', '[undefined]'],
    ['a single quote', "['a']"],
    ['a control character in a text', '["a\nb"]'],
    ['bytes that are no UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)],
    ['nesting without end', `[${'['.repeat(200_000)}`],
  ]
  for (const [name, text] of bad) {
    test(`${name}: refused`, async () => {
      for (const pieceBytes of [1, 1000]) {
        expect(await rowsOf(text, pieceBytes).catch((error: unknown) => error)).toBeInstanceOf(SyntaxError)
      }
    })
  }

  const deep = (levels: number) => `${'['.repeat(levels)}"]\\"["${']'.repeat(levels)}`
  const large = `{"a":[${'"],[x",'.repeat(400)}1]}`
  const odd: readonly (readonly [name: string, text: string, rows: unknown[], leftOut: OddRow[]])[] = [
    ['first', `[${deep(600)},{"b":2},{"c":3}]`, [{ b: 2 }, { c: 3 }], [{ number: 1, why: 'deep' }]],
    ['in the middle', `[{"a":1} , ${deep(600)} ,{"c":3}]`, [{ a: 1 }, { c: 3 }], [{ number: 2, why: 'deep' }]],
    ['last', `[{"a":1},{"b":2},${deep(600)}\n]\n`, [{ a: 1 }, { b: 2 }], [{ number: 3, why: 'deep' }]],
    ['alone', `[${deep(600)}]`, [], [{ number: 1, why: 'deep' }]],
    [
      'among too large ones',
      `[${large},1,${deep(501)},${large},${deep(499)},2,${large}]`,
      [1, JSON.parse(deep(499)), 2],
      [
        { number: 1, why: 'large' },
        { number: 3, why: 'deep' },
        { number: 4, why: 'large' },
        { number: 7, why: 'large' },
      ],
    ],
  ]
  for (const [name, text, expected, stated] of odd) {
    test(`a row nested too deep, ${name}: it is left out and reported, the others are read`, async () => {
      for (const pieceBytes of [1, 3, 10, 1000]) {
        const leftOut: OddRow[] = []
        const limits = { maxRowBytes: 1800, leftOut: (row: OddRow) => leftOut.push(row) }
        expect(await rowsOf(text, pieceBytes, limits)).toEqual(expected)
        expect(leftOut).toEqual(stated)
      }
    })
  }

  for (const [name, text] of [
    ['without an end', `[1,${'['.repeat(600)}`],
    ['before a comma too many', `[${deep(600)},]`],
    ['before two commas', `[${deep(600)},,1]`],
    ['before text after the array', `[${deep(600)}]x`],
    ['after a lone comma', `[,${deep(600)}]`],
  ] as const) {
    test(`a row nested too deep ${name}: the array is refused`, async () => {
      for (const pieceBytes of [1, 1000]) {
        expect(await rowsOf(text, pieceBytes).catch((error: unknown) => error)).toBeInstanceOf(SyntaxError)
      }
    })
  }

  test('a row of 512 MiB is passed over without being held', async () => {
    const piece = encoder.encode('x'.repeat(65_536))
    let most = 0
    async function* pieces() {
      yield encoder.encode('[{"a":1},"')
      for (let n = 0; n < 8192; n += 1) {
        yield piece
        most = Math.max(most, process.memoryUsage().arrayBuffers)
      }
      yield encoder.encode('",{"c":3}]')
    }
    gc(true)
    const before = process.memoryUsage().arrayBuffers
    const leftOut: OddRow[] = []
    const rows: unknown[] = []
    for await (const batch of jsonRows(pieces(), { maxRowBytes: 1_000_000, leftOut: (row) => leftOut.push(row) })) {
      rows.push(...batch)
    }
    expect(rows).toEqual([{ a: 1 }, { c: 3 }])
    expect(leftOut).toEqual([{ number: 2, why: 'large' }])
    expect(most - before).toBeLessThan(16 * 1_048_576)
  })
})
