import { customType } from 'drizzle-orm/sqlite-core'
import { decodePreview, encodePreview } from '../engine/route/preview-code.ts'
import type { RecordingWords } from './stored.ts'

/** [lon, lat] points, encoded by engine/route/preview-code.ts, or as JSON where that cannot represent them. */
export const previewPoints = customType<{ data: number[][]; driverData: Uint8Array | string }>({
  dataType: () => 'any',
  toDriver: (points) => encodePreview(points) ?? JSON.stringify(points),
  fromDriver: (stored) => (typeof stored === 'string' ? JSON.parse(stored) : decodePreview(stored)),
})

const NO_WORDS: RecordingWords = {
  name: null,
  notes: null,
  runType: null,
  rpe: null,
  source: null,
  device: null,
  gear: null,
}

/** JSON of the texts that are present. */
export const recordedWords = customType<{ data: RecordingWords; driverData: string }>({
  dataType: () => 'text',
  toDriver: (words) => JSON.stringify(words, (_, value: unknown) => value ?? undefined),
  fromDriver: (stored) => ({ ...NO_WORDS, ...JSON.parse(stored) }),
})

/** Stores a number as an integer of so many parts per unit, in half the bytes of a REAL or less. */
export const inParts = (perUnit: number) =>
  customType<{ data: number; driverData: number }>({
    dataType: () => 'integer',
    toDriver: (value) => Math.round(perUnit * value),
    fromDriver: (stored) => stored / perUnit,
  })
