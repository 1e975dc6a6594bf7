import type { Deps } from '../deps.ts'
import type { BestEffort } from '../engine/analysis.ts'
import { type EffortDifference, recordedIds, storedEfforts, writeDifferences } from '../library/effort-rows.ts'
import { derivations, type RederiveDeps } from '../library/rederive.ts'

/**
 * Computes the efforts of every workout with samples anew and writes what differs, all of it or nothing. The Worker
 * computes, so that others are answered meanwhile; what these change is newer than what was computed, and stays. Whoever
 * asks while a rebuild runs gets the same one.
 * @returns a function that gives a number that is 0 when nothing was other than the samples say
 */
export function effortRebuild(deps: RederiveDeps & Pick<Deps, 'now'>): () => Promise<number> {
  let running: Promise<number> | null = null
  return () => {
    running ??= rebuild(deps).finally(() => {
      running = null
    })
    return running
  }
}

async function rebuild(deps: RederiveDeps): Promise<number> {
  const { db, now } = deps
  const differences: EffortDifference[] = []
  const revisions = new Map<string, number>()
  for await (const { id, outcome } of derivations(deps, recordedIds(db), { what: 'bestEfforts' })) {
    if ('error' in outcome) throw outcome.error
    if (outcome.derived.what !== 'bestEfforts' || outcome.derived.bestEfforts === null) continue
    revisions.set(id, outcome.job.revision)
    const found = difference(storedEfforts(db, id), outcome.derived.bestEfforts)
    if (found !== null) differences.push({ workoutId: id, ...found })
  }
  return writeDifferences(db, differences, { revisions, nowMs: now() })
}

/** null: what is stored is what was computed. */
function difference(
  stored: readonly BestEffort[],
  computed: readonly BestEffort[],
): Omit<EffortDifference, 'workoutId'> | null {
  const write = computed.filter((effort) => !stored.some((row) => Bun.deepEquals(row, effort)))
  const remove = stored
    .map((row) => row.distanceIndex)
    .filter((index) => !computed.some(({ distanceIndex }) => distanceIndex === index))
  return write.length + remove.length === 0 ? null : { write, remove }
}
