import { orderedJson } from '../../base/json-object.ts'
import type { Bodies } from './rows.ts'
import { activeRepairs, type RunDocument } from './run.ts'

// What of a document an undo compares. Equal states have equal essences, whichever way led there.

export type Kind = 'run' | keyof Bodies

/** Kinds whose edits leave no receipt: all that counts is whether they are there. */
const THERE = 'there'

/**
 * The essence of a document: of a run its body without repairs that were undone, which are history, and without the shoe
 * given at arrival, which many runs get at once.
 * @param body null: it is not there
 */
export function essenceOf(kind: Kind, body: object | null): string | null {
  if (body === null) return null
  if (kind === 'media') {
    const { workoutId, caption } = body as Bodies['media']
    return hashed([workoutId, caption])
  }
  if (kind !== 'run') return THERE
  const { track, shoeId: _, ...rest } = body as RunDocument
  return hashed({ ...rest, track: { ...track, repairs: activeRepairs(track) } })
}

/** 96 bits. */
const LENGTH = 16

function hashed(value: object): string {
  return new Bun.CryptoHasher('sha256').update(orderedJson(value)).digest('base64').slice(0, LENGTH)
}
