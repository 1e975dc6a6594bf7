import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MediaType } from '../../../src/db/stored.ts'
import { statedBy } from '../../../src/library/files/taken.ts'
import { box, isoMedia, joined, jpeg, photo, png, video } from '../../fixtures/media.ts'
import { tempFolder } from '../../temp-folder.ts'

const TAKEN_MS = Date.UTC(2025, 10, 1, 8, 5, 7)
const folder = tempFolder()

async function taken(bytes: Uint8Array, type: MediaType = 'image/jpeg') {
  const path = join(folder, 'a')
  writeFileSync(path, bytes)
  return (await statedBy(path, type)).taken
}

/** The EXIF of a photo alone. */
const exifOf = (bytes: Uint8Array) => bytes.subarray(Buffer.from(bytes).indexOf('Exif'))

/** As cameras of the other order of bytes write it: one entry that leads to one entry. */
function bigEndian(text: string): Uint8Array {
  const tiff = Buffer.alloc(46)
  tiff.write('MM\0*\0\0\0\x08\0\x01', 'latin1')
  tiff.writeUInt16BE(0x8769, 10)
  tiff.writeUInt32BE(26, 18)
  tiff.writeUInt16BE(1, 26)
  tiff.writeUInt16BE(0x9004, 28)
  tiff.writeUInt32BE(44, 36)
  return joined('Exif\0\0', tiff.subarray(0, 44), `${text}\0`)
}

describe('when a photo was taken', () => {
  test('is what its EXIF says, by its own offset or a clock of the place', async () => {
    expect(await taken(photo('2025:11:01 08:05:07'))).toEqual({ ms: TAKEN_MS, isLocal: true })
    expect(await taken(photo('2025:11:01 08:05:07', '+01:00'))).toEqual({ ms: TAKEN_MS - 3_600_000, isLocal: false })
    const heic = joined(isoMedia('heic', 'mif1'), exifOf(photo('2025:11:01 08:05:07', '-05:30')))
    expect(await taken(heic, 'image/heic')).toEqual({ ms: TAKEN_MS + 5.5 * 3_600_000, isLocal: false })
    expect(await taken(joined('\xff\xd8', bigEndian('2025:11:01 08:05:07')))).toEqual({ ms: TAKEN_MS, isLocal: true })
  })

  test('is not known where it does not say, says nonsense, or is cut', async () => {
    for (const bytes of [jpeg(700), png(3), photo('    :  :     :  :  '), photo('2025:13:01 08:05:07')]) {
      expect(await taken(bytes)).toBeNull()
    }
    const whole = photo('2025:11:01 08:05:07', '+01:00')
    for (let length = 0; length < whole.length - 30; length += 1)
      expect(await taken(whole.subarray(0, length))).toBeNull()
    expect((await statedBy(join(folder, 'gone'), 'image/jpeg')).taken).toBeNull()
  })
})

describe('when a video was taken', () => {
  test('is what its movie header says, wherever that stands', async () => {
    expect(await taken(video(TAKEN_MS), 'video/mp4')).toEqual({ ms: TAKEN_MS, isLocal: false })
    const seconds = Buffer.alloc(8)
    seconds.writeBigUInt64BE(BigInt(TAKEN_MS / 1000 + 2_082_844_800))
    const long = box('mvhd', joined('\x01\0\0\0', seconds, new Uint8Array(100)))
    const first = joined(box('ftyp', joined('qt  ')), box('moov', joined(box('free', new Uint8Array(9)), long)))
    expect(await taken(first, 'video/quicktime')).toEqual({ ms: TAKEN_MS, isLocal: false })
  })

  test('is not known where the camera did not, or the file is not a whole one', async () => {
    for (const bytes of [
      ...[video(-2_082_844_800_000), isoMedia('isom'), joined('\0\0\0\x01mdat', new Uint8Array(3)), new Uint8Array(0)],
      joined(...Array.from({ length: 500 }, () => box('free', new Uint8Array(0)))),
    ])
      expect(await taken(bytes, 'video/mp4')).toBeNull()
    expect(await taken(video(TAKEN_MS), 'video/webm')).toBeNull()
  })
})
