import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { computed } from '../workers/compute.ts'
import type { DerivedRun } from '../workers/derive.ts'
import { elevationOptions, type RunJob, runJob } from './inputs.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'analyzer'>

/** Writes what was derived of a workout as a change left it. */
export type Finish = (derived: DerivedRun, job: RunJob) => void

/**
 * Changes what the numbers of one workout are made of, and the numbers with it, in one transaction; the Worker derives them.
 * The change is made on trial first, to see what they will be made of, and taken back until they are there.
 * @param change what it returns is called in the same transaction, with the numbers; null: it does not apply any more
 * @returns false when the workout was changed while its numbers were derived: nothing was written
 * @throws what the change throws, and Error for samples that cannot be read
 */
export async function changeRun(deps: Needs, id: string, change: (tx: Tx) => Finish | null): Promise<boolean> {
  const { db } = deps
  const trial = await tried(deps, id, change)
  if (trial === null) return false
  try {
    db.transaction((tx) => finished(tx, deps, id, { change, ...trial }), { behavior: 'immediate' })
    return true
  } catch (error) {
    if (error instanceof Outdated) return false
    throw error
  }
}

/**
 * What a change of one workout would leave, without leaving anything.
 * @param look is called in a transaction of which nothing stays
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
  readonly asked: RunJob
  readonly derived: DerivedRun
}

/** What the numbers will be made of, and what they are; null: the change does not apply any more. */
async function tried(deps: Needs, id: string, change: (tx: Tx) => Finish | null): Promise<Tried | null> {
  const asked = onTrial(deps, (tx) => (change(tx) === null ? null : runJob(tx, id, elevationOptions(deps))))
  if (asked === null) return null
  return { asked, derived: await computed(deps.analyzer, { ...asked, what: 'everything' }) }
}

/** @throws Outdated when the numbers were derived of something else */
function finished(
  tx: Tx,
  deps: Needs,
  id: string,
  { change, asked, derived }: Tried & { readonly change: (tx: Tx) => Finish | null },
): void {
  const finish = change(tx)
  const job = finish && runJob(tx, id, elevationOptions(deps))
  if (finish === null || job === null || !Bun.deepEquals(inputsOf(job), inputsOf(asked))) throw new Outdated()
  finish(derived, job)
}

/** Ends a transaction that is to leave nothing. */
class Outdated extends Error {}
class Trial extends Error {}

/** What can be seen after something was written that is then taken back. */
function onTrial<T>({ db }: Needs, look: (tx: Tx) => T): T {
  let seen: { readonly value: T } | null = null
  try {
    db.transaction(
      (tx) => {
        seen = { value: look(tx) }
        throw new Trial()
      },
      { behavior: 'immediate' },
    )
  } catch (error) {
    if (!(error instanceof Trial) || seen === null) throw error
  }
  return seen!.value
}

/** Recordings never change but by being added: their names tell. */
function inputsOf({ recordings: _, ...inputs }: RunJob): Omit<RunJob, 'recordings'> {
  return inputs
}
