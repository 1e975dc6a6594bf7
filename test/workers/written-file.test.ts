import { expect, test } from 'bun:test'
import { bytesOf, heldFile } from '../../src/workers/written-file.ts'

const MIB = 1_048_576

function* written(pieces: number, length: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < pieces; at += 1) yield new TextEncoder().encode(`${at}: `.padEnd(length, 'run '))
}

test.each([
  ['a file as most runs have it is held as it was written', 4, 300_000, false, 4],
  ['a long file is held packed', 30, 300_001, true, null],
  ['one large piece is packed in parts', 1, 5 * MIB, true, 20],
])('%s, and has the same bytes', async (_, pieces, length, isPacked, held) => {
  const file = heldFile(written(pieces, length))
  expect([file.size, file.isPacked]).toEqual([pieces * length, isPacked])
  if (held !== null) expect(file.pieces).toHaveLength(held)
  if (isPacked) expect(file.pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThan(MIB)
  expect(Buffer.concat(await Array.fromAsync(bytesOf(file)))).toEqual(Buffer.concat([...written(pieces, length)]))
})
