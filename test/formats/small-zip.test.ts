import { describe, expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { FormatError } from '../../src/formats/format.ts'
import { smallZip, zippedFiles } from '../../src/formats/small-zip.ts'
import { sportWord } from '../../src/formats/sport-words.ts'

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const FILES = [
  { name: 'export.xml', bytes: Buffer.from('<HealthData/>'.repeat(200)) },
  { name: 'workout-routes/ß.gpx', bytes: Buffer.from('<gpx/>') },
  { name: 'empty', bytes: new Uint8Array(0) },
]

describe('a small ZIP', () => {
  test('is read by another program and by Harrier, and packed again it has the same bytes', () => {
    const zip = smallZip(FILES)
    expect(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, text(bytes)])).toEqual(
      FILES.map(({ name, bytes }) => [name, text(bytes)]),
    )
    expect([...zippedFiles(zip)].map(([name, bytes]) => [name, text(bytes)])).toEqual(
      FILES.map(({ name, bytes }) => [name, text(bytes)]),
    )
    expect(smallZip(FILES)).toEqual(zip)
  })

  test('of another program is read', () => {
    expect(text(zippedFiles(zipSync({ 'a.json': Buffer.from('{}'.repeat(99)) })).get('a.json'))).toBe('{}'.repeat(99))
  })

  test('cut or damaged anywhere is refused with a message', () => {
    const zip = smallZip(FILES)
    for (let at = 0; at < zip.length; at += 1) {
      expect(() => zippedFiles(zip.subarray(0, at))).toThrow(FormatError)
      const damaged = zip.slice()
      damaged[at]! ^= 0xff
      try {
        zippedFiles(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
  })
})

test.each([
  ['Ride', 'ride'],
  ['virtual_ride', 'ride'],
  ['IndoorCycling', 'ride'],
  ['mountain_biking', 'ride'],
  ['open_water_swimming', 'swim'],
  ['Nordic Walking', 'walk'],
  ['HKWorkoutActivityTypeHiking', 'hike'],
  ['BackcountrySki', 'ski'],
  ['resort_skiing_snowboarding', 'ski'],
  ['indoor_rowing', 'row'],
  ['strength_training', 'strength'],
  ['CROSSFIT', 'strength'],
  ['yoga', 'yoga'],
  ['tennis', 'other'],
  ['', 'other'],
] as const)('%s counts as %s', (sport, word) => {
  expect(sportWord(sport)).toBe(word)
})
