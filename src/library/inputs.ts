import { asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, samples, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzeOptions, Zones } from '../engine/analysis.ts'
import type { DeriveJob } from '../workers/derive.ts'
import { activeRepairs } from './recordings.ts'
import { zonesOfBounds, zonesOrDefault } from './settings.ts'

/** All that the numbers of a workout are made of. */
export interface RunJob extends Omit<DeriveJob, 'what'> {
  /** Grows with every change of it. */
  readonly revision: number
  readonly engineVersion: number
  /** In the order of their arrival, as `recordings`. */
  readonly recordingIds: readonly string[]
}

/** The settings of docs/api.md 2 that climb is counted with. */
export function elevationOptions({ config }: Pick<Deps, 'config'>): AnalyzeOptions['elevation'] {
  return { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
}

/**
 * What the numbers of one workout are made of.
 * @param elevation that climb is to be counted with
 * @returns null for an unknown workout
 */
export function runJob(tx: Tx, id: string, elevation: AnalyzeOptions['elevation']): RunJob | null {
  return jobReader(tx)(id, elevation)
}

/** `runJob` for many workouts: its questions are prepared once. */
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
      recordingIds: told.map((recording) => recording.id),
      recordings: told.map(({ kind, said, samples: packed }) => ({ kind, said, samples: packed })),
      primary: Math.max(
        0,
        told.findIndex(({ position }) => position === 0),
      ),
      repairs: activeRepairs(tx, workoutId),
    }
  }
}

/** What stands in the row of a workout of what its numbers are made of; null for an unknown one. */
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
    // those of its last scoring; of before they were kept, those stored now
    const zones = effortZones === null ? zonesOrDefault(tx) : zonesOfBounds(effortZones)
    return { ...rest, zones, ours: { effort: ours.includes('effort') } }
  }
}

/** How often the inputs of every workout have changed. */
export function inputRevisions(tx: Tx): ReadonlyMap<string, number> {
  const rows = tx.select({ id: workouts.id, revision: workouts.inputsRevision }).from(workouts).all()
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

export function boundsOfZones(zones: Zones): [number, number][] {
  return zones.map(({ minBpm, maxBpm }) => [minBpm, maxBpm])
}
