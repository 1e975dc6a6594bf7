import type { By } from '../base/by.ts'

interface Known extends By {
  readonly callerId: string
  receiptId: string | null
}

/** Who makes the requests in progress; the gate sets them, the frame reads them. */
const known = new WeakMap<Request, Known>()

/**
 * Sets who makes a request.
 * @param actor `browser` or `key:<label or prefix>`
 * @param callerId of the API key, or of the user of a session
 */
export function setActor(request: Request, actor: string, callerId: string): void {
  const by: Known = {
    actor,
    callerId,
    receiptId: null,
    left: (receiptId) => {
      by.receiptId = receiptId
    },
  }
  known.set(request, by)
}

/** The part of `DepsBy` that says who asks: `{ ...deps, ...byOf(request) }`. @throws Error for a request that the gate did not let in */
export function byOf(request: Request): { readonly by: By } {
  return { by: authorOf(request) }
}

/** Id of the API key, or of the user of a session. @throws Error as `byOf` does */
export function callerIdOf(request: Request): string {
  return authorOf(request).callerId
}

function authorOf(request: Request): Known {
  const by = known.get(request)
  if (by === undefined) throw new Error('A request that may change something has no author')
  return by
}

export const RECEIPT_HEADER = 'Harrier-Receipt'
/** On an answer that was given before. */
export const REPLAYED_HEADER = 'Idempotency-Replayed'

/** Id of the receipt that a request left; null: none. */
export function receiptLeft(request: Request): string | null {
  return known.get(request)?.receiptId ?? null
}
