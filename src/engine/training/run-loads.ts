import { limitMpsOn } from './latent/fitness-readings.ts'
import type { FitnessRun } from './latent/fitness-rows.ts'
import type { LatentFitness } from './latent/latent-fitness.ts'
import { type ChosenSource, LOAD_PARTS, type LoadInputs, type LoadSource, libraryLoads } from './library-loads.ts'
import { type Profile, type ProfileEntry, profilesBy, type ZonesProfile } from './profile.ts'
import { averageHistogram, averageSpeedHistogram, decodedHistogram, decodedTenths } from './run/histograms.ts'
import { KEPT_PARTS } from './run/run-training.ts'
import { heartRateLoads, paceLoad, type Sex } from './training-load.ts'

/** Climb per kilometre from which on the inaccurate grade of GPS altitude matters, metres. */
const HILLY_M_PER_KM = 20

/** What fitness and load are computed from, but for the histograms of a run. */
export interface StoredRun extends FitnessRun {
  readonly distanceM: number
  /** Average of the whole run; null: unknown. */
  readonly averageBpm: number | null
  readonly rpe: number | null
  readonly manual: number | null
  readonly chosen: ChosenSource
}

/** Stored histograms of runs, one after the other: of each run that of heart rate, then that of speed. */
export interface StoredHistograms {
  readonly bytes: Uint8Array
  /** Where each ends, two a run; the same as before where a run has none. */
  readonly ends: Uint32Array
}

/** What the runner set that loads depend on. */
export interface LoadSettings {
  readonly entries: readonly ProfileEntry[]
  readonly zones: ZonesProfile
  readonly sex: Sex | null
}

/** Columns of a load as stored. */
export const LOAD_COLUMNS = [
  ...['load', 'source', 'heart_rate', 'pace', 'rpe', 'duration'],
  ...['coverage', 'suspect', 'factor', 'factor_n', 'spread'],
] as const

/** The values of `LOAD_COLUMNS`; null for unknown ones. */
export type StoredLoad = readonly (number | LoadSource | null)[]

/**
 * The loads of a whole library, in the order of its runs.
 * @param fit gives each run the threshold of its day, unless the runner set one; null: unknown
 */
export function storedLoads(
  runs: readonly StoredRun[],
  { bytes, ends }: StoredHistograms,
  { settings, fit }: { readonly settings: LoadSettings; readonly fit: LatentFitness | null },
): StoredLoad[] {
  const { sex } = settings
  const profileOf = profilesBy(settings.entries, settings.zones)
  const byProfile = new Map<Profile, ReturnType<typeof heartRateLoads>>()
  const byHeartRate = (profile: Profile) => {
    const known = byProfile.get(profile) ?? heartRateLoads(profile, sex)
    byProfile.set(profile, known)
    return known
  }
  const inputsOf = (run: StoredRun, i: number): LoadInputs => {
    const { day, movingS, averageBpm, distanceM } = run
    const profile = profileOf(day)
    const part = (place: number) => bytes.subarray(place === 0 ? 0 : ends[place - 1]!, ends[place]!)
    const [hr, speeds] = [part(2 * i), part(2 * i + 1)]
    const sampled = hr.length === 0 ? null : decodedTenths(hr)
    const heartRate = sampled ?? (averageBpm === null ? null : averageHistogram(averageBpm, movingS))
    const byHeart = heartRate === null ? null : byHeartRate(profile)(heartRate, movingS)
    const isThresholdOwn = profile.thresholdPaceS !== null
    const limitMps = limitMpsOn(profile, fit, day)
    const speed =
      speeds.length > 0 ? decodedHistogram(speeds) : distanceM > 0 ? averageSpeedHistogram(distanceM, movingS) : null
    const isHilly = (run.gainPerKm ?? 0) > HILLY_M_PER_KM
    return {
      ...{ day, movingS, rpe: run.rpe, manual: run.manual, chosen: run.chosen, isThresholdOwn },
      heartRate: byHeart?.load ?? null,
      sampledCoverage: sampled === null ? 0 : byHeart!.coverage,
      pace: speed === null || limitMps === null ? null : paceLoad(speed, { thresholdMps: limitMps, sex }),
      isPacePoor: !run.isAltitudeUsable && !run.isIndoor && isHilly,
    }
  }
  const inputs = runs.map(inputsOf)
  const tenths = (value: number | null) => (value === null ? null : Math.round(LOAD_PARTS * value))
  return libraryLoads(inputs).map(({ load, source, loads, calibration, isSuspect }, i) => [
    ...[tenths(load), source],
    ...[tenths(loads.heartRate), tenths(loads.pace), tenths(loads.rpe), tenths(loads.duration)],
    ...[Math.round(KEPT_PARTS.share * inputs[i]!.sampledCoverage), isSuspect ? 1 : 0],
    ...[calibration?.factor ?? null, calibration?.n ?? null, calibration?.spread ?? null],
  ])
}
