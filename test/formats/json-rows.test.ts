import { expect, test } from 'bun:test'
import { arrivingRows } from '../../src/formats/json-rows.ts'

async function rowsOf(text: string, member: string | null): Promise<unknown> {
  async function* pieces() {
    yield new TextEncoder().encode(text)
  }
  return await Array.fromAsync(arrivingRows(pieces(), member, () => {})).catch((error: Error) => error.message)
}

test('rows are those of the outermost list, or of the lists under one name', async () => {
  expect(await rowsOf('[{"a":1},{"null":[{"b":2}]}]', null)).toEqual([{ a: 1 }, { null: [{ b: 2 }] }])
  expect(await rowsOf('{"x":{"runs":[{"a":1}]},"runs":[{"b":2}]}', 'runs')).toEqual([{ a: 1 }, { b: 2 }])
  expect(await rowsOf('{"null":[{"a":1}]}', 'null')).toEqual([{ a: 1 }])
  // no name stands for the outermost list
  expect(await rowsOf('{"null":[{"a":1}]}', null)).toBe('The file does not have its list')
})
