import { localDay } from '../../engine/calendar/weeks.ts'
import { type FitnessProfile, fitnessEvidence } from '../../engine/training/latent/fitness-rows.ts'
import type { KeptFitness, KeptRow } from '../../engine/training/latent/kept-fitness.ts'
import { type LatentFitness, latentFitness, readFitness } from '../../engine/training/latent/latent-fitness.ts'
import type { RowKind } from '../../engine/training/latent/row-weights.ts'
import { profileOn } from '../../engine/training/profile.ts'
import { referenceHeartRate } from '../../engine/training/run/decoupling.ts'
import type { LoadSettings, StoredLoad } from '../../engine/training/run-loads.ts'
import type { Deps } from '../deps.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from './profile.ts'
import { type StoredRuns, storedHistograms } from './runs.ts'

/** Today at the place of the latest run. */
export function fitnessDay({ db, now }: Pick<Deps, 'db' | 'now'>): number {
  const latest = 'SELECT utc_offset_minutes AS offset FROM workout WHERE left_out = 0 ORDER BY started_at DESC LIMIT 1'
  return localDay(now(), db.$client.query<{ offset: number | null }, []>(latest).get()?.offset ?? 0)
}

interface Wanted extends Pick<KeptFitness, 'revision' | 'today'> {
  readonly hasLoads: boolean
}

/** Has the Worker fit the library, and compute its loads where they are wanted. */
export async function computedTraining(
  { db, worker }: Pick<Deps, 'db' | 'worker'>,
  { ids, runs }: StoredRuns,
  { revision, today, hasLoads }: Wanted,
): Promise<{ readonly fitness: KeptFitness; readonly loads: readonly StoredLoad[] | null }> {
  const histograms = hasLoads ? storedHistograms(db, ids) : null
  const run = (place: number) => runs[place]!
  const stored = trainingOrDefault(db)
  const settings = { entries: profileEntries(stored), zones: zonesProfile(db), sex: stored.sex }
  const profile = fitnessProfile(settings, stored.referenceHeartRateBpm, today)
  const last = Math.max(today, runs.at(-1)?.day ?? today)
  const job = { runs: JSON.stringify(runs), histograms, profile, settings, last }
  const { fitted, kinds, runs: places, loads } = await worker.ask('fitness', job)
  const days = Int32Array.from(runs, ({ day }) => day)
  const fit = fitted && readFitness(fitted)
  const rows = keptRows(fit, [...kinds] as RowKind[], [...places], { ids, days })
  return { fitness: { revision, today, profile, ids, days, run, rows, fit }, loads: loads && JSON.parse(loads) }
}

function keptRows(
  fit: LatentFitness | null,
  kinds: readonly RowKind[],
  places: readonly number[],
  { ids, days }: Pick<KeptFitness, 'ids' | 'days'>,
): KeptRow[] {
  return kinds.map((kind, i) => {
    const place = places[i]!
    const [weight, residual] = [fit?.weights[i] ?? 1, fit?.residuals[i] ?? 0]
    return { place, id: ids[place]!, day: days[place]!, kind, weight, residual }
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
  const ofRows = runs.map((run) => places[run]!)
  return { ...kept, today: day, rows: keptRows(fit, kinds, ofRows, kept), fit }
}

/** The profile of a day, by which all runs are read: a new maximum must not look like fitness. */
function fitnessProfile({ entries, zones }: LoadSettings, referenceBpm: number | null, day: number): FitnessProfile {
  const { maxHeartRateBpm, restingHeartRateBpm } = profileOn(day, entries, zones)
  return {
    maxBpm: maxHeartRateBpm.value,
    restBpm: restingHeartRateBpm.value,
    referenceBpm: referenceBpm ?? referenceHeartRate(maxHeartRateBpm.value),
    isMaxSet: maxHeartRateBpm.source !== 'default',
  }
}
