import { limitMpsOn } from './latent/fitness-readings.ts'
import type { LatentFitness } from './latent/latent-fitness.ts'
import type { StoredRun } from './latent/packed-runs.ts'
import { LOAD_PARTS, LOAD_SOURCES, type LoadInputs, libraryLoads } from './library-loads.ts'
import { type Profile, type ProfileEntry, profilesBy, type ZonesProfile } from './profile.ts'
import { averageHistogram, averageSpeedHistogram, decodedHistogram, decodedTenths } from './run/histograms.ts'
import { KEPT_PARTS } from './run/run-training.ts'
import { heartRateLoads, paceLoad, type Sex } from './training-load.ts'

/** Climb per kilometre from which on the inaccurate grade of GPS altitude matters, metres. */
const HILLY_M_PER_KM = 20

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

/** Loads of a library as stored, a column each; NaN for unknown values. */
export const LOAD_COLUMNS = [
  ...['load', 'source', 'heart_rate', 'pace', 'rpe', 'duration'],
  ...['coverage', 'suspect', 'factor', 'factor_n', 'spread'],
] as const

/**
 * The loads of a whole library by `LOAD_COLUMNS`; a source is its place in `LOAD_SOURCES`.
 * @param fit gives each run the threshold of its day, unless the runner set one; null: unknown
 */
export function storedLoads(
  runs: readonly StoredRun[],
  { bytes, ends }: StoredHistograms,
  { settings, fit }: { readonly settings: LoadSettings; readonly fit: LatentFitness | null },
): Float64Array {
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
  const found = libraryLoads(inputs)
  const columns = LOAD_COLUMNS.length
  const stored = new Float64Array(columns * runs.length)
  const tenths = (value: number | null) => (value === null ? Number.NaN : Math.round(LOAD_PARTS * value))
  for (const [i, { load, source, loads, calibration, isSuspect }] of found.entries()) {
    stored.set(
      [
        ...[tenths(load), source === null ? Number.NaN : LOAD_SOURCES.indexOf(source)],
        ...[tenths(loads.heartRate), tenths(loads.pace), tenths(loads.rpe), tenths(loads.duration)],
        ...[Math.round(KEPT_PARTS.share * inputs[i]!.sampledCoverage), isSuspect ? 1 : 0],
        ...[calibration?.factor ?? Number.NaN, calibration?.n ?? Number.NaN, calibration?.spread ?? Number.NaN],
      ],
      columns * i,
    )
  }
  return stored
}
