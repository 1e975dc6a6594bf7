import { expect, test } from 'bun:test'
import { bytesOf, heldFile } from '../../src/workers/written-file.ts'

const MIB = 1_048_576

function* written(pieces: number, length: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < pieces; at += 1) yield new TextEncoder().encode(`${at}: `.padEnd(length, 'run '))
}

const wholeOf = async (file: ReturnType<typeof heldFile>) => Buffer.concat(await Array.fromAsync(bytesOf(file)))

test('a file as most runs have it is held as it was written', async () => {
  const file = heldFile(written(4, 300_000))
  expect([file.size, file.isPacked, file.pieces.length]).toEqual([1_200_000, false, 4])
  expect(await wholeOf(file)).toEqual(Buffer.concat([...written(4, 300_000)]))
})

test('a long file is held packed, and has the same bytes', async () => {
  const file = heldFile(written(30, 300_001))
  expect([file.size, file.isPacked]).toEqual([9_000_030, true])
  const heldBytes = file.pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
  expect(heldBytes).toBeLessThan(MIB)
  expect(await wholeOf(file)).toEqual(Buffer.concat([...written(30, 300_001)]))
})

test('one large piece is packed in parts', async () => {
  const file = heldFile(written(1, 5 * MIB))
  expect([file.size, file.isPacked, file.pieces.length]).toEqual([5 * MIB, true, 20])
  expect(await wholeOf(file)).toEqual(Buffer.concat([...written(1, 5 * MIB)]))
})
