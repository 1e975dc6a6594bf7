import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { BestEffort } from '../engine/analysis.ts'
import { bestEfforts } from '../engine/run/best-efforts.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { unpackDistance } from '../workers/pack.ts'
import { watchChanges } from './best-efforts-changes.ts'
import { type EffortDifference, writeDifferences } from './best-efforts-write.ts'

/** Work between two chances for other requests. */
const SLICE_MS = 8

interface StoredSamples {
  readonly meta: string
  readonly time_hr: Uint8Array
  readonly track: Uint8Array
}

interface StoredEffort {
  readonly distance_index: number
  readonly time_ms: number
  readonly start_ms: number
}

/**
 * Computes the efforts of every workout with samples anew and writes what differs, all of it or nothing. Works in slices
 * between which other requests are answered; what these change meanwhile is newer than what was computed, and stays.
 * Whoever asks while a rebuild runs gets the same one.
 * @returns a function that gives a number that is 0 when nothing was other than the samples say
 */
export function effortRebuild(deps: Pick<Deps, 'db' | 'now'>): () => Promise<number> {
  let running: Promise<number> | null = null
  return () => {
    running ??= rebuild(deps).finally(() => {
      running = null
    })
    return running
  }
}

async function rebuild({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const changes = watchChanges(db)
  try {
    const differences = await computedDifferences(db)
    return differences.length + (await writeDifferences(db, differences, { changes, pause, nowMs: now() }))
  } finally {
    changes.stop()
  }
}

async function computedDifferences(db: Db): Promise<EffortDifference[]> {
  const ids = db.$client.query<[string], []>('SELECT workout_id FROM workout_samples ORDER BY workout_id').values()
  const samplesOf = db.$client.query<StoredSamples, [string]>(
    'SELECT meta, time_hr, track FROM workout_samples WHERE workout_id = ?',
  )
  const effortsOf = db.$client.query<StoredEffort, [string]>(
    'SELECT distance_index, time_ms, start_ms FROM workout_best_effort WHERE workout_id = ?',
  )
  const differences: EffortDifference[] = []
  let sliceEndMs = performance.now() + SLICE_MS
  for (const [workoutId] of ids as [string][]) {
    const samples = samplesOf.get(workoutId)
    if (samples !== null) {
      const found = difference(effortsOf.all(workoutId), effortsIn(samples))
      if (found !== null) differences.push({ workoutId, ...found })
    }
    if (performance.now() < sliceEndMs) continue
    await pause()
    sliceEndMs = performance.now() + SLICE_MS
  }
  return differences
}

function effortsIn(samples: StoredSamples): BestEffort[] {
  // times that were made up of the distance know no fast and slow
  if (samples.meta.includes('"hasEstimatedTimes":true')) return []
  const { tS, distanceM } = unpackDistance({ timeHr: samples.time_hr, track: samples.track })
  const metres = filledDistance(tS, distanceM)
  return metres === null ? [] : bestEfforts(tS, metres)
}

/** null: what is stored is what was computed. */
function difference(
  stored: readonly StoredEffort[],
  computed: readonly BestEffort[],
): Omit<EffortDifference, 'workoutId'> | null {
  const isStored = (effort: BestEffort) =>
    stored.some(
      (row) =>
        row.distance_index === effort.distanceIndex && row.time_ms === effort.timeMs && row.start_ms === effort.startMs,
    )
  const write = computed.filter((effort) => !isStored(effort))
  const remove = stored
    .map((row) => row.distance_index)
    .filter((index) => !computed.some(({ distanceIndex }) => distanceIndex === index))
  return write.length + remove.length === 0 ? null : { write, remove }
}

/** Lets requests that wait be answered. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
