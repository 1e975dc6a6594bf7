import type { By } from '../base/by.ts'

interface Known extends By {
  receiptId: string | null
}

/** Who makes the requests in progress; the gate sets them, the frame reads them. */
const known = new WeakMap<Request, Known>()

/** Sets who makes a request. @param actor `browser` or `key:<label or prefix>` */
export function setActor(request: Request, actor: string): void {
  const by: Known = {
    actor,
    receiptId: null,
    left: (receiptId) => {
      by.receiptId = receiptId
    },
  }
  known.set(request, by)
}

/** The part of `DepsBy` that says who asks: `{ ...deps, ...byOf(request) }`. @throws Error for a request that the gate did not let in */
export function byOf(request: Request): { readonly by: By } {
  const by = known.get(request)
  if (by === undefined) throw new Error('A request that may change something has no author')
  return { by }
}

export const RECEIPT_HEADER = 'Harrier-Receipt'

/** Id of the receipt that a request left; null: none. */
export function receiptLeft(request: Request): string | null {
  return known.get(request)?.receiptId ?? null
}
