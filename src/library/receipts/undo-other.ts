import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { shoes } from '../../db/schema-account.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../../db/schema-efforts.ts'
import { trainingGoals } from '../../db/schema-training.ts'
import type {
  Before,
  EffortBefore,
  MediaAdded,
  SettingsBefore,
  ShoeGone,
  WordsBefore,
} from '../../db/stored-receipts.ts'
import type { Deps } from '../../deps.ts'
import { shoeExists } from '../add-workout.ts'
import { defaultShoeId, forgetSettings, settingsRow, writeSettings } from '../settings.ts'
import { storedTraining, storeTraining } from '../training/profile.ts'
import type { NewItem } from './record.ts'
import type { Effect, Pretended, StoredItem, Verdict } from './undo-types.ts'

// Undoes items that do not concern runs: shoes, settings, goals, and best efforts of archives.

type OtherBefore = Exclude<Before, WordsBefore | MediaAdded>

interface Judging {
  readonly item: StoredItem
  readonly before: OtherBefore
  readonly pretended: Pretended | undefined
}

export function whyOtherKept(tx: Tx, { item, before, pretended }: Judging): Verdict {
  const workoutId = item.workoutId ?? ''
  switch (before.what) {
    case 'shoe added': {
      if (!shoeExists(tx, before.shoeId)) return 'nothing'
      const worn = wornBy(tx, before.shoeId).filter((id) => pretended?.revisions.get(id) !== null)
      return worn.length === 0 || before.isReturned ? 'undone' : { kept: 'Runs that stay wear this shoe' }
    }
    case 'shoe gone':
      return shoeExists(tx, before.shoe.id) ? 'nothing' : 'undone'
    case 'shoe put': {
      const run = tx.select({ shoeId: workouts.shoeId }).from(workouts).where(eq(workouts.id, workoutId)).get()
      if (run === undefined) return 'nothing'
      const isSame = run.shoeId === (before.isTaken ? null : before.shoeId)
      if (!isSame) return { kept: 'It has another shoe since' }
      return before.isTaken && !shoeExists(tx, before.shoeId) ? { kept: 'The shoe is not there any more' } : 'undone'
    }
    case 'settings':
      return Object.keys(unchangedSettings(tx, before)).length > 0 || isTrainingSame(tx, before)
        ? 'undone'
        : { kept: 'The settings were changed since' }
    case 'goal':
      return goalRow(tx, before.goalId) === undefined ? 'nothing' : 'undone'
    case 'goal gone':
      return goalRow(tx, before.goal.id) === undefined ? 'undone' : 'nothing'
    case 'effort':
      return tx.select({ id: workouts.id }).from(workouts).where(eq(workouts.id, workoutId)).get() === undefined
        ? 'nothing'
        : 'undone'
  }
}

type Swapped = NewItem & { readonly effect: Effect | null }

/** @returns the item of the receipt that undoes it */
export function swapOther(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  { item, before }: { readonly item: StoredItem; readonly before: OtherBefore },
): Swapped {
  const workoutId = item.workoutId ?? ''
  switch (before.what) {
    case 'shoe added':
      return shoeRemoved(tx, before.shoeId)
    case 'shoe gone':
      return shoeReturned(tx, before, now())
    case 'shoe put': {
      const { shoeId, isTaken = false } = before
      tx.update(workouts)
        .set({ shoeId: isTaken ? shoeId : null })
        .where(eq(workouts.id, workoutId))
        .run()
      const back = isTaken ? { shoeId } : { shoeId, isTaken: true }
      return { outcome: 'changed', before: { what: 'shoe put', ...back }, effect: { what: 'updated', workoutId } }
    }
    case 'settings':
      return settingsSwapped(tx, before, now())
    case 'goal': {
      const { createdAt, ...goal } = goalRow(tx, before.goalId)!
      tx.delete(trainingGoals).where(eq(trainingGoals.id, before.goalId)).run()
      return { outcome: 'deleted', before: { what: 'goal gone', goal, createdAtMs: createdAt }, effect: null }
    }
    case 'goal gone':
      tx.insert(trainingGoals)
        .values({ ...before.goal, createdAt: before.createdAtMs })
        .run()
      return { outcome: 'created', before: { what: 'goal', goalId: before.goal.id }, effect: null }
    case 'effort':
      return effortSwapped(tx, workoutId, before)
  }
}

function wornBy(tx: Tx, shoeId: string): string[] {
  const rows = tx.select({ id: workouts.id }).from(workouts).where(eq(workouts.shoeId, shoeId)).all()
  return rows.map(({ id }) => id)
}

function goalRow(tx: Tx, id: string) {
  return tx.select().from(trainingGoals).where(eq(trainingGoals.id, id)).get()
}

