import { customType } from 'drizzle-orm/sqlite-core'
import { decodedRows, encodedRows } from '../engine/varints.ts'
import type { RecordingWords } from './stored.ts'

/** Steps per degree of a preview, as engine/analyze.ts rounds it. */
const PREVIEW_STEPS = 1e5

/** [lon, lat] points of at most five decimals. */
export const previewPoints = customType<{ data: number[][]; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (points) => encodedRows(points.map((point) => point.map((degrees) => Math.round(degrees * PREVIEW_STEPS)))),
  fromDriver: (stored) => decodedRows(stored, 2).map((row) => row.map((steps) => steps / PREVIEW_STEPS)),
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
