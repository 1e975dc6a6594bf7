/** Whoever makes a request, as receipts name him, and what it is told of. */
interface RequestAuthor {
  readonly actor: string
  left(receiptId: string): void
}

interface Known extends RequestAuthor {
  receiptId: string | null
}

/** Of requests at work; the gate fills it, the frame reads it. */
const authors = new WeakMap<Request, Known>()

/** Notes who makes a request. @param actor `browser` or `key:<label or prefix>` */
export function setActor(request: Request, actor: string): void {
  const known: Known = {
    actor,
    receiptId: null,
    left: (receiptId) => {
      known.receiptId = receiptId
    },
  }
  authors.set(request, known)
}

/** What the work of a request needs to leave a receipt: `{ ...deps, ...authorOf(request) }`. */
export function authorOf(request: Request): { readonly author?: RequestAuthor } {
  const author = authors.get(request)
  return author === undefined ? {} : { author }
}

/** Header of an answer that left a receipt. */
export const RECEIPT_HEADER = 'Harrier-Receipt'

/** Id of the receipt that a request left; null: none. */
export function receiptLeft(request: Request): string | null {
  return authors.get(request)?.receiptId ?? null
}
