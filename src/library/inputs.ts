import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { AnalyzeOptions, Zones } from '../engine/analysis.ts'
import type { Repair } from '../engine/settle.ts'
import type { DeriveJob } from '../workers/derive.ts'
import { activeRepairs, recordingsOf, samplesOf } from './recordings.ts'
import { zonesOfBounds, zonesOrDefault } from './settings.ts'

/** All that the numbers of a workout are made of. */
export interface RunJob extends Omit<DeriveJob, 'what'> {
  /** Grows with every change of it. */
  readonly revision: number
  readonly engineVersion: number
  /** In the order of their arrival, as `recordings`. */
  readonly recordingIds: readonly string[]
}

/** The settings of CONTRACT 2 that climb is counted with. */
export function elevationOptions({ config }: Pick<Deps, 'config'>): AnalyzeOptions['elevation'] {
  return { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
}

/**
 * @param elevation that climb is to be counted with
 * @param options.withSamples false: to look at the rest only
 * @returns null for an unknown workout
 */
export function runJob(
  tx: Tx,
  id: string,
  elevation: AnalyzeOptions['elevation'],
  { withSamples = true }: { readonly withSamples?: boolean } = {},
): RunJob | null {
  const workout = tx
    .select({
      revision: workouts.inputsRevision,
      engineVersion: workouts.engineVersion,
      splitLengthM: workouts.splitUnitM,
      durationS: workouts.durationS,
      effortZones: workouts.effortZones,
      ours: workouts.ours,
    })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (workout === undefined) return null
  const { effortZones, ours, ...rest } = workout
  const stored = recordingsOf(tx, id)
  return {
    ...rest,
    elevation,
    zones: effortZonesOf(tx, effortZones),
    ours: { effort: ours.includes('effort') },
    recordingIds: stored.map((recording) => recording.id),
    recordings: stored.map(({ id: recordingId, kind, totals }) => ({
      kind,
      said: totals,
      samples: withSamples ? samplesOf(tx, recordingId) : null,
    })),
    primary: Math.max(
      0,
      stored.findIndex(({ position }) => position === 0),
    ),
    repairs: repairsOf(tx, id),
  }
}

/** How often the inputs of every workout have changed. */
export function inputRevisions(tx: Tx): ReadonlyMap<string, number> {
  const rows = tx.select({ id: workouts.id, revision: workouts.inputsRevision }).from(workouts).all()
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** The active repairs as the engine does them. */
export function repairsOf(tx: Tx, workoutId: string): Repair[] {
  return activeRepairs(tx, workoutId).map(({ kind, data: { fromMs, toMs, climbLimit, caloriesKcal } }) => {
    return { kind, fromMs, toMs, climbLimit, caloriesKcal }
  })
}

/** The zones of a workout's last scoring; of before they were kept, those stored now. */
export function effortZonesOf(tx: Tx, bounds: readonly (readonly [number, number])[] | null): Zones {
  return bounds === null ? zonesOrDefault(tx) : zonesOfBounds(bounds)
}

export function boundsOfZones(zones: Zones): [number, number][] {
  return zones.map(({ minBpm, maxBpm }) => [minBpm, maxBpm])
}
