import { setTimeout } from 'node:timers/promises'
import type { Db, Tx } from '../../db/open.ts'
import type { Deps, LoadRefresher } from '../../deps.ts'
import type { KeptFitness } from '../../engine/training/latent/kept-fitness.ts'
import { LOAD_PARTS } from '../../engine/training/library-loads.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import { createPace, type Pace } from '../../pace.ts'
import { computedFitness, fitnessDay } from './fitness.ts'
import { type ComputedLoad, computedLoads } from './loads.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'events' | 'after' | 'now' | 'analyzer'>

/** Loads written in one transaction. */
const SLICE = 200
const READ_AT_ONCE = 500
/** How long a request for training data, and one that only displays it, waits for a computation of loads in progress. */
const PATIENCE_MS = 50
const SHORT_PATIENCE_MS = 20
/** The loads of more runs take longer than that: a request that only displays them does not have them computed. */
const MOST_AWAITED = 1000
/** As long as nothing was fitted since the start, there is nothing to answer with. */
const FIRST_PATIENCE_MS = 5000
/**
 * After a computation longer than this the next one is delayed by a multiple of its duration, since an import changes
 * inputs continuously.
 */
const LONG_MS = 200
const RESTS = 2
/** How often a computation restarts because of a change during it. */
const MOST_RESTARTS = 3

export interface TrainingState {
  /** Incremented by every change of the inputs of loads. */
  readonly revision: number
  /** The revision for which the stored loads were computed. */
  readonly computed: number
  /** 1: samples of some runs have not been processed yet; those runs count by their summaries. */
  readonly filling: number
  /** Incremented by changes of weather, devices and marks. */
  readonly conditions: number
}

export function trainingState(tx: Tx): TrainingState {
  return tx.$client
    .query<TrainingState, []>('SELECT revision, computed, filling, conditions FROM training_state')
    .get()!
}

export function createLoadRefresher(needs: Needs): LoadRefresher {
  const { db, log, events, after } = needs
  const kept: Kept = { fitness: null }
  let running: Promise<void> | null = null
  let restUntilMs = 0
  const refreshedAfterRest = async () => {
    const restMs = kept.fitness === null ? 0 : restUntilMs - performance.now()
    if (restMs > 0) await setTimeout(restMs)
    const startedMs = performance.now()
    const isChanged = await refreshed(needs, kept)
    const tookMs = performance.now() - startedMs
    if (tookMs >= LONG_MS) restUntilMs = performance.now() + RESTS * tookMs
    return isChanged
  }
  let isUnstated = false
  const compute = () => {
    running ??= refreshedAfterRest()
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
  const waited = async (work: Promise<void>, patienceMs: number) => {
    await new Promise<void>((resolve) => {
      const stop = after(patienceMs, resolve)
      work.then(() => {
        stop()
        resolve()
      })
    })
  }
  return {
    refresh,
    isRecomputing: async () => {
      if (isFitted(needs, kept)) announce()
      else await waited(refresh(), kept.fitness === null ? FIRST_PATIENCE_MS : PATIENCE_MS)
      return !isFitted(needs, kept) || isFilling(db)
    },
    fitness: () => kept.fitness,
    settle: async () => {
      if (!isCurrent(db) && !isImporting(db) && !isLarge(db)) await waited(compute(), SHORT_PATIENCE_MS)
    },
  }
}

function isCurrent(db: Db): boolean {
  const { revision, computed } = trainingState(db)
  return revision === computed
}

/** The latest fit; null before the first since the start. */
interface Kept {
  fitness: KeptFitness | null
}

/** Whether the loads and the fit are those of now. */
function isFitted(needs: Needs, { fitness }: Kept): boolean {
  return (
    isCurrent(needs.db) && fitness?.revision === trainingState(needs.db).revision && fitness.today === fitnessDay(needs)
  )
}

/** Whether the receipt of some import is still open. */
function isImporting(db: Db): boolean {
  return db.$client.query('SELECT 1 FROM receipt WHERE finished_at IS NULL LIMIT 1').get() !== null
}

function isLarge(db: Db): boolean {
  return db.$client.query('SELECT 1 FROM workout_load LIMIT 1 OFFSET ?').get(MOST_AWAITED) !== null
}

function isFilling(db: Db): boolean {
  return trainingState(db).filling === 1
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
    const pace = createPace()
    const fitness = await computedFitness(needs, { revision, today, pace })
    // after a start, the loads still hold
    if (revision !== computed || kept.fitness !== null) {
      const loads = await computedLoads(db, fitness.fit, pace)
      const mayRestart = restarts < MOST_RESTARTS
      const isWritten = await writtenLoads(db, loads, () => !mayRestart || trainingState(db).revision === revision)
      if (!isWritten) continue
    }
    kept.fitness = fitness
    // written even when it is the same, so that answers of the older fit are not kept
    db.$client.query('UPDATE training_state SET computed = ?').run(revision)
    return true
  }
}

type Row = readonly (string | number | null)[]

const COLUMNS = 'workout_id, load, source, heart_rate, pace, rpe, duration, coverage, suspect, factor, factor_n, spread'

/** @returns false when `goesOn` ended it */
async function writtenLoads(db: Db, loads: readonly ComputedLoad[], goesOn: () => boolean): Promise<boolean> {
  const client = db.$client
  const pace = createPace()
  const stored = await storedLoads(db, pace)
  const write = client.query(
    `INSERT OR REPLACE INTO workout_load (${COLUMNS})
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE EXISTS (SELECT 1 FROM workout WHERE id = ?1)`,
  )
  const other: Row[] = []
  for (const load of loads) {
    const row = rowOf(load)
    const known = stored.get(load.id)
    if (known === undefined || !Bun.deepEquals(known, row)) other.push(row)
    if (pace.needsRest()) await pace.rest()
  }
  for (let at = 0; at < other.length; at += SLICE) {
    if (!goesOn()) return false
    client.transaction(() => {
      for (const row of other.slice(at, at + SLICE)) write.run(...row)
    })()
    await pace.rest()
  }
  if (!goesOn()) return false
  client.run('DELETE FROM workout_load WHERE workout_id IN (SELECT id FROM workout WHERE left_out = 1)')
  return true
}

/** The stored rows, by workout id. */
async function storedLoads(db: Db, pace: Pace): Promise<Map<string, Row>> {
  const batch = db.$client.query(`SELECT ${COLUMNS} FROM workout_load WHERE workout_id > ? ORDER BY workout_id LIMIT ?`)
  const found = new Map<string, Row>()
  for (let [after, count] = ['', READ_AT_ONCE]; count === READ_AT_ONCE; ) {
    const rows = batch.values(after, READ_AT_ONCE) as Row[]
    for (const row of rows) found.set(row[0] as string, row)
    count = rows.length
    after = (rows.at(-1)?.[0] ?? after) as string
    if (pace.needsRest()) await pace.rest()
  }
  return found
}

function rowOf({ id, coverage, run }: ComputedLoad): Row {
  const { load, source, loads, calibration } = run
  const tenths = (value: number | null) => value && Math.round(LOAD_PARTS * value)
  return [
    id,
    tenths(load),
    source,
    tenths(loads.heartRate),
    tenths(loads.pace),
    tenths(loads.rpe),
    tenths(loads.duration),
    Math.round(KEPT_PARTS.share * coverage),
    run.isSuspect ? 1 : 0,
    calibration?.factor ?? null,
    calibration?.n ?? null,
    calibration?.spread ?? null,
  ]
}
