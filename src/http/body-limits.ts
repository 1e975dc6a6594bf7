import { AppError, tooLarge } from '../base/errors.ts'

export type WaitingBodies = ReturnType<typeof waitingBodies>

/** Largest JSON body, bytes. */
export const JSON_LIMIT_BYTES = 1_048_576

/** Bytes that multipart needs beside its files: boundaries, part headers, small fields. */
const ENVELOPE_BYTES = 8 * 1_048_576

/** Longest wait for a whole body without credentials: a name and a password fit into one packet. */
const PATIENCE_S = 30
const MOST_WAITING = 64
/** The connection must close, since the rest of the body would be taken for the next request. */
const CLOSING = { Connection: 'close' }

/**
 * Room for 64 bodies, 30 s each. One more ends the wait of the oldest instead of the newcomer's, so that a request sent
 * in one piece is always served, however many others hold theirs back.
 */
export function waitingBodies(after: (ms: number, ring: () => void) => () => void) {
  // in order of arrival
  const waiting = new Set<(error: AppError) => void>()
  return {
    /** One more. Its promise rejects when the wait for it is ended; the caller leaves when it is over. */
    enter: () => {
      const [oldest] = waiting
      if (waiting.size >= MOST_WAITING) oldest?.(crowded())
      const { promise, reject } = Promise.withResolvers<never>()
      // it may be unobserved, and its rejection must not count as unhandled
      promise.catch(() => {})
      const cut = (error: AppError) => {
        leave()
        reject(error)
      }
      const silence = after(PATIENCE_S * 1000, () => cut(late()))
      const leave = () => {
        waiting.delete(cut)
        silence()
      }
      waiting.add(cut)
      return { cut: promise, leave }
    },
  }
}

function late(): AppError {
  return new AppError('timedOut', `The request body did not arrive within ${PATIENCE_S} seconds`, { headers: CLOSING })
}

function crowded(): AppError {
  const headers = { ...CLOSING, 'Retry-After': '1' }
  return new AppError('unavailable', 'Too many requests wait for their bodies, try again', { headers })
}

/** Refuses an upload whose declared size is too large, before a byte of it is read. @throws AppError 413 */
export function refuseDeclaredUpload(request: Request, maxBytes: number): void {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > maxBytes + ENVELOPE_BYTES) throw uploadTooLarge(maxBytes)
}

export function uploadTooLarge(maxBytes: number): Error {
  return tooLarge(`The uploaded files exceed the limit of ${maxBytes} bytes`)
}

/**
 * Reads the whole body, holding at most `maxBytes` in memory.
 * @param waiting bounds the wait, for calls without credentials
 * @throws AppError 413; 408 or 503 when the wait is ended
 */
export async function limitedBody(
  request: Request,
  maxBytes: number,
  waiting: WaitingBodies | null = null,
): Promise<Uint8Array> {
  const refusal = () => tooLarge(`The request body exceeds the limit of ${maxBytes} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw refusal()
  if (request.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let total = 0
  const seat = waiting?.enter()
  try {
    for await (const chunk of seat === undefined ? chunksOf(request.body) : chunksUntil(request.body, seat.cut)) {
      total += chunk.byteLength
      if (total > maxBytes) throw refusal()
      chunks.push(chunk)
    }
  } finally {
    seat?.leave()
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/**
 * The pieces of a body as they arrive.
 * @throws AppError 400 when the client disconnects or breaks its framing, which is not a defect here and is not logged
 */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** As `chunksOf`, but ends with the rejection of the promise. */
async function* chunksUntil(body: ReadableStream<Uint8Array>, cut: Promise<never>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const failed = (cause: unknown): never => {
    throw unreadable(cause)
  }
  try {
    while (true) {
      const { done, value } = await Promise.race([reader.read().catch(failed), cut])
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function unreadable(cause: unknown): AppError {
  return new AppError('invalid', 'The request body could not be read to its end', { cause })
}
