import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { effortVdot } from '../../engine/training/chosen-efforts.ts'
import { simplifiedWbgt } from '../../engine/training/conditions.ts'
import { type FitnessProfile, type FitnessRun, fitnessEvidence } from '../../engine/training/latent/fitness-rows.ts'
import type { KeptFitness, KeptRow } from '../../engine/training/latent/kept-fitness.ts'
import { type LatentFitness, latentFitness, readFitness } from '../../engine/training/latent/latent-fitness.ts'
import { packedRuns, unpackedRun } from '../../engine/training/latent/packed-runs.ts'
import type { RowKind } from '../../engine/training/latent/row-weights.ts'
import { profileOn } from '../../engine/training/profile.ts'
import { referenceHeartRate } from '../../engine/training/run/decoupling.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import type { Pace } from '../../pace.ts'
import { computed } from '../../workers/compute.ts'
import { effortsBetweenIds } from './efforts.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from './profile.ts'

/** Number of workouts read at once. */
const BATCH = 1000

/** Today at the place of the latest run. */
export function fitnessDay({ db, now }: Pick<Deps, 'db' | 'now'>): number {
  const latest = 'SELECT utc_offset_minutes AS offset FROM workout WHERE left_out = 0 ORDER BY started_at DESC LIMIT 1'
  return localDay(now(), db.$client.query<{ offset: number | null }, []>(latest).get()?.offset ?? 0)
}

/** Fits the library in the Worker; other requests are served meanwhile. */
export async function computedFitness(
  { db, analyzer }: Pick<Deps, 'db' | 'analyzer'>,
  { revision, today, pace }: Pick<KeptFitness, 'revision' | 'today'> & { readonly pace: Pace },
): Promise<KeptFitness> {
  const { ids, runs } = await storedRuns(db, pace)
  const profile = fitnessProfile(db, today)
  const last = Math.max(today, runs.at(-1)?.day ?? today)
  if (pace.needsRest()) await pace.rest()
  const packed = packedRuns(runs)
  const { fitted, kinds, runs: places } = await computed(analyzer, { what: 'fitness', runs: packed, profile, last })
  const run = (place: number) => unpackedRun(packed, place)
  const days = Int32Array.from(runs, ({ day }) => day)
  const fit = fitted && readFitness(fitted)
  const rows = keptRows(fit, [...kinds] as RowKind[], (i) => ({
    place: places[i]!,
    id: ids[places[i]!]!,
    day: days[places[i]!]!,
  }))
  return { revision, today, profile, ids, days, run, rows, fit }
}

function keptRows(
  fit: LatentFitness | null,
  kinds: readonly RowKind[],
  runOf: (row: number) => Pick<KeptRow, 'place' | 'id' | 'day'>,
): KeptRow[] {
  return kinds.map((kind, i) => ({ ...runOf(i), kind, weight: fit?.weights[i] ?? 1, residual: fit?.residuals[i] ?? 0 }))
}

/** Days before a race whose runs say what was to be expected of it. */
const BEFORE_DAYS = 400

/** The fit as it was on a day that is over: of the runs up to it, not of the whole past. */
export function fitnessUpTo(kept: KeptFitness, day: number): KeptFitness {
  const places = kept.ids.flatMap((_, i) => (kept.days[i]! <= day && kept.days[i]! > day - BEFORE_DAYS ? [i] : []))
  const { rows, runs, basis } = fitnessEvidence(places.map(kept.run), kept.profile, day)
  const fit = latentFitness(rows, basis)
  const kinds = rows.map(({ kind }) => kind)
  const runOf = (i: number) => ({ place: places[runs[i]!]!, id: kept.ids[places[runs[i]!]!]!, day: rows[i]!.day })
  return { ...kept, today: day, rows: keptRows(fit, kinds, runOf), fit }
}

/** The profile of a day, by which all runs are read: a new maximum must not look like fitness. */
function fitnessProfile(db: Db, day: number): FitnessProfile {
  const settings = trainingOrDefault(db)
  const { maxHeartRateBpm, restingHeartRateBpm } = profileOn(day, profileEntries(settings), zonesProfile(db))
  return {
    maxBpm: maxHeartRateBpm.value,
    restBpm: restingHeartRateBpm.value,
    referenceBpm: settings.referenceHeartRateBpm ?? referenceHeartRate(maxHeartRateBpm.value),
    isMaxSet: maxHeartRateBpm.source !== 'default',
  }
}

