import type { Db } from '../../db/open.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { effortVdot } from '../../engine/training/chosen-efforts.ts'
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
import { thresholdMps } from '../../engine/training/vdot.ts'
import { type DayVdot, vdotByDay } from '../../engine/training/vdot-by-day.ts'
import { METRES_PER_KM } from '../../engine/units.ts'
import type { Pace } from '../../pace.ts'
import { effortsBetweenIds } from './efforts.ts'
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

/** Computes the loads of the whole library from the stored histograms; other requests are served meanwhile. */
export async function computedLoads(db: Db, pace: Pace): Promise<ComputedLoad[]> {
  const rows = db.$client.query<LoadRow, []>(ROWS).all()
  const vdotOn = vdotByDay(await bestVdots(db, rows, pace))
  const settings = trainingOrDefault(db)
  const entries = profileEntries(settings)
  const zones = zonesProfile(db)
  const profiles = new Map<number, Profile>()
  const made = (row: LoadRow, histograms: Histograms | null) => {
    const day = dayOfRun(row)
    const profile = profiles.get(day) ?? profileOn(day, entries, zones)
    profiles.set(day, profile)
    return loadInputs(row, { day, profile, sex: settings.sex, vdot: () => vdotOn(day), histograms })
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
  readonly vdot: () => number | null
  /** null: only the summary of this run is known. */
  readonly histograms: Histograms | null
}

function loadInputs(row: LoadRow, context: LoadContext): { inputs: LoadInputs; coverage: number } {
  const { day, profile, sex, histograms: stored } = context
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
  const vdot = profile.thresholdPaceS === null ? context.vdot() : null
  const limit = profile.thresholdPaceS === null ? vdot && thresholdMps(vdot) : METRES_PER_KM / profile.thresholdPaceS
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
      isPacePoor: row.altitudeUsable === 0 && row.indoor === 0 && isHilly,
    },
  }
}

/** The best VDOT of each run that has an effort. */
async function bestVdots(db: Db, rows: readonly LoadRow[], pace: Pace): Promise<DayVdot[]> {
  const days = new Map(rows.map((row) => [row.id, dayOfRun(row)]))
  const ids = [...days.keys()].toSorted()
  const best = new Map<string, number>()
  for (let at = 0; at < ids.length; at += BATCH) {
    const upTo = ids[Math.min(ids.length, at + BATCH) - 1]!
    for (const { workoutId, distanceIndex, timeMs, gradedM } of effortsBetweenIds(
      db,
      at === 0 ? '' : ids[at - 1]!,
      upTo,
    )) {
      // an effort of a distance that this engine no longer has is ignored until it is derived again
      const standard = STANDARD_DISTANCES[distanceIndex]
      if (standard === undefined) continue
      const vdot = effortVdot({ distanceM: standard.distanceM, gradedM, timeS: timeMs / 1000 })
      if (vdot !== null) best.set(workoutId, Math.max(best.get(workoutId) ?? 0, vdot))
    }
    if (pace.needsRest()) await pace.rest()
  }
  return [...best].flatMap(([id, vdot]) => {
    const day = days.get(id)
    return day === undefined ? [] : [{ day, vdot }]
  })
}
