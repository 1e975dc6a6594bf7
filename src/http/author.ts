/** The author of a request for receipts, and a callback for their ids. */
interface RequestAuthor {
  readonly actor: string
  left(receiptId: string): void
}

interface Known extends RequestAuthor {
  receiptId: string | null
}

/** Authors of requests in progress; the gate sets them, the frame reads them. */
const authors = new WeakMap<Request, Known>()

/** Sets the author of a request. @param actor `browser` or `key:<label or prefix>` */
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

/** The part of `deps` that lets the work of a request leave a receipt: `{ ...deps, ...authorOf(request) }`. */
export function authorOf(request: Request): { readonly author?: RequestAuthor } {
  const author = authors.get(request)
  return author === undefined ? {} : { author }
}

/** Response header with the id of the receipt. */
export const RECEIPT_HEADER = 'Harrier-Receipt'

/** Id of the receipt that a request left; null: none. */
export function receiptLeft(request: Request): string | null {
  return authors.get(request)?.receiptId ?? null
}
