import { expect, test } from 'bun:test'
import { decodeFit } from '../../../src/formats/fit/decode.ts'
import { mergeHeartRates } from '../../../src/formats/fit/heart-rates.ts'
import { FitWriter, fields } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'

const T = 1_000_000_000
const TICKS_PER_S = 1024

/** Records at the given seconds after T with a heart rate of 99, followed by hr messages. */
function fileWith(recordS: readonly number[], writeBeats: (writer: FitWriter) => unknown): Uint8Array {
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

test.each<[what: string, recordS: readonly number[], beats: readonly [number, number][], expected: number[]]>([
  // Held in quarter seconds: (0, 1] 100 100; (1, 2] 110 120 120 120 = 117.5; (2, 3] 120 130.
  [
    'the mean of the beats since the one before',
    [1, 2, 3],
    pairs('0.75,100 1.25,110 1.5,120 2.5,130'),
    [100, 118, 125],
  ],
  ['a beat of 0.25 s until 5.25 s, then its own', [1, 5, 6, 7, 20], pairs('0.25,150 20,160'), [150, 150, 150, 99, 160]],
])('a record gets %s', (_, recordS, beats, expected) => {
  expect(merged(fileWith(recordS, (writer) => beats.forEach(([s, bpm]) => void anchor(writer, s, bpm))))).toEqual(
    expected,
  )
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

test('the clock of the strap of 32 bits may roll over; what has no time or no heart rate changes nothing', () => {
  // 512 + 512 ticks later: at 2 s; until then the first beat is held three quarters of a second.
  const rolled = fileWith([1, 2], (writer) => {
    writer.data(1, [T + 1, 0, 100, 2 ** 32 - 512]).data(1, [null, null, 120, 512])
  })
  expect(merged(rolled)).toEqual([100, 105])
  const nothing = fileWith([1, 2], (writer) => writer.data(1, [null, null, 120, 512]).data(1, [T + 2, 0, null, 1024]))
  expect(merged(nothing)).toEqual([99, 99])
})
