import type { workouts } from '../../db/schema.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { NUMBER_NAMES, NUMBERS, type Said } from '../../engine/numbers.ts'
import { type DeviceTotals, NO_TOTALS } from '../../engine/totals.ts'
import { isObject } from '../../json-object.ts'
import { isWithin } from './row-fields.ts'
import { metaObject, readMeta, type SamplesMeta } from './sample-tracks.ts'

// The member `recording` of a workout row: all that an archive said of recordings before they had a file of their own,
// and what readers of that time compute with. The split unit, the time zone and the engine stand nowhere else.

/** What there is to tell of the recordings of a workout as if they were one. */
export interface ToldTogether {
  readonly fileSession: number | null
  /** In the order of their arrival. */
  readonly said: readonly Said[]
  /** Set while a repair is active: then no recording tells. */
  readonly repaired: { readonly caloriesKcal: number | null } | null
  /** Of the settled track. */
  readonly samples: SamplesMeta | null
}

export type RecordingMember = ReturnType<typeof recordingMember>

export function recordingMember(
  { splitUnitM, timeZone, engineVersion }: typeof workouts.$inferSelect,
  { fileSession, said, repaired, samples }: ToldTogether,
) {
  const deviceTotals = repaired === null ? totalsOf(said) : { ...NO_TOTALS, caloriesKcal: repaired.caloriesKcal }
  const meta = samples === null ? null : metaObject(samples)
  return { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples: meta }
}

/** What `recording` of a workout row held. */
export interface ReadMember {
  readonly splitUnitM: number | null
  readonly timeZone: string | null
  readonly fileSession: number | null
  readonly deviceTotals: DeviceTotals
  /** Of the engine that computed the row; an older one's is derived anew at the next start. */
  readonly engineVersion: number
  readonly samples: SamplesMeta | null
}

/** @returns null when the member is missing or of no use: the row is not Harrier's */
export function readMember(value: unknown): ReadMember | null {
  if (!isObject(value)) return null
  const { splitUnitM, timeZone, fileSession, deviceTotals, engineVersion, samples } = value
  return {
    splitUnitM: isWithin(splitUnitM, 100, 100_000) ? splitUnitM : null,
    timeZone: isTimeZone(timeZone) ? timeZone : null,
    fileSession: readSession(fileSession),
    deviceTotals: readTotals(deviceTotals),
    // an archive of before it was written is one of the first engine
    engineVersion: isWithin(engineVersion, 0, ENGINE_VERSION) ? Math.floor(engineVersion) : 1,
    samples: readMeta(samples),
  }
}

export function readSession(value: unknown): number | null {
  return isWithin(value, 0, 1_000_000) && Number.isInteger(value) ? value : null
}

export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The first that is told of each, under the names that totals have. */
function totalsOf(said: readonly Said[]): DeviceTotals {
  const totals: { -readonly [K in keyof DeviceTotals]: number | null } = { ...NO_TOTALS }
  for (const name of NUMBER_NAMES) {
    const { total } = NUMBERS[name]
    if (total !== null)
      totals[total] = said.map((telling) => telling[name] ?? null).find((value) => value !== null) ?? null
  }
  return totals
}

function readTotals(value: unknown): DeviceTotals {
  if (!isObject(value)) return NO_TOTALS
  const totals: Record<string, number | null> = { ...NO_TOTALS }
  for (const key of Object.keys(NO_TOTALS)) {
    const total = value[key]
    totals[key] = isWithin(total, -1e9, 1e9) ? total : null
  }
  return totals as unknown as DeviceTotals
}
