import type { Db } from '../../db/open.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { thresholdMpsOn } from '../../engine/training/latent/fitness-readings.ts'
import type { LatentFitness } from '../../engine/training/latent/latent-fitness.ts'
import { type ChosenSource, type LoadInputs, libraryLoads, type RunLoad } from '../../engine/training/library-loads.ts'
import { type Profile, profileOn } from '../../engine/training/profile.ts'
import {
  averageHistogram,
  averageSpeedHistogram,
  decodedHistogram,
  decodedTenths,
} from '../../engine/training/run/histograms.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import { heartRateLoad, paceLoad, type Sex } from '../../engine/training/training-load.ts'
import { METRES_PER_KM } from '../../engine/units.ts'
import type { Pace } from '../../pace.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from './profile.ts'

/** Climb per kilometre from which on the inaccurate grade of GPS altitude matters, metres. */
const HILLY_M_PER_KM = 20
/** Number of workouts read at once. */
const BATCH = 256

/** A workout with the columns that its load is computed from. */
export interface LoadRow {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly movingS: number
  readonly distanceM: number
  readonly bpm: number | null
  readonly rpe: number | null
  readonly chosen: ChosenSource | null
  readonly manual: number | null
  readonly altitudeUsable: number | null
  readonly indoor: number | null
  readonly gainPerKm: number | null
}

const ROWS = `
  SELECT w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset,
    coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS, w.distance_m AS distanceM,
    w.avg_heart_rate_bpm AS bpm, w.rpe, c.load_source AS chosen, c.load_manual AS manual,
    t.altitude_usable AS altitudeUsable, t.indoor, t.gain_per_km / ${KEPT_PARTS.climb}.0 AS gainPerKm
  FROM workout AS w LEFT JOIN training_choice AS c ON c.workout_id = w.id
    LEFT JOIN workout_training AS t ON t.workout_id = w.id
  WHERE w.left_out = 0 ORDER BY w.started_at, w.id`

/** A workout with its computed load. */
export interface ComputedLoad {
  readonly id: string
  readonly coverage: number
  readonly run: RunLoad
}

/** Local day of a run: at its own place, else by `otherwise`. */
function dayOfRun({ startedAt, offset }: Pick<LoadRow, 'startedAt' | 'offset'>, otherwise = 0): number {
  return localDay(startedAt, offset ?? otherwise)
}

/**
 * Computes the loads of the whole library from the stored histograms; other requests are served meanwhile.
 * @param fit gives each run the threshold of its day, unless the runner set one; null: unknown
 */
export async function computedLoads(db: Db, fit: LatentFitness | null, pace: Pace): Promise<ComputedLoad[]> {
  const rows = db.$client.query<LoadRow, []>(ROWS).all()
  const settings = trainingOrDefault(db)
  const entries = profileEntries(settings)
  const zones = zonesProfile(db)
  const profiles = new Map<number, Profile>()
  const made = (row: LoadRow, histograms: Histograms | null) => {
    const day = dayOfRun(row)
    const profile = profiles.get(day) ?? profileOn(day, entries, zones)
    profiles.set(day, profile)
    return loadInputs(row, { day, profile, sex: settings.sex, fit, histograms })
  }
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  const all = new Array<ReturnType<typeof made> | undefined>(rows.length).fill(undefined)
  for await (const { workoutId, ...histograms } of storedHistograms(db, pace)) {
    const place = places.get(workoutId)
    if (place !== undefined) all[place] = made(rows[place]!, histograms)
  }
  const known = rows.map((row, place) => all[place] ?? made(row, null))
  const loads = libraryLoads(known.map(({ inputs }) => inputs))
  return rows.map(({ id }, i) => ({ id, coverage: known[i]!.coverage, run: loads[i]! }))
}

interface Histograms {
  readonly hr: Uint8Array
  readonly speed: Uint8Array
}

/** Histograms of all runs, in the order of the file. */
async function* storedHistograms(db: Db, pace: Pace): AsyncGenerator<Histograms & { readonly workoutId: string }> {
  const batch = db.$client.query<Histograms & { readonly rowId: number; readonly workoutId: string }, [number, number]>(
    `SELECT rowid AS rowId, workout_id AS workoutId, hr_hist AS hr, speed_hist AS speed FROM workout_training
     WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  )
  for (let after = 0, count = BATCH; count === BATCH; ) {
    const some = batch.all(after, BATCH)
    count = some.length
    after = some.at(-1)?.rowId ?? after
    yield* some
    if (pace.needsRest()) await pace.rest()
  }
}

interface LoadContext {
  readonly day: number
  readonly profile: Profile
  readonly sex: Sex | null
  readonly fit: LatentFitness | null
  /** null: only the summary of this run is known. */
  readonly histograms: Histograms | null
}

function loadInputs(row: LoadRow, context: LoadContext): { inputs: LoadInputs; coverage: number } {
  const { day, profile, sex, fit, histograms: stored } = context
  const { thresholdPaceS } = profile
  const { movingS } = row
  const heart = {
    maxHeartRateBpm: profile.maxHeartRateBpm.value,
    restingHeartRateBpm: profile.restingHeartRateBpm.value,
    lthrBpm: profile.lthrBpm.value,
    sex,
  }
  const sampled = stored === null || stored.hr.length === 0 ? null : decodedTenths(stored.hr)
  const heartRate = sampled ?? (row.bpm === null ? null : averageHistogram(row.bpm, movingS))
  const byHeart = heartRate === null ? null : heartRateLoad(heartRate, movingS, heart)
  const coverage = sampled === null ? 0 : (byHeart?.coverage ?? 0)
  const limit = thresholdPaceS === null ? fit && thresholdMpsOn(fit, day) : METRES_PER_KM / thresholdPaceS
  const speed =
    stored !== null && stored.speed.length > 0
      ? decodedHistogram(stored.speed)
      : row.distanceM > 0
        ? averageSpeedHistogram(row.distanceM, movingS)
        : null
  const isHilly = (row.gainPerKm ?? 0) > HILLY_M_PER_KM
  return {
    coverage,
    inputs: {
      day,
      movingS,
      rpe: row.rpe,
      manual: row.manual,
      chosen: row.chosen ?? 'auto',
      heartRate: byHeart?.load ?? null,
      sampledCoverage: coverage,
      pace: speed === null || limit === null ? null : paceLoad(speed, { thresholdMps: limit, sex }),
      isThresholdOwn: thresholdPaceS !== null,
      isPacePoor: row.altitudeUsable === 0 && row.indoor === 0 && isHilly,
    },
  }
}
