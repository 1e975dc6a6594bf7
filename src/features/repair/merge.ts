import type { Static } from '@sinclair/typebox'
import { invalid, notApplicable } from '../../base/errors.ts'
import { changeRuns, triedRuns } from '../../library/change-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { isJoined, mergeOf, neededHead } from '../../library/documents/run.ts'
import { workoutExists } from '../../library/ids.ts'
import { askedNow } from '../../library/inputs.ts'
import { type Fields, layerIds, plannedMerge, withMerge, withoutPrimary } from '../../library/merging/merge.ts'
import { comparePairs, dismissAmong, mergeRuns, suggestedPairs } from '../../library/merging/pairs.ts'
import { plannedSeparation } from '../../library/merging/separate.ts'
import { openReceipt } from '../../library/receipts/record.ts'
import { numbersOf } from './change.ts'
import type { PairsMerged, TriedMerge, WorkoutMerge } from './merge-schemas.ts'

/**
 * Makes one run of two recordings of it: the first run keeps its id, the other goes to the trash.
 * @returns null, or the numbers of a dry run
 * @throws AppError 404; 400 when they are not one run
 */
export async function mergeWorkouts(
  deps: DepsBy,
  id: string,
  { otherId, choices, dryRun }: Static<typeof WorkoutMerge>,
): Promise<Static<typeof TriedMerge> | null> {
  neededHead(deps.db, id)
  const ids = [id, otherId.toLowerCase()] as const
  const plan = () => plannedMerge(deps, ids, choices ?? {})
  if (dryRun !== true) {
    await changeRuns(deps, ids, plan)
    return null
  }
  const { planned, rows } = await triedRuns(deps, ids, plan)
  const { before, fields, cutAwayS } = planned
  return { before: before.map(numbersOf), after: numbersOf(rows[0]!), fieldSources: fields, cutAwayS }
}

/** Separates recordings that were merged. @returns ids of the runs, the first that of the merged one @throws as the plan */
export async function separateWorkout(
  deps: DepsBy,
  id: string,
  recordingId: string | null,
): Promise<readonly string[]> {
  const { runs } = await changeRuns(deps, [id], async () => plannedSeparation(deps, id, recordingId))
  const ids = runs.map((run) => run.id)
  deps.db.transaction((tx) => dismissAmong(tx, deps, ids))
  return ids
}

/** Takes channels of a merged run from other recordings of it. @throws AppError 404; 400 for an unknown recording */
export async function chooseFields(deps: DepsBy, id: string, fields: Fields): Promise<void> {
  const { db } = deps
  await changeRuns(deps, [id], async () => {
    const head = neededHead(db, id)
    const { track } = head.body
    const merge = isJoined(track) ? undefined : mergeOf(track)
    if (isJoined(track) || merge === undefined) throw notApplicable('This run is based on one recording')
    const known = layerIds(db, track)
    for (const [field, one] of Object.entries(fields)) {
      if (!known.includes(one))
        throw invalid(`${one} is not a recording of this run with recorded points`, {
          code: 'recording_not_found',
          field,
        })
    }
    const { id: _, madeAt: __, ...rest } = merge
    const next = { ...rest, fields: withoutPrimary({ ...merge.fields, ...fields }, track.primary) }
    const others = track.repairs.filter(({ kind }) => kind !== 'merge')
    const to = { ...head.body, track: { ...track, repairs: [...withMerge(deps, track, next), ...others] } }
    const settings = askedNow(db, deps)
    const receipt = { kind: 'repair', title: 'Chose other recordings', workoutId: id } as const
    return { receipt, runs: [{ id, from: head.seq, to, asked: { ...head.asked, ...settings }, settings }] }
  })
}

/**
 * Merges all pairs that are certain, each into the run that was stored first, under one receipt.
 * @throws AppError 507 when the disk is full
 */
export async function mergeCertain(deps: DepsBy, isDry: boolean): Promise<Static<typeof PairsMerged>> {
  await comparePairs(deps)
  const pairs = suggestedPairs(deps.db).filter(({ certainty }) => certainty === 'certain')
  if (isDry || pairs.length === 0) return { pairs: pairs.length, merged: 0, receiptId: null, dryRun: isDry }
  const receipt = openReceipt(deps, { kind: 'bulk_edit', title: `Merged ${pairs.length} pairs of recordings` })
  let merged = 0
  try {
    for (const { firstId, secondId } of pairs) {
      // a run of three recordings is in several pairs
      if (!workoutExists(deps.db, firstId) || !workoutExists(deps.db, secondId)) continue
      if (await mergeRuns(deps, [firstId, secondId], receipt)) merged += 1
    }
  } finally {
    if (merged === 0) receipt?.drop()
    else receipt?.finish()
  }
  return { pairs: pairs.length, merged, receiptId: merged === 0 ? null : (receipt?.id ?? null), dryRun: false }
}
