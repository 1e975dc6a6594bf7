import { type FileHandle, open } from 'node:fs/promises'
import type { MediaType } from '../../db/stored.ts'
import { fileTime } from '../../engine/calendar/timestamp.ts'

// When and where a photo or video was taken, as stated in the metadata of its file; the picture itself is not decoded.

export interface Taken {
  /** Unix milliseconds; a local time is read as if it were UTC. */
  readonly ms: number
  /** Local time; the file does not state its offset from UTC. */
  readonly isLocal: boolean
}

/** Time and place stand near the beginning of a photo. */
const HEAD_BYTES = 262_144
/** Most boxes of a video, and most entries of an EXIF directory, that are read. */
const MOST_PARTS = 200

const VIDEOS: readonly MediaType[] = ['video/mp4', 'video/quicktime', 'video/x-m4v']

export interface Stated {
  readonly taken: Taken | null
  /** Degrees; of a photo alone. */
  readonly spot: { readonly lat: number; readonly lon: number } | null
}

const NOTHING: Stated = { taken: null, spot: null }

/** Of a file that cannot be read, or is missing, nothing. */
export async function statedBy(path: string, type: MediaType): Promise<Stated> {
  let file: FileHandle | null = null
  try {
    file = await open(path, 'r')
    if (VIDEOS.includes(type)) return { ...NOTHING, taken: await takenOfVideo(file) }
    return statedByPhoto(await readAt(file, 0, HEAD_BYTES))
  } catch {
    return NOTHING
  } finally {
    await file?.close()
  }
}

export async function readAt(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length)
  const { bytesRead } = await file.read(buffer, 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** Seconds from 1904, where QuickTime counts from, to 1970. */
const SECONDS_TO_1970 = 2_082_844_800
const LATEST_MS = 8.64e15

/** Reads the time from the movie header (ISO/IEC 14496-12, 8.2.2), UTC; 0 means unknown. */
async function takenOfVideo(file: FileHandle): Promise<Taken | null> {
  const { size } = await file.stat()
  let from = 0
  let to = size
  for (let part = 0; part < MOST_PARTS && from < to; part += 1) {
    const head = new DataView((await readAt(file, from, 16)).buffer)
    const type = String.fromCharCode(...new Uint8Array(head.buffer, 4, 4))
    const isLarge = head.getUint32(0) === 1
    const length = isLarge ? Number(head.getBigUint64(8)) : head.getUint32(0) || to - from
    if (type === 'mvhd') {
      const movie = new DataView((await readAt(file, from + 8, 12)).buffer)
      const seconds = movie.getUint8(0) === 1 ? Number(movie.getBigUint64(4)) : movie.getUint32(4)
      const ms = (seconds - SECONDS_TO_1970) * 1000
      return ms > 0 && ms <= LATEST_MS ? { ms, isLocal: false } : null
    }
    if (length < 8) return null
    if (type === 'moov') {
      to = Math.min(to, from + length)
      from += isLarge ? 16 : 8
    } else from += length
  }
  return null
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0]
/** Tags of EXIF 2.32, 4.6. */
const EXIF_DIRECTORY = 0x8769
const [TAKEN, DIGITISED, TAKEN_OFFSET] = [0x9003, 0x9004, 0x9011]
/** Tags of EXIF 2.32, 4.6.6. */
const GPS_DIRECTORY = 0x8825
const GPS = {
  latitude: { half: 1, degrees: 2, minus: 'S', most: 90 },
  longitude: { half: 3, degrees: 4, minus: 'W', most: 180 },
} as const

function statedByPhoto(head: Uint8Array): Stated {
  const exif = exifOf(head)
  return exif === null ? NOTHING : { taken: orNull(() => takenOf(exif)), spot: orNull(() => spotOf(exif)) }
}

/** One of them may be cut, or wrong, without the other. */
function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

interface Exif {
  readonly tiff: Uint8Array
  readonly data: DataView
  readonly isLittle: boolean
  readonly main: ReadonlyMap<number, number>
}

function exifOf(head: Uint8Array): Exif | null {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).indexOf(Buffer.from(EXIF))
  if (start === -1) return null
  const tiff = head.subarray(start + EXIF.length)
  const data = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const isLittle = data.getUint16(0) === 0x4949
  if (data.getUint16(2, isLittle) !== 42) return null
  return { tiff, data, isLittle, main: directory(data, data.getUint32(4, isLittle), isLittle) }
}

/** @throws RangeError when the data is cut */
function takenOf({ tiff, data, isLittle, main }: Exif): Taken | null {
  const at = main.get(EXIF_DIRECTORY)
  if (at === undefined) return null
  const entries = directory(data, data.getUint32(at, isLittle), isLittle)
  const text = (tag: number, length: number) => {
    const place = entries.get(tag)
    if (place === undefined) return ''
    const from = data.getUint32(place, isLittle)
    return new TextDecoder('latin1').decode(tiff.subarray(from, from + length))
  }
  // such as 2025:11:01 08:05:00
  const [day = '', clock = ''] = (text(TAKEN, 19) || text(DIGITISED, 19)).split(' ')
  const offset = /^[+-]\d\d:\d\d$/.exec(text(TAKEN_OFFSET, 6))?.[0] ?? null
  const ms = fileTime(`${day.replaceAll(':', '-')}T${clock}${offset ?? ''}`)
  return Number.isNaN(ms) ? null : { ms, isLocal: offset === null }
}

/** @throws RangeError when the data is cut */
function spotOf({ data, isLittle, main }: Exif): Stated['spot'] {
  const at = main.get(GPS_DIRECTORY)
  if (at === undefined) return null
  const entries = directory(data, data.getUint32(at, isLittle), isLittle)
  const angle = ({ half, degrees, minus, most }: (typeof GPS)[keyof typeof GPS]) => {
    const [sign, place] = [entries.get(half), entries.get(degrees)]
    if (sign === undefined || place === undefined) return Number.NaN
    const from = data.getUint32(place, isLittle)
    const parts = [0, 1, 2].map(
      (k) => data.getUint32(from + 8 * k, isLittle) / data.getUint32(from + 8 * k + 4, isLittle),
    )
    const value = parts[0]! + parts[1]! / 60 + parts[2]! / 3600
    return value > most ? Number.NaN : data.getUint8(sign) === minus.charCodeAt(0) ? -value : value
  }
  const [lat, lon] = [angle(GPS.latitude), angle(GPS.longitude)]
  // without reception cameras write zeros
  return Number.isNaN(lat) || Number.isNaN(lon) || (lat === 0 && lon === 0) ? null : { lat, lon }
}

/** Reads an EXIF directory. @returns positions of the values of its entries, by tag */
function directory(data: DataView, from: number, isLittle: boolean): ReadonlyMap<number, number> {
  const count = Math.min(data.getUint16(from, isLittle), MOST_PARTS)
  return new Map(
    Array.from({ length: count }, (_, k) => {
      const entry = from + 2 + k * 12
      return [data.getUint16(entry, isLittle), entry + 8]
    }),
  )
}
