import { AppError } from '../base/errors.ts'
import { createPace } from '../base/pace.ts'
import { createTurns } from '../base/turns.ts'
import { AS_IT_COMES, acceptedEncoding, compressedPieces, type Encoding, LEAST_BYTES, packed } from './compression.ts'

/** The body of a large answer. */
export interface LargeContent {
  /** Bytes, unpacked. */
  readonly size: number
  /** Each piece is compressed separately with zstd, since together they are very long. */
  readonly isPacked: boolean
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
}

interface LargeAnswer {
  readonly content: LargeContent
  /** With a Content-Type: JSON is compressed, files are not. */
  readonly headers: HeadersInit
  readonly status?: number
}

/**
 * Waits for its turn, makes an answer and sends it.
 * @throws the failure of `make`; when the client leaves before, the reason of its signal or an AppError
 */
export type Large = (request: Request, make: () => Promise<LargeAnswer>) => Promise<Response>

/** An answer that is generated while it is sent. */
interface Generated<T> {
  /** Each part is made in turn. What they need is opened by the first `next`, since parts that nobody asks for are dropped. */
  readonly parts: AsyncGenerator<T, void>
  /** Bytes that a part takes until the next one is made. */
  readonly bytesOf: (part: T) => number
  /** The body, after its first piece was made. */
  readonly joined: (parts: AsyncIterable<T>) => Promise<ReadableStream<Uint8Array>>
}

/**
 * Waits until few enough are sent, begins a body of any length and hands it over; its parts wait for their turns.
 * @throws the failure of the first piece; when the client leaves before, the reason of its signal or an AppError
 */
export type Streamed = <T>(request: Request, generated: Generated<T>) => Promise<ReadableStream<Uint8Array>>

interface Needs {
  /** Of Deps. */
  readonly after: (ms: number, ring: () => void) => () => void
  /** Ends the connection of a request whose client may read nothing. */
  readonly close: (request: Request) => void
}

/** While more is made and not yet sent, nothing new is made. */
const MOST_HELD_BYTES = 16 * 1_048_576
/** Generated answers that are sent at once: each has a snapshot with a cache of 4 MiB and the state of a compressor. */
const MOST_STREAMS = 8
/** What a connection gets at once. */
const PIECE_BYTES = 65_536
/** While others wait for room, a client that takes less than this in this time is cut off. */
const SLOW = { ms: 30_000, bytes: 30 * 16_384 }

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/** Texts and UTF-8 bytes, one after the other, as a body. */
export function contentOf(texts: Iterable<string | Uint8Array<ArrayBuffer>>): LargeContent {
  const encoder = new TextEncoder()
  const pieces = Array.from(texts, (text) => (typeof text === 'string' ? encoder.encode(text) : text))
  return { size: lengthOf(pieces), isPacked: false, pieces }
}

/**
 * The one way of large answers: they are made in turn, and handed over only as their clients read. Bun itself would
 * keep the whole body for each slow client.
 */
