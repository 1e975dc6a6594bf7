import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../pace.ts'
import { computed } from '../workers/compute.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { elevationOptions, type RunInputs, type RunJob, runInputs, runJob } from './inputs.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'analyzer'>

/** Writes the numbers that were derived after a change. */
export type Finish = (derived: DerivedRun, inputs: RunInputs) => void

/** Keeps what a change replaces. */
export interface Keeper {
  /** Notes the state before the change; called before its transaction, and in it again, where it mostly still holds. */
  keep(tx: Tx): void
  /** Called in the transaction once the change and its numbers are written. */
  changed(tx: Tx): void
}

/**
 * Changes the inputs of one workout and its numbers in one transaction, while the Worker derives the numbers. To find
 * the new inputs, the change is made on trial and rolled back; it is made again once the numbers are derived.
 * @param change its result is called in the same transaction, with the numbers; null: the change no longer applies
 * @param keeper not called on trial
 * @returns false when the workout was changed while its numbers were derived: nothing was written
 * @throws errors of the change, and Error for samples that cannot be read
 */
export async function changeRun(
  deps: Needs,
  id: string,
  change: (tx: Tx) => Finish | null,
  keeper?: Keeper,
): Promise<boolean> {
  const { db } = deps
  const trial = await tried(deps, id, change)
  if (trial === null) return false
  keeper?.keep(db)
  // keeping and writing take tens of milliseconds each for a run of days, so others are let in between
  await createPace().rest()
  try {
    db.transaction((tx) => {
      keeper?.keep(tx)
      finished(tx, deps, id, { change, ...trial })
      keeper?.changed(tx)
    })
    return true
  } catch (error) {
    if (error instanceof Outdated) return false
    throw error
  }
}

/**
 * Computes the result of a change of one workout without keeping it.
 * @param look called within a transaction that is rolled back
 * @returns null when the workout was changed meanwhile
 * @throws as `changeRun`
 */
export async function changeOnTrial<T>(
  deps: Needs,
  id: string,
  { change, look }: { readonly change: (tx: Tx) => Finish | null; readonly look: (tx: Tx) => T },
): Promise<T | null> {
  const trial = await tried(deps, id, change)
  if (trial === null) return null
  try {
    return onTrial(deps, (tx) => {
      finished(tx, deps, id, { change, ...trial })
      return look(tx)
    })
  } catch (error) {
    if (error instanceof Outdated) return null
    throw error
  }
}

interface Tried {
  readonly asked: RunInputs
  readonly derived: DerivedRun
}

/** Derives the numbers from the changed inputs; null: the change no longer applies. */
async function tried(deps: Needs, id: string, change: (tx: Tx) => Finish | null): Promise<Tried | null> {
  const job = onTrial(deps, (tx) => (change(tx) === null ? null : runJob(tx, id, elevationOptions(deps))))
  if (job === null) return null
  return { asked: inputsOf(job), derived: await computed(deps.analyzer, { ...job, what: 'everything' }) }
}

/** @throws Outdated when the inputs have changed since the numbers were derived */
function finished(
  tx: Tx,
  deps: Needs,
  id: string,
  { change, asked, derived }: Tried & { readonly change: (tx: Tx) => Finish | null },
): void {
  const finish = change(tx)
  const inputs = finish && runInputs(tx, id, elevationOptions(deps))
  if (finish === null || inputs === null || !Bun.deepEquals(inputs, asked)) throw new Outdated()
  finish(derived, inputs)
}

/** Thrown to roll back a transaction. */
class Outdated extends Error {}
class Trial extends Error {}

/** Calls `look` in a transaction and rolls it back. @returns what it saw @throws its errors */
export function onTrial<T>({ db }: Pick<Deps, 'db'>, look: (tx: Tx) => T): T {
  let seen: { readonly value: T } | null = null
  try {
    db.transaction((tx) => {
      seen = { value: look(tx) }
      throw new Trial()
    })
  } catch (error) {
    if (!(error instanceof Trial) || seen === null) throw error
  }
  return seen!.value
}

/** Inputs for comparison. Recordings do not change, so comparing their ids suffices. */
function inputsOf({ recordings: _, ...inputs }: RunJob): RunInputs {
  return inputs
}
