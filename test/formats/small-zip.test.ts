import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { FormatError } from '../../src/formats/format.ts'
import { smallZip, zippedFiles } from '../../src/formats/small-zip.ts'
import { sportWord } from '../../src/formats/sport-words.ts'

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const FILES = [
  { name: 'export.xml', bytes: Buffer.from('<HealthData/>'.repeat(200)) },
  { name: 'workout-routes/ß.gpx', bytes: Buffer.from('<gpx/>') },
  { name: 'empty', bytes: new Uint8Array(0) },
]

const TEXTS = FILES.map(({ name, bytes }) => [name, text(bytes)])

describe('a small ZIP', () => {
  test('is read by another program and by Harrier, packed again it has the same bytes, cut anywhere it is refused', () => {
    const zip = smallZip(FILES)
    for (const read of [Object.entries(unzipSync(zip)), [...zippedFiles(zip)]])
      expect(read.map(([name, bytes]) => [name, text(bytes)])).toEqual(TEXTS)
    expect(smallZip(FILES)).toEqual(zip)
    for (let at = 0; at < zip.length; at += 1) expect(() => zippedFiles(zip.subarray(0, at))).toThrow(FormatError)
  })

  test('damaged where its parts are described or packed is refused; other bytes do not matter', () => {
    const zip = smallZip(FILES)
    const contents = FILES.map(({ bytes }) => text(bytes))
    const refused: number[] = []
    for (let at = 0; at < zip.length; at += 1) {
      const damaged = new Uint8Array(zip)
      damaged[at]! ^= 0xff
      try {
        expect([...zippedFiles(damaged).values()].map(text)).toEqual(contents)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        refused.push(at)
      }
    }
    expect(refused).toEqual(neededBytes(zip))
  })
})

/** Signatures, methods, checksums, sizes, lengths and places, and what is packed. */
function neededBytes(zip: Uint8Array): number[] {
  const view = Buffer.from(zip)
  const range = (from: number, count: number) => Array.from({ length: count }, (_, k) => from + k)
  const end = zip.length - 22
  const needed = [...range(end, 4), ...range(end + 10, 2), ...range(end + 16, 4)]
  for (let at = view.readUInt32LE(end + 16); at < end; at += 46 + view.readUInt16LE(at + 28)) {
    const [packed, size, name] = [view.readUInt32LE(at + 20), view.readUInt32LE(at + 24), view.readUInt16LE(at + 28)]
    const local = view.readUInt32LE(at + 42)
    needed.push(
      ...range(at, 4),
      ...range(at + 10, 2),
      ...range(at + 16, 4),
      ...range(at + 21, 13),
      ...range(at + 42, 4),
    )
    // a length that reaches into what follows leaves the file as it is
    if (local + 30 + name + (packed ^ 0xff) > end) needed.push(at + 20)
    needed.push(...range(local, 4), ...range(local + 26, 4), ...range(local + 30 + name, size === 0 ? 0 : packed))
  }
  return needed.toSorted((a, b) => a - b)
}

test('sports of all services count as few words', () => {
  const words = {
    ...{ ride: ['Ride', 'virtual_ride', 'IndoorCycling', 'mountain_biking'], swim: ['open_water_swimming'] },
    ...{ walk: ['Nordic Walking'], hike: ['HKWorkoutActivityTypeHiking'], row: ['indoor_rowing'], yoga: ['yoga'] },
    ...{ ski: ['BackcountrySki', 'resort_skiing_snowboarding'], strength: ['strength_training', 'CROSSFIT'] },
    other: ['tennis', ''],
  } as const
  for (const [word, sports] of Object.entries(words))
    for (const sport of sports) expect([sport, sportWord(sport)]).toEqual([sport, word as never])
})
