import { type Static, Type } from '@sinclair/typebox'
import { notFound } from '../../../base/errors.ts'
import { isObject, UUID } from '../../../base/json-object.ts'
import type { Tx } from '../../../db/open.ts'
import { STANDARD_DISTANCES } from '../../../engine/run/best-efforts.ts'
import { roundHalfUp } from '../../../engine/units.ts'
import { flag, integer, nullable, number, PLAUSIBILITY, StandardMetres, text, uuid } from '../../../http/schemas.ts'
import { type Reader, reader } from '../../../http/standard.ts'
import type { DepsBy } from '../../../library/deps.ts'
import { neededHead } from '../../../library/documents/run.ts'
import { distanceIndexOf, type JudgedEffort, judgedEfforts } from '../../../library/effort-words.ts'
import { announceReceipt } from '../../../library/receipts/record.ts'
import { commitEdit, withRecord } from '../../../library/words.ts'

const WORD = {
  isRecord: nullable(
    flag("The runner's correction, which outlives recalculations: true counts, false is no record; null: none"),
  ),
}

/** Members of an effort that say what it is. */
export const EFFORT = {
  distance: text('Name of the standard distance, such as 5K'),
  distanceM: number('Metres of the standard distance'),
  timeS: integer('Seconds, rounded'),
  timeMs: integer('Milliseconds'),
} as const

/** Members of an effort beside distance and time. */
export const JUDGEMENT = {
  ...PLAUSIBILITY,
  ...WORD,
  counts: flag('true: it may be a record'),
} as const

export const EffortEdit = Type.Object(
  { isRecord: Type.Optional(WORD.isRecord) },
  {
    title: 'EffortEdit',
    description: 'Members that are not sent stay; null removes the correction',
  },
)

export const EditedEffort = Type.Object(
  {
    id: uuid('Of the run'),
    ...EFFORT,
    ...JUDGEMENT,
  },
  {
    title: 'EditedEffort',
  },
)

interface EffortParams {
  readonly id: string
  readonly distanceIndex: number
}

/** A workout id and the metres of a standard distance; any other values are answered like unknown ones. */
export const effortParams: Reader<EffortParams> = reader(
  Type.Object({
    id: uuid('Workout id'),
    distanceM: StandardMetres,
  }),
  (params) => {
    const { id, distanceM } = isObject(params) ? params : {}
    if (typeof id !== 'string' || !UUID.test(id)) throw notFound('Workout')
    const distanceIndex = distanceIndexOf(distanceM)
    if (distanceIndex === null) throw notFound('Best effort')
    return { id: id.toLowerCase(), distanceIndex }
  },
)

/**
 * Stores the runner's decision on one effort.
 * @throws AppError 404 for an unknown workout, and for a distance at which it has no effort
 */
export function editEffort(deps: DepsBy, { id, distanceIndex }: EffortParams, { isRecord }: Static<typeof EffortEdit>) {
  const { db, events } = deps
  const { edited, receiptId } = db.transaction((tx) => {
    const head = neededHead(tx, id)
    // refuses a distance without an effort before anything is written
    const before = effortAt(tx, id, distanceIndex)
    if (isRecord === undefined) return { edited: before, receiptId: null }
    const receiptId = commitEdit(tx, deps, head, { to: withRecord(head.body, distanceIndex, isRecord) })
    return { edited: effortAt(tx, id, distanceIndex), receiptId }
  })
  if (isRecord !== undefined) events.emit({ event: 'workout.updated', data: { id } })
  announceReceipt(deps, receiptId)
  const { startMs: _, ...effort } = servedEffort(edited)
  return { id, ...effort }
}

function effortAt(tx: Tx, workoutId: string, distanceIndex: number): JudgedEffort {
  const effort = judgedEfforts(tx, workoutId).find((judged) => judged.distanceIndex === distanceIndex)
  if (effort === undefined) throw notFound('Best effort')
  return effort
}

/** As served, with its start within the run. */
export function servedEffort({ distanceIndex, timeMs, startMs, implausibleReason, ...judged }: JudgedEffort) {
  const { label, distanceM } = STANDARD_DISTANCES[distanceIndex]!
  return {
    distance: label,
    distanceM,
    timeS: roundHalfUp(timeMs / 1000),
    timeMs,
    startMs,
    isPlausible: implausibleReason === null,
    implausibleReason,
    ...judged,
  }
}