interface Row {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly isRace: number
  readonly isExcluded: number
  readonly isIndoor: number | null
  readonly isAltitudeUsable: number | null
  readonly gainPerKm: number | null
  readonly movingS: number
  readonly countedS: number | null
  readonly mps: number | null
  readonly bpm: number | null
  readonly coverage: number | null
  readonly speedCv: number | null
  readonly temperatureC: number | null
  readonly humidityPct: number | null
}

const { share, bpm, climb } = KEPT_PARTS
const ROWS = `
  SELECT w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type IS 'Race' AS isRace,
    coalesce(c.exclude_from_estimates, 0) AS isExcluded, t.indoor AS isIndoor, t.altitude_usable AS isAltitudeUsable,
    t.gain_per_km / ${climb}.0 AS gainPerKm, coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS,
    t.steady_s AS countedS, t.steady_mps / ${share}.0 AS mps, t.steady_bpm / ${bpm}.0 AS bpm, t.hr_cover / ${share}.0 AS coverage,
    t.speed_cv / ${share}.0 AS speedCv, w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id
  WHERE (w.started_at, w.id) > (?1, ?2) AND w.left_out = 0 ORDER BY w.started_at, w.id LIMIT ${BATCH}`

async function storedRuns(db: Db, pace: Pace): Promise<{ ids: string[]; runs: FitnessRun[] }> {
  const batch = db.$client.query<Row, [number, string]>(ROWS)
  const rows: Row[] = []
  for (let some: Row[] | null = null; some === null || some.length === BATCH; ) {
    const last = rows.at(-1)
    some = batch.all(last?.startedAt ?? Number.MIN_SAFE_INTEGER, last?.id ?? '')
    rows.push(...some)
    if (pace.needsRest()) await pace.rest()
  }
  const ids = rows.map(({ id }) => id)
  const best = await bestEfforts(db, ids, pace)
  return { ids, runs: rows.map((row) => runOf(row, best.get(row.id) ?? null)) }
}

function runOf(row: Row, best: FitnessRun['best']): FitnessRun {
  const { temperatureC, humidityPct } = row
  return {
    day: localDay(row.startedAt, row.offset ?? 0),
    isRace: row.isRace === 1,
    isExcluded: row.isExcluded === 1,
    isIndoor: row.isIndoor === 1,
    isAltitudeUsable: row.isAltitudeUsable === 1,
    gainPerKm: row.gainPerKm,
    movingS: row.movingS,
    countedS: row.countedS,
    mps: row.mps,
    bpm: row.bpm,
    coverage: row.coverage ?? 0,
    speedCv: row.speedCv,
    wbgtC: temperatureC === null || humidityPct === null ? null : simplifiedWbgt(temperatureC, humidityPct),
    best,
  }
}

/** The effort with the highest VDOT of each run that has one. */
async function bestEfforts(db: Db, unordered: readonly string[], pace: Pace) {
  const ids = unordered.toSorted()
  const best = new Map<string, NonNullable<FitnessRun['best']>>()
  for (let at = 0; at < ids.length; at += BATCH) {
    const upTo = ids[Math.min(ids.length, at + BATCH) - 1]!
    for (const { workoutId, distanceIndex, timeMs, gradedM } of effortsBetweenIds(db, ids[at - 1] ?? '', upTo)) {
      // an effort of a distance that this engine no longer has is ignored until it is derived again
      const { distanceM } = STANDARD_DISTANCES[distanceIndex] ?? { distanceM: 0 }
      const timeS = timeMs / 1000
      const vdot = effortVdot({ distanceM, gradedM, timeS })
      if (vdot !== null && vdot > (best.get(workoutId)?.vdot ?? 0)) best.set(workoutId, { distanceM, timeS, vdot })
    }
    if (pace.needsRest()) await pace.rest()
  }
  return best
}
