import { expect, test } from 'bun:test'
import { decodeFit } from '../../../src/formats/fit/decode.ts'
import { mergeHeartRates } from '../../../src/formats/fit/heart-rates.ts'
import { FitWriter, fields } from '../../fixtures/fit-writer.ts'

const T = 1_000_000_000
const TICKS_PER_S = 1024

/** Records at the given seconds after T with a heart rate of 99, followed by hr messages. */
function fileWith(recordS: readonly number[], writeBeats: (writer: FitWriter) => void): Uint8Array {
  const writer = new FitWriter()
  writer.define({ local: 0, global: 20, fields: fields('253:uint32 3:uint8') })
  for (const second of recordS) writer.data(0, [T + second, 99])
  writer.define({ local: 1, global: 132, fields: fields('253:uint32 0:uint16 6:uint8 9:uint32') })
  writeBeats(writer)
  return writer.finish()
}

function merged(bytes: Uint8Array): number[] {
  const { records, parts } = decodeFit(bytes)
  mergeHeartRates(records, parts[0]!.messages.hr ?? [], [0, records.n])
  return [...records.heartRateBpm]
}

/** An hr message with a time of its own: `seconds` after T, on a strap's clock that shows 5 s more. */
function anchor(writer: FitWriter, seconds: number, bpm: number): void {
  const whole = Math.floor(seconds)
  writer.data(1, [T + whole, (seconds - whole) * 32768, bpm, (seconds + 5) * TICKS_PER_S])
}

test('a record gets the mean of the beats since the record before it', () => {
  const bytes = fileWith([1, 2, 3], (writer) => {
    anchor(writer, 0.75, 100)
    anchor(writer, 1.25, 110)
    anchor(writer, 1.5, 120)
    anchor(writer, 2.5, 130)
  })
  // Held in quarter seconds: (0, 1] 100 100; (1, 2] 110 120 120 120 = 117.5; (2, 3] 120 130.
  expect(merged(bytes)).toEqual([100, 118, 125])
})

test('a beat at 0.25 s is held to 5.25 s and no longer; records without one keep their own heart rate', () => {
  const bytes = fileWith([1, 5, 6, 7, 20], (writer) => {
    anchor(writer, 0.25, 150)
    anchor(writer, 20, 160)
  })
  expect(merged(bytes)).toEqual([150, 150, 150, 99, 160])
})

test('beats of 12 bits, two in three bytes, continue from the last full time and roll over', () => {
  const bytes = fileWith([1, 2, 3, 4, 5, 6, 7, 8], (writer) => {
    anchor(writer, 0, 100)
    writer.define({ local: 2, global: 132, fields: fields('6:uint8*8 10:byte*12') })
    const low = [1, 2, 3, 4, 5, 6, 7, 8].map((second) => ((second + 5) * TICKS_PER_S) & 0xfff)
    const packed = [0, 2, 4, 6].flatMap((i) => [
      low[i]! & 255,
      (low[i]! >> 8) | ((low[i + 1]! & 15) << 4),
      low[i + 1]! >> 4,
    ])
    writer.data(2, [[101, 102, 103, 104, 105, 106, 107, 108], packed])
  })
  // Each beat on a second, the one before it held at 0.25, 0.5 and 0.75 s: (100 + 100 + 100 + 101) / 4 and so on.
  expect(merged(bytes)).toEqual([100, 101, 102, 103, 104, 105, 106, 107])
})

test('the 32 bit clock of the strap may roll over', () => {
  const bytes = fileWith([1, 2], (writer) => {
    writer.data(1, [T + 1, 0, 100, 2 ** 32 - 512])
    writer.data(1, [null, null, 120, 512])
  })
  // 512 + 512 ticks later: at 2 s; until then the first beat is held three quarters of a second.
  expect(merged(bytes)).toEqual([100, 105])
})

test('messages before any time and values that are not a heart rate change nothing', () => {
  const bytes = fileWith([1, 2], (writer) => {
    writer.data(1, [null, null, 120, 512])
    writer.data(1, [T + 2, 0, null, 1024])
  })
  expect(merged(bytes)).toEqual([99, 99])
})
