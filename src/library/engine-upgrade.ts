import { eq, lt } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutSamples, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { NO_TOTALS } from '../engine/totals.ts'
import type { Derived } from '../workers/derive.ts'
import { saveDerived } from './save-derived.ts'
import { zonesOrDefault } from './settings.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'events' | 'analyzer'>

/** Workouts between two events. */
const BATCH = 50

type Outcome = 'saved' | 'unreadable' | 'gone' | 'stopped'

/**
 * Derives the numbers of every workout anew that an older engine derived: the Worker computes, one short transaction a
 * workout writes, and meanwhile answers serve the old values. Where it was stopped it goes on at the next start. Efforts
 * that were scored are scored with the zones that are stored now, as a recalculation would. A workout that cannot be read
 * keeps its numbers and is left alone until the engine grows again. Never fails: the service does without.
 */
export async function upgradeWorkouts(deps: Needs, signal: AbortSignal): Promise<void> {
  let derived = 0
  try {
    for (let ids = olderIds(deps); ids.length > 0 && !signal.aborted; ids = olderIds(deps)) {
      derived += await upgradeBatch(deps, ids, signal)
    }
  } catch (error) {
    deps.log.error('The numbers of workouts of an older engine could not be derived anew', error)
  }
  if (derived > 0) deps.log.info(`Derived the numbers of ${derived} workouts anew`)
}

/** Out of an index: costs nothing when there is none. */
function olderIds({ db }: Needs): string[] {
  const rows = db.select({ id: workouts.id }).from(workouts).where(lt(workouts.engineVersion, ENGINE_VERSION))
  return rows
    .limit(BATCH)
    .all()
    .map(({ id }) => id)
}

/** @returns how many workouts were written, of which clients are told once, also when the disk was full after some */
async function upgradeBatch(deps: Needs, ids: readonly string[], signal: AbortSignal): Promise<number> {
  let saved = 0
  try {
    for (const id of ids) {
      const outcome = await upgrade(deps, id, signal)
      if (outcome === 'stopped') break
      if (outcome === 'saved') saved += 1
    }
  } finally {
    if (saved > 0) deps.events.emit({ event: 'workout.updated', data: { id: null } })
  }
  return saved
}

/** What changed while it was computed is computed once more. */
async function upgrade(deps: Needs, id: string, signal: AbortSignal): Promise<Outcome> {
  const { db } = deps
  for (;;) {
    let inputs: Inputs | null = null
    try {
      inputs = inputsOf(db, id)
      if (inputs === null) return 'gone'
      const derived = await derivedOf(deps, { id, inputs }, signal)
      if (derived === null) return 'stopped'
      const finished = { id, inputs, derived, nowMs: deps.now() }
      if (db.transaction((tx) => saveIfCurrent(tx, finished), { behavior: 'immediate' })) return 'saved'
    } catch (error) {
      // a full disk or a busy database: nothing is wrong with this workout, and the next one would fare no better
      if (isDatabaseTrouble(error)) throw error
      if (inputs !== null && !Bun.deepEquals(inputsOf(db, id), inputs)) continue
      deps.log.error(`The numbers of workout ${id} could not be derived anew and stay as they are`, error)
      db.update(workouts).set({ engineVersion: ENGINE_VERSION }).where(eq(workouts.id, id)).run()
      return 'unreadable'
    }
  }
}

type Inputs = NonNullable<ReturnType<typeof inputsOf>>

/** All that the numbers depend on but the samples, which their revision stands for; null: nothing is to be done any more. */
function inputsOf(tx: Tx, id: string) {
  const workout = tx
    .select({
      engineVersion: workouts.engineVersion,
      splitUnitM: workouts.splitUnitM,
      deviceTotals: workouts.deviceTotals,
      revision: workoutSamples.revision,
    })
    .from(workouts)
    .leftJoin(workoutSamples, eq(workoutSamples.workoutId, workouts.id))
    .where(eq(workouts.id, id))
    .get()
  if (workout === undefined || workout.engineVersion >= ENGINE_VERSION) return null
  return { ...workout, zones: zonesOrDefault(tx) }
}

/** @returns null when the process is about to end: nobody waits for the Worker then, which may have a long file at work */
async function derivedOf(
  { db, config, analyzer }: Needs,
  { id, inputs }: { readonly id: string; readonly inputs: Inputs },
  signal: AbortSignal,
): Promise<Derived | null> {
  if (signal.aborted) return null
  const samples =
    inputs.revision === null
      ? null
      : (db.select().from(workoutSamples).where(eq(workoutSamples.workoutId, id)).get() ?? null)
  const work = analyzer.derive({
    samples,
    totals: { ...NO_TOTALS, ...inputs.deviceTotals },
    splitLengthM: inputs.splitUnitM,
    zones: inputs.zones,
    elevation: { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM },
  })
  return await new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Finished {
  readonly id: string
  readonly inputs: Inputs
  readonly derived: Derived
  readonly nowMs: number
}

function saveIfCurrent(tx: Tx, { id, inputs, derived, nowMs }: Finished): boolean {
  if (!Bun.deepEquals(inputsOf(tx, id), inputs)) return false
  saveDerived(tx, id, { ...derived, hasSamples: inputs.revision !== null, nowMs })
  return true
}

/** What SQLite says of itself and not of the values it is given. */
function isDatabaseTrouble(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) return true
  }
  return false
}
