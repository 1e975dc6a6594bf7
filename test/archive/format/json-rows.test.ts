import { expect, test } from 'bun:test'
import { jsonRows, type OddRow } from '../../../src/archive/format/data-rows.ts'

const encoder = new TextEncoder()
const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? encoder.encode(text) : text)

test('commas without rows are refused where they arrive, not gathered', async () => {
  let taken = 0
  async function* pieces() {
    for (taken = 1; taken <= 100; taken += 1) yield bytesOf(taken === 1 ? '[1' : ','.repeat(65_536))
  }
  const all = Array.fromAsync(jsonRows(pieces(), { maxRow: 1800, leftOut: () => {} }))
  expect(await all.catch((error: unknown) => error)).toBeInstanceOf(SyntaxError)
  expect(taken).toBeLessThan(10)
})

/** All rows of a text that arrives in pieces of so many bytes, and the largest batch of them. */
async function rowsOf(text: string | Uint8Array, pieceBytes: number, leftOut = (_: OddRow) => {}) {
  const bytes = bytesOf(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const rows: unknown[] = []
  let largest = 0
  for await (const batch of jsonRows(pieces(), { maxRow: 1800, leftOut })) {
    rows.push(...batch)
    largest = Math.max(largest, batch.length)
  }
  return { rows, largest }
}

const deep = (levels: number) => `${'['.repeat(levels)}"]\\"["${']'.repeat(levels)}`
const large = `{"a":[${'"],[x",'.repeat(400)}1]}`
const isDeep = (number: number): OddRow => ({ number, why: 'deep' })
const isLarge = (number: number): OddRow => ({ number, why: 'large' })

test.each<readonly [name: string, text: string, rows: unknown[] | null, leftOut?: OddRow[]]>([
  ['nothing', '[]', []],
  ['a byte-order mark', '\ufeff[{"a":1}]', [{ a: 1 }]],
  ['brackets, quotes and commas in texts', '[{"a":"],[}{\\"\\\\"},{"b":"\\\\\\",]"}]', null],
  ['rows that are no objects', '[1,"a",null,true,[1,[2]],-2.5e3]', null],
  ['characters of several bytes', '[{"é":"🏃‍♀️"},{"z":"\\ud83c\\udfc3"}]', null],
  ['too deep, in the middle', `[{"a":1} , ${deep(600)} ,{"c":3}]`, [{ a: 1 }, { c: 3 }], [isDeep(2)]],
  [
    'too deep among too large ones',
    `[${large},1,${deep(501)},${large},${deep(499)},2,${large}]`,
    [1, JSON.parse(deep(499)), 2],
    [isLarge(1), isDeep(3), isLarge(4), isLarge(7)],
  ],
])('rows of a JSON array are read, and odd ones are named: %s', async (_, text, rows, stated = []) => {
  for (const pieceBytes of [1, 2, 3, 5, 10, 1000]) {
    const leftOut: OddRow[] = []
    expect((await rowsOf(text, pieceBytes, (row) => leftOut.push(row))).rows).toEqual(rows ?? JSON.parse(text))
    expect(leftOut).toEqual(stated)
  }
})

test.each<readonly [name: string, text: string | Uint8Array]>([
  ['nothing at all', ''],
  ['an object', '{"a":1}'],
  ['a cut array', '[{"a":1}'],
  ['a cut text', '["a'],
  ['a comma too many', '[1,2,]'],
  ['two commas', '[1,,2]'],
  ['a row without comma before it', '[{"a":1}{"b":2}]'],
  ['text after the array', '[1]x'],
  ['brackets that do not match', '[{"a":[1}]]'],
  ['words', '[undefined]'],
  ['a control character in a text', '["a\nb"]'],
  ['bytes that are no UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)],
  ['nesting without end', `[${'['.repeat(200_000)}`],
  ['a row too deep before a comma too many', `[${deep(600)},]`],
  ['a row too deep before text after the array', `[${deep(600)}]x`],
])('refused: %s', async (_, text) => {
  for (const pieceBytes of [1, 1000]) {
    expect(await rowsOf(text, pieceBytes).catch((error: unknown) => error)).toBeInstanceOf(SyntaxError)
  }
})