function shoeRemoved(tx: Tx, shoeId: string): Swapped {
  const workoutIds = wornBy(tx, shoeId)
  const wasDefault = defaultShoeId(tx) === shoeId
  const shoe = tx.delete(shoes).where(eq(shoes.id, shoeId)).returning().get()!
  return {
    outcome: 'deleted',
    before: { what: 'shoe gone', shoe, workoutIds, wasDefault },
    effect: { what: 'shoe.deleted', shoeId },
  }
}

/** Puts a shoe back with its id; runs that got another shoe since keep that one. */
function shoeReturned(tx: Tx, { shoe, workoutIds, wasDefault }: ShoeGone, nowMs: number): Swapped {
  tx.insert(shoes).values(shoe).run()
  for (const id of workoutIds) {
    const isFree = and(eq(workouts.id, id), isNull(workouts.shoeId))
    tx.update(workouts).set({ shoeId: shoe.id }).where(isFree).run()
  }
  if (wasDefault && defaultShoeId(tx) === null) writeSettings(tx, { defaultShoeId: shoe.id }, nowMs)
  return {
    outcome: 'created',
    before: { what: 'shoe added', shoeId: shoe.id, isReturned: true },
    effect: { what: 'shoe.created', shoeId: shoe.id },
  }
}

/** Columns that restoring an archive does not set, and those that every change sets. */
const NOT_PUT: readonly string[] = ['mapTiles', 'weatherLookups', 'archiveId', 'createdAt', 'updatedAt', 'zonesVersion']

/** The previous values of all settings that are still as the restore set them. */
function unchangedSettings(tx: Tx, { before, after }: SettingsBefore): SettingsBefore['before'] {
  const now = settingsRow(tx) ?? {}
  const settingOf = (row: object, name: string) => (row as Readonly<Record<string, unknown>>)[name] ?? null
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !NOT_PUT.includes(name))
  const same = names.filter((name) => {
    const isOther = !Bun.deepEquals(settingOf(after, name), settingOf(before, name))
    return isOther && Bun.deepEquals(settingOf(now, name), settingOf(after, name))
  })
  return Object.fromEntries(same.map((name) => [name, settingOf(before, name)])) as SettingsBefore['before']
}

function isTrainingSame(tx: Tx, { training }: SettingsBefore): boolean {
  return training !== undefined && Bun.deepEquals(storedTraining(tx), training.after)
}

function settingsSwapped(tx: Tx, put: SettingsBefore, nowMs: number): Swapped {
  const { before, after, training } = put
  const now = settingsRow(tx)
  if (Object.keys(before).length === 0 && Bun.deepEquals(now, after)) forgetSettings(tx)
  else {
    const { archiveId, createdAt, updatedAt } = before
    const kept = Object.entries({ archiveId, createdAt, updatedAt }).filter(([, value]) => value !== undefined)
    const zonesVersion = (now?.zonesVersion ?? 0) + 1
    // lets running computations notice that the zones have changed
    writeSettings(tx, { ...Object.fromEntries(kept), ...unchangedSettings(tx, put), zonesVersion }, nowMs)
  }
  const isSame = isTrainingSame(tx, put)
  if (training !== undefined && isSame) storeTraining(tx, training.before ?? training.after, nowMs)
  const swapped = training && isSame ? { before: training.after, after: training.before ?? training.after } : undefined
  return {
    outcome: 'changed',
    before: {
      what: 'settings',
      before: now ?? {},
      after: settingsRow(tx) ?? {},
      ...(swapped === undefined ? {} : { training: swapped }),
    },
    effect: { what: 'settings.updated' },
  }
}

function effortSwapped(tx: Tx, workoutId: string, { distanceIndex, own, archived }: EffortBefore): Swapped {
  const ofOwn = and(eq(workoutBestEfforts.workoutId, workoutId), eq(workoutBestEfforts.distanceIndex, distanceIndex))
  const ofArchived = and(
    eq(archivedBestEfforts.workoutId, workoutId),
    eq(archivedBestEfforts.distanceIndex, distanceIndex),
  )
  const ownNow = tx.select().from(workoutBestEfforts).where(ofOwn).get()
  const archivedNow = tx.select().from(archivedBestEfforts).where(ofArchived).get()
  if (own !== null) tx.update(workoutBestEfforts).set(own).where(ofOwn).run()
  tx.delete(archivedBestEfforts).where(ofArchived).run()
  if (archived !== null)
    tx.insert(archivedBestEfforts)
      .values({ ...archived, workoutId, distanceIndex })
      .run()
  return {
    outcome: 'changed',
    before: {
      what: 'effort',
      distanceIndex,
      own: ownNow === undefined ? null : { id: ownNow.id, calculatedAt: ownNow.calculatedAt },
      archived: archivedNow === undefined ? null : { ...archivedNow },
    },
    effect: { what: 'updated', workoutId },
  }
}
