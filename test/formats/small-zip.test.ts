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
})

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