export function createLarge({ after, close }: Needs): { readonly large: Large; readonly streamed: Streamed } {
  const refusal = () => new AppError('unavailable', 'The client left')
  const turns = createTurns({ atOnce: 1, refusal })
  const streams = createTurns({ atOnce: MOST_STREAMS, refusal })
  const pace = createPace()
  let heldBytes = 0
  /** Set while an answer waits for room. */
  let roomy: (() => void) | null = null

  const hold = (bytes: number) => {
    heldBytes += bytes
    if (heldBytes < MOST_HELD_BYTES) roomy?.()
  }
  const room = async (signal: AbortSignal) => {
    if (heldBytes < MOST_HELD_BYTES) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const leave = () => resolve()
    roomy = resolve
    signal.addEventListener('abort', leave)
    await promise
    signal.removeEventListener('abort', leave)
    roomy = null
  }
  const turn = <T>(signal: AbortSignal, make: () => Promise<T>) => {
    const work = async () => {
      await room(signal)
      // one answer after the other would be made and sent in microtasks alone, which let no other request in
      if (pace.needsRest()) await pace.rest()
      signal.throwIfAborted()
      return await make()
    }
    return turns.take(work, signal)
  }
  /** The pieces as a body, until the last was taken or the client left or was cut off. */
  const handedOver = (request: Request, { pieces, isWaiting = () => false, ended }: Handed) => {
    let [takenBytes, judgedBytes] = [0, 0]
    let unwatch = () => {}
    const end = () => {
      unwatch()
      request.signal.removeEventListener('abort', end)
      ended()
      pieces.return?.().catch(() => {})
    }
    const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      unwatch = after(SLOW.ms, () => {
        const isSlow = takenBytes - judgedBytes < SLOW.bytes && !isWaiting()
        judgedBytes = takenBytes
        if (!isSlow || (roomy === null && streams.waiting() === 0)) return watch(controller)
        end()
        controller.error(new Error('The client reads too slowly'))
        close(request)
      })
    }
    request.signal.addEventListener('abort', end)
    const body = new ReadableStream<Uint8Array>(
      {
        start: watch,
        pull: async (controller) => {
          const next = await pieces.next().catch((error: unknown) => {
            end()
            close(request)
            throw error
          })
          if (next.done) {
            end()
            controller.close()
          } else {
            takenBytes += next.value.length
            controller.enqueue(next.value)
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
    if (request.signal.aborted) end()
    return body
  }
  const sent = (request: Request, { content, encoding }: Prepared) => {
    const waiting = [...content.pieces]
    let leftBytes = lengthOf(waiting)
    hold(leftBytes)
    // a piece that is being compressed when the client leaves is released twice
    const release = (bytes: number) => {
      const freedBytes = Math.min(bytes, leftBytes)
      leftBytes -= freedBytes
      hold(-freedBytes)
    }
    const plain = portions(waiting, { isPacked: content.isPacked, release })
    const ended = () => {
      waiting.length = 0
      release(leftBytes)
    }
    return handedOver(request, { pieces: encoding === null ? plain : compressedPieces(plain, encoding), ended })
  }
  const large: Large = (request, make) =>
    turn(request.signal, async () => {
      const answer = await make()
      const ready = await prepared(request, answer)
      request.signal.throwIfAborted()
      return new Response(sent(request, ready), { status: answer.status ?? 200, headers: ready.headers })
    })
  const streamed: Streamed = (request, { parts, bytesOf, joined }) => {
    let isWaiting = false
    async function* inTurn() {
      try {
        for (;;) {
          let bytes = 0
          isWaiting = true
          const { done, value } = await turn(request.signal, async () => {
            const next = await parts.next()
            bytes = next.done ? 0 : bytesOf(next.value)
            hold(bytes)
            return next
          })
          isWaiting = false
          if (done) return
          try {
            yield value
          } finally {
            hold(-bytes)
          }
        }
      } finally {
        await parts.return()
      }
    }
    return new Promise((resolve, reject) => {
      const send = async () => {
        const pieces = (await joined(inTurn())).values()
        const { promise, resolve: ended } = Promise.withResolvers<void>()
        resolve(handedOver(request, { pieces, isWaiting: () => isWaiting, ended }))
        await promise
      }
      streams.take(send, request.signal).catch(reject)
    })
  }
  return { large, streamed }
}

interface Handed {
  readonly pieces: AsyncIterator<Uint8Array, void>
  /** Whether the next piece waits for its turn, which is not the fault of the client. */
  readonly isWaiting?: () => boolean
  /** May be called again. */
  readonly ended: () => void
}

interface Prepared {
  readonly content: LargeContent
  /** Applied while it is sent. */
  readonly encoding: Encoding | null
  readonly headers: Headers
}

/** What is sent: JSON compressed, at once where it is short. */
async function prepared(request: Request, { content, headers: init }: LargeAnswer): Promise<Prepared> {
  const headers = new Headers(init)
  if (!headers.get('content-type')?.startsWith('application/json')) return asItIs(content, headers)
  headers.set('Cache-Control', AS_IT_COMES['Cache-Control'])
  if (content.size < LEAST_BYTES) return asItIs(content, headers)
  headers.append('Vary', 'Accept-Encoding')
  const encoding = acceptedEncoding(request)
  if (encoding === null) return asItIs(content, headers)
  headers.set('Content-Encoding', encoding)
  if (content.isPacked) return { content, encoding, headers }
  const pieces = [await packed(Buffer.concat(content.pieces), encoding)]
  return asItIs({ size: lengthOf(pieces), isPacked: false, pieces }, headers)
}

function asItIs(content: LargeContent, headers: Headers): Prepared {
  headers.set('Content-Length', String(content.size))
  return { content, encoding: null, headers }
}

/** The bytes of the pieces, which leave `waiting` one by one and are released when they have been taken. */
async function* portions(
  waiting: Uint8Array<ArrayBuffer>[],
  { isPacked, release }: { readonly isPacked: boolean; readonly release: (bytes: number) => void },
): AsyncGenerator<Uint8Array, void> {
  const pace = createPace()
  for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
    const bytes = isPacked ? Bun.zstdDecompressSync(piece) : piece
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
    release(piece.length)
    if (pace.needsRest()) await pace.rest()
  }
}

/** Bytes of all pieces. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
