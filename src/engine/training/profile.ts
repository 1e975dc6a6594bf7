import { firstFrom } from '../gather.ts'
import { roundHalfUp } from '../units.ts'
import { clamped } from './numbers.ts'

/** Share of the maximum assumed for the one-hour heart rate. */
const USUAL_LIMIT = 0.9
const USUAL_RESTING_BPM = 60
/** Least distance between resting, one-hour and maximum heart rate, bpm. */
export const LEAST_RESERVE_BPM = 20
export const LEAST_ABOVE_REST_BPM = 10

/** Least and most of what the runner enters for training, in the units of the names. */
export const PROFILE_RANGES = {
  maxHeartRateBpm: [100, 240],
  restingHeartRateBpm: [30, 120],
  lthrBpm: [40, 240],
  thresholdPaceS: [120, 900],
  massKg: [30, 200],
  heightCm: [120, 230],
  fitnessDays: [14, 90],
  fatigueDays: [3, 21],
  fitnessSeed: [0, 150],
  referenceHeartRateBpm: [60, 240],
  minRunsPerWeek: [1, 21],
} as const satisfies Readonly<Record<string, readonly [number, number]>>

/** Values that the runner entered, valid from a day on; null: an older entry applies. */
export interface ProfileEntry {
  /** Local day; null: valid from the beginning. */
  readonly from: number | null
  readonly maxHeartRateBpm: number | null
  readonly restingHeartRateBpm: number | null
  readonly lthrBpm: number | null
  readonly thresholdPaceS: number | null
  readonly massKg: number | null
  readonly heightCm: number | null
}

/** What the heart-rate zones reveal of the heart. */
export interface ZonesProfile {
  readonly maxHeartRateBpm: number
  /** false: the maximum was estimated from the age. */
  readonly isMaxSet: boolean
  readonly restingHeartRateBpm: number | null
  /** Set for zones with bounds of the runner's own; null for other zones. */
  readonly lthrBpm: number | null
}

export type ProfileSource = 'runner' | 'zones' | 'default' | 'estimated'

interface Sourced<T> {
  readonly value: T
  readonly source: ProfileSource
}

export type Profile = ReturnType<typeof profileOn>

/** For each field the newest entry up to a day that has it, else the value of the zones, else a default. */
export function profileOn(day: number, entries: readonly ProfileEntry[], zones: ZonesProfile) {
  const held = entries
    .filter(({ from }) => from === null || from <= day)
    .toSorted((a, b) => (b.from ?? Number.NEGATIVE_INFINITY) - (a.from ?? Number.NEGATIVE_INFINITY))
  const said = (field: Exclude<keyof ProfileEntry, 'from'>) =>
    held.find((entry) => entry[field] !== null)?.[field] ?? null
  const sourced = (
    field: Exclude<keyof ZonesProfile, 'isMaxSet'>,
    ofZones: number | null,
    usual: number,
  ): Sourced<number> => {
    const own = said(field)
    if (own !== null) return { value: own, source: 'runner' }
    return ofZones === null ? { value: usual, source: 'default' } : { value: ofZones, source: 'zones' }
  }
  const { maxHeartRateBpm, isMaxSet } = zones
  const max = sourced('maxHeartRateBpm', isMaxSet ? maxHeartRateBpm : null, maxHeartRateBpm)
  const rest = sourced('restingHeartRateBpm', zones.restingHeartRateBpm, USUAL_RESTING_BPM)
  const limit = sourced('lthrBpm', zones.lthrBpm, roundHalfUp(USUAL_LIMIT * max.value))
  // fields of different entries may contradict each other
  const restBpm = Math.min(rest.value, max.value - LEAST_RESERVE_BPM)
  return {
    maxHeartRateBpm: max,
    restingHeartRateBpm: { ...rest, value: restBpm },
    lthrBpm: { ...limit, value: clamped(limit.value, restBpm + LEAST_ABOVE_REST_BPM, max.value) },
    // null: the runner did not enter it
    thresholdPaceS: said('thresholdPaceS'),
    massKg: said('massKg'),
    heightCm: said('heightCm'),
  }
}

/** `profileOn` of any day, computed once for the days between two entries. */
export function profilesBy(entries: readonly ProfileEntry[], zones: ZonesProfile): (day: number) => Profile {
  const days = entries.flatMap(({ from }) => from ?? []).toSorted((a, b) => a - b)
  const known = new Map<number, Profile>()
  return (day) => {
    const place = firstFrom(days, day + 1)
    const profile = known.get(place) ?? profileOn(day, entries, zones)
    known.set(place, profile)
    return profile
  }
}
