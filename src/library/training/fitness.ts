import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { type FitnessProfile, fitnessEvidence } from '../../engine/training/latent/fitness-rows.ts'
import type { KeptFitness, KeptRow } from '../../engine/training/latent/kept-fitness.ts'
import { type LatentFitness, latentFitness, readFitness } from '../../engine/training/latent/latent-fitness.ts'
import { dayOf, unpackedRun } from '../../engine/training/latent/packed-runs.ts'
import type { RowKind } from '../../engine/training/latent/row-weights.ts'
import { profileOn } from '../../engine/training/profile.ts'
import { referenceHeartRate } from '../../engine/training/run/decoupling.ts'
import type { LoadSettings } from '../../engine/training/run-loads.ts'
import type { Pace } from '../../pace.ts'
import { computed } from '../../workers/compute.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from './profile.ts'
import { type StoredRuns, storedHistograms } from './runs.ts'

/** Today at the place of the latest run. */
export function fitnessDay({ db, now }: Pick<Deps, 'db' | 'now'>): number {
  const latest = 'SELECT utc_offset_minutes AS offset FROM workout WHERE left_out = 0 ORDER BY started_at DESC LIMIT 1'
  return localDay(now(), db.$client.query<{ offset: number | null }, []>(latest).get()?.offset ?? 0)
}

interface Wanted extends Pick<KeptFitness, 'revision' | 'today'> {
  readonly pace: Pace
  readonly hasLoads: boolean
}

/** Has the Worker fit the library, and compute its loads where they are wanted. */
export async function computedTraining(
  { db, analyzer }: Pick<Deps, 'db' | 'analyzer'>,
  { ids, packed }: StoredRuns,
  { revision, today, pace, hasLoads }: Wanted,
): Promise<{ readonly fitness: KeptFitness; readonly loads: Float64Array | null }> {
  const histograms = hasLoads ? await storedHistograms(db, ids, pace) : null
  const run = (place: number) => unpackedRun(packed, place)
  const profile = fitnessProfile(db, today)
  const last = ids.length === 0 ? today : Math.max(today, dayOf(packed, ids.length - 1))
  const settings = loadSettings(db)
  const job = { what: 'fitness', runs: packed, histograms, profile, settings, last } as const
  const { fitted, kinds, runs: places, loads } = await computed(analyzer, job)
  const days = Int32Array.from(ids, (_, place) => dayOf(packed, place))
  const fit = fitted && readFitness(fitted)
  const rows = keptRows(fit, [...kinds] as RowKind[], (i) => ({
    place: places[i]!,
    id: ids[places[i]!]!,
    day: days[places[i]!]!,
  }))
  return { fitness: { revision, today, profile, ids, days, run, rows, fit }, loads }
}

function keptRows(
  fit: LatentFitness | null,
  kinds: readonly RowKind[],
  runOf: (row: number) => Pick<KeptRow, 'place' | 'id' | 'day'>,
): KeptRow[] {
  return kinds.map((kind, i) => {
    const { place, id, day } = runOf(i)
    return { place, id, day, kind, weight: fit?.weights[i] ?? 1, residual: fit?.residuals[i] ?? 0 }
  })
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

function loadSettings(db: Db): LoadSettings {
  const settings = trainingOrDefault(db)
  return { entries: profileEntries(settings), zones: zonesProfile(db), sex: settings.sex }
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
