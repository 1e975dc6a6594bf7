import { setImmediate } from 'node:timers/promises'
import type { Db, Tx } from '../../db/open.ts'
import type { KeptFitness } from '../../engine/training/latent/kept-fitness.ts'
import { LOAD_COLUMNS, type StoredLoad } from '../../engine/training/run-loads.ts'
import type { Deps, LoadRefresher } from '../deps.ts'
import { olderRuns } from '../derive.ts'
import { isUnderWay } from '../receipts/record.ts'
import { computedTraining, fitnessDay } from './fitness.ts'
import { type StoredRuns, storedRuns } from './runs.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'events' | 'after' | 'now' | 'worker'>

/** How long a request for training data, and one that only displays it, waits for a computation of loads in progress. */
const PATIENCE_MS = 50
const SHORT_PATIENCE_MS = 20
/** The loads of more runs take longer than that: nobody waits for them. */
const MOST_AWAITED = 1000
/** As long as nothing was fitted since the start, there is nothing to answer with. */
const FIRST_PATIENCE_MS = 5000
/** How often a computation restarts because of a change during it. */
const MOST_RESTARTS = 3

export interface TrainingState {
  /** Incremented by every change of the inputs of loads. */
  readonly revision: number
  /** The revision for which the stored loads were computed. */
  readonly computed: number
  /** Incremented by changes of weather, devices and marks. */
  readonly conditions: number
  /** The part of the revision that changes of the profile are: no run has to be read for them. */
  readonly profiles: number
}

export function trainingState(tx: Tx): TrainingState {
  return tx.$client
    .query<TrainingState, []>('SELECT revision, computed, conditions, profiles FROM training_state')
    .get()!
}

export function createLoadRefresher(needs: Needs): LoadRefresher {
  const { db, log, events, after } = needs
  const kept: Kept = { fitness: null, runs: null }
  let running: Promise<void> | null = null
  let isUnstated = false
  const compute = () => {
    running ??= refreshed(needs, kept)
      .then((isChanged) => {
        isUnstated ||= isChanged
      })
      .catch((error: unknown) => log.error('The loads of the runs could not be computed', error))
      .finally(() => {
        running = null
      })
    return running
  }
  const announce = () => {
    if (isUnstated) events.emit({ event: 'training.updated', data: {} })
    isUnstated = false
  }
  const refresh = () => compute().then(announce)
  return {
    refresh,
    isRecomputing: async () => {
      if (isFitted(needs, kept)) announce()
      else {
        const isGoingOn = running !== null
        const work = refresh()
        if (kept.fitness === null) await isDoneWithin(after, FIRST_PATIENCE_MS, work)
        else if (!isLarge(db)) await isDoneWithin(after, PATIENCE_MS, work)
        // who asks again and again would keep the work from going on
        else if (isGoingOn) await setImmediate()
      }
      // runs of an older engine count by their summaries
      return !isFitted(needs, kept) || olderRuns(db) > 0
    },
    fitness: () => kept.fitness,
    upToDate: async () => {
      if (!isCurrent(db) && !isUnderWay(db) && !isLarge(db)) await isDoneWithin(after, SHORT_PATIENCE_MS, compute())
    },
  }
}

/** Waits for work, but not longer than so many milliseconds. @throws what the work throws meanwhile */
export function isDoneWithin(after: Deps['after'], ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stop = after(ms, () => resolve(false))
    work.then(() => resolve(true), reject).finally(stop)
  })
}

/** The revision without changes of the profile, which leave the runs as they are. */
export function runsState(db: Db): number {
  const { revision, profiles } = trainingState(db)
  return revision - profiles
}

/** Whether answers of a large library are still those of before the last change. */
export function isBehind(db: Db): boolean {
  return !isCurrent(db) && isLarge(db)
}

/** Differs whenever answers that rest on runs, loads and the fit may differ. */
export function answersState(db: Db, fitness: KeptFitness | null): readonly (number | null)[] {
  const { revision, computed, conditions } = trainingState(db)
  return [isBehind(db) ? computed : revision, computed, conditions, fitness?.revision ?? null, fitness?.today ?? null]
}

function isCurrent(db: Db): boolean {
  const { revision, computed } = trainingState(db)
  return revision === computed
}

/** The latest fit, and the runs that were read for it; null before the first since the start. */
interface Kept {
  fitness: KeptFitness | null
  runs: (StoredRuns & { readonly version: number }) | null
}

function isFitted(needs: Needs, { fitness }: Kept): boolean {
  return (
    isCurrent(needs.db) && fitness?.revision === trainingState(needs.db).revision && fitness.today === fitnessDay(needs)
  )
}

function isLarge(db: Db): boolean {
  return db.$client.query('SELECT 1 FROM workout_load LIMIT 1 OFFSET ?').get(MOST_AWAITED) !== null
}

/**
 * One round. A change during it restarts it, but only a few times: during a long import it ends with what it has, and
 * the next request has the rest computed.
 * @returns whether anything was outdated
 */
async function refreshed(needs: Needs, kept: Kept): Promise<boolean> {
  const { db } = needs
  for (let restarts = 0; ; restarts += 1) {
    const { revision, computed } = trainingState(db)
    const today = fitnessDay(needs)
    if (isFitted(needs, kept)) return false
    // the request that starts it is answered first
    await setImmediate()
    const version = runsState(db)
    if (kept.runs?.version !== version) kept.runs = { version, ...storedRuns(db) }
    await setImmediate()
    // after a start, the loads still hold
    const hasLoads = revision !== computed || kept.fitness !== null
    const { ids } = kept.runs
    const { fitness, loads } = await computedTraining(needs, kept.runs, { revision, today, hasLoads })
    if (loads !== null) {
      if (restarts < MOST_RESTARTS && trainingState(db).revision !== revision) continue
      writeLoads(db, { ids, loads })
    }
    kept.fitness = fitness
    // written even when it is the same, so that answers of the older fit are not kept
    db.$client.query('UPDATE training_state SET computed = ?').run(revision)
    return true
  }
}

const named = (write: (column: string, place: number) => string) => LOAD_COLUMNS.map(write).join(', ')
const WRITE = `
  INSERT INTO workout_load (workout_id, ${LOAD_COLUMNS.join(', ')})
  SELECT ?1, ${named((_, place) => `?${place + 2}`)} WHERE EXISTS (SELECT 1 FROM workout WHERE id = ?1)
  ON CONFLICT (workout_id) DO UPDATE SET ${named((column) => `${column} = excluded.${column}`)}
  WHERE (${LOAD_COLUMNS.join(', ')}) IS NOT (${named((column) => `excluded.${column}`)})`

/** Writes the loads that differ, and removes those of runs that are left out. */
function writeLoads(
  db: Db,
  { ids, loads }: { readonly ids: readonly string[]; readonly loads: readonly StoredLoad[] },
): void {
  const client = db.$client
  const write = client.query(WRITE)
  client.transaction(() => {
    for (const [i, id] of ids.entries()) write.run(id, ...loads[i]!)
    client.run('DELETE FROM workout_load WHERE workout_id IN (SELECT id FROM workout WHERE left_out = 1)')
  })()
}
