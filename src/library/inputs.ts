import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import type { ElevationSettings, Zones } from '../engine/analysis.ts'
import type { DeriveJob, StoredStatement } from '../workers/derive.ts'
import type { Deps } from './deps.ts'
import { type Asked, engineRepairs, isJoined, type RunDocument, type ZoneBounds } from './documents/run.ts'
import { trackLaps } from './laps.ts'
import { laidSamples, packedJoin, primaryId, recordingsByIds, type StoredRecording, samplesOf } from './recordings.ts'
import { splitUnitM, unitPreference, zonesOfBounds, zonesOrDefault } from './settings.ts'

/** The settings that climb is computed with (docs/api.md 2). */
export function elevationOptions({ config }: Pick<Deps, 'config'>): ElevationSettings {
  return { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
}

/** What the numbers of a run are computed with when they are asked for now. */
export function askedNow(tx: Tx, deps: Pick<Deps, 'config'>, unitM = splitUnitM(unitPreference(tx))): Asked {
  return { zones: boundsOfZones(zonesOrDefault(tx)), splitUnitM: unitM, elevation: elevationOptions(deps) }
}

interface DerivedFrom {
  readonly body: RunDocument
  readonly asked: Asked
  /** Stored duration of the run, for which an average heart rate counts; 0: it is new. */
  readonly durationS: number
}

export function deriveJob(
  tx: Tx,
  { body: { track }, asked, durationS }: DerivedFrom,
  deps: Pick<Deps, 'config'>,
): DeriveJob {
  const made = {
    durationS,
    splitLengthM: asked.splitUnitM,
    elevation: elevationOptions(deps),
    // of an archive's effort: the zones of now
    zones: asked.zones === null ? zonesOrDefault(tx) : zonesOfBounds(asked.zones),
    ours: { effort: asked.ours?.includes('effort') ?? false },
    repairs: engineRepairs(track),
    laps: trackLaps(tx, track),
  }
  if (isJoined(track)) {
    const joined = packedJoin(tx, track)
    if (joined === null) throw new Error('A part of a joined run has no samples')
    return { ...made, joined, primary: 0, recordings: [{ kind: 'file', said: {}, samples: null }] }
  }
  const stated = recordingsByIds(tx, track.recordings)
  const primary = primaryId(tx, track)
  return {
    ...made,
    primary: Math.max(
      0,
      stated.findIndex(({ id }) => id === primary),
    ),
    recordings: stated.map((one) => statement(tx, one)),
    ...laidSamples(track, (id) => samplesOf(tx, id)),
  }
}

export function statement(tx: Tx, { id, kind, totals }: StoredRecording): StoredStatement {
  return { kind, said: totals, samples: samplesOf(tx, id) }
}

const duration = preparedOnce((tx) =>
  tx.$client.prepare<{ s: number }, [string]>('SELECT duration_s AS s FROM workout WHERE id = ?'),
)

/** The stored duration of a run, seconds; 0: it is not stored. */
export function durationOf(tx: Tx, id: string): number {
  return duration(tx).get(id)?.s ?? 0
}

export function boundsOfZones(zones: Zones): ZoneBounds {
  return zones.map(({ minBpm, maxBpm }) => [minBpm, maxBpm] as const)
}
