import { asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, samples, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzeOptions, Zones } from '../engine/analysis.ts'
import type { DeriveJob } from '../workers/derive.ts'
import { activeRepairs } from './recordings.ts'
import { zonesOfBounds, zonesOrDefault } from './settings.ts'

/** All inputs that the numbers of a workout are derived from. */
export interface RunJob extends Omit<DeriveJob, 'what'> {
  /** Incremented by every change of the inputs. */
  readonly revision: number
  readonly engineVersion: number
  /** In the order of their arrival, parallel to `recordings`. */
  readonly recordingIds: readonly string[]
}

/** The same without the samples, of which a run of days has megabytes. */
export type RunInputs = Omit<RunJob, 'recordings'>

/** The settings that climb is computed with (docs/api.md 2). */
export function elevationOptions({ config }: Pick<Deps, 'config'>): AnalyzeOptions['elevation'] {
  return { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
}

/**
 * The inputs of the numbers of one workout.
 * @param elevation settings that climb is computed with
 * @returns null for an unknown workout
 */
export function runJob(tx: Tx, id: string, elevation: AnalyzeOptions['elevation']): RunJob | null {
  return jobReader(tx)(id, elevation)
}

/** `runJob` for many workouts, with queries that are prepared once. */
export function jobReader(tx: Tx): (id: string, elevation: AnalyzeOptions['elevation']) => RunJob | null {
  const id = sql.placeholder('id')
  const workoutOf = inputsReader(tx)
  const toldOf = tx
    .select({
      id: recordings.id,
      kind: recordings.kind,
      said: recordings.totals,
      position: recordings.position,
      samples: {
        sampleCount: samples.sampleCount,
        meta: samples.meta,
        timeHr: samples.timeHr,
        track: samples.track,
        rest: samples.rest,
      },
    })
    .from(recordings)
    .leftJoin(samples, eq(samples.recordingId, recordings.id))
    .where(eq(recordings.workoutId, id))
    .orderBy(asc(recordings.seq))
    .prepare()
  return (workoutId, elevation) => {
    const workout = workoutOf(workoutId)
    if (workout === null) return null
    const told = toldOf.all({ id: workoutId })
    return {
      ...workout,
      elevation,
      ...placesOf(told),
      recordings: told.map(({ kind, said, samples: packed }) => ({ kind, said, samples: packed })),
      repairs: activeRepairs(tx, workoutId),
    }
  }
}

/** `runJob` without reading samples. */
export function runInputs(tx: Tx, id: string, elevation: AnalyzeOptions['elevation']): RunInputs | null {
  const workout = workoutInputs(tx, id)
  if (workout === null) return null
  const told = tx
    .select({ id: recordings.id, position: recordings.position })
    .from(recordings)
    .where(eq(recordings.workoutId, id))
    .orderBy(asc(recordings.seq))
    .all()
  return { ...workout, elevation, ...placesOf(told), repairs: activeRepairs(tx, id) }
}

/** @param told in the order of arrival */
function placesOf(
  told: readonly { readonly id: string; readonly position: number }[],
): Pick<RunJob, 'recordingIds' | 'primary'> {
  return {
    recordingIds: told.map(({ id }) => id),
    primary: Math.max(
      0,
      told.findIndex(({ position }) => position === 0),
    ),
  }
}

/** The inputs in the workout's own row; null for an unknown workout. */
export function workoutInputs(tx: Tx, id: string) {
  return inputsReader(tx)(id)
}

function inputsReader(tx: Tx) {
  const found = tx
    .select({
      revision: workouts.inputsRevision,
      engineVersion: workouts.engineVersion,
      splitLengthM: workouts.splitUnitM,
      durationS: workouts.durationS,
      effortZones: workouts.effortZones,
      ours: workouts.ours,
    })
    .from(workouts)
    .where(eq(workouts.id, sql.placeholder('id')))
    .prepare()
  return (id: string) => {
    const row = found.get({ id })
    if (row === undefined) return null
    const { effortZones, ours, ...rest } = row
    // zones of its last scoring; for a row older than that column, the zones stored now
    const zones = effortZones === null ? zonesOrDefault(tx) : zonesOfBounds(effortZones)
    return { ...rest, zones, ours: { effort: ours.includes('effort') } }
  }
}

/** The revision of the inputs of every workout. */
export function inputRevisions(tx: Tx): ReadonlyMap<string, number> {
  const rows = tx.select({ id: workouts.id, revision: workouts.inputsRevision }).from(workouts).all()
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

export function boundsOfZones(zones: Zones): [number, number][] {
  return zones.map(({ minBpm, maxBpm }) => [minBpm, maxBpm])
}
