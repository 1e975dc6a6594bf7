import { AppError } from '../base/errors.ts'
import { createTurns } from '../base/turns.ts'
import { type ZipItem, zipStream } from '../zip/writer.ts'

interface Zip {
  /** Without the time and the extension, such as `harrier-export`. */
  readonly name: string
  readonly nowMs: number
  /** Opens what it reads at its first `next`. */
  readonly items: AsyncGenerator<ZipItem, void>
}

export type Heavy = ReturnType<typeof createHeavy>

const AT_ONCE = 4
/** Answers that wait to be made. ZIPs do not, since how long one is read is up to its client. */
const MOST_WAITING = 12
const RETRY_S = '5'

/** The way of answers that take memory and time: four of a kind at once. */
export function createHeavy() {
  const refusal = () =>
    new AppError('unavailable', 'Too many large answers at once, try again', { headers: { 'Retry-After': RETRY_S } })
  const making = createTurns({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, refusal })
  const sending = createTurns({ atOnce: AT_ONCE, mostWaiting: 0, refusal })
  return {
    /** Makes an answer; some may wait for that. @throws AppError 503 when too many wait, or its client left */
    made: (request: Request, make: () => Promise<Response>) => making.take(make, request.signal),
    /**
     * A ZIP as a download such as `harrier-export-20251120-130511.zip` (UTC), made as its client reads. What fails before
     * its first piece becomes an error status; a later failure breaks the connection.
     * @throws AppError 503 while four others are being read
     */
    zip: (request: Request, { name, nowMs, items }: Zip) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>()
      const send = async () => {
        const { promise: end, resolve: ended } = Promise.withResolvers<void>()
        const pieces = begun(zipStream(items), ended)
        await pieces.next()
        request.signal.addEventListener('abort', () => void pieces.return())
        resolve(new Response(pulled(pieces), { headers: zipHeaders(name, nowMs) }))
        await end
      }
      sending.take(send, request.signal).catch(reject)
      return promise
    },
  }
}

/** A body whose pieces are made as its client reads; the generator is ended when the client leaves. */
export function pulled(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => void (await pieces.return()),
    },
    { highWaterMark: 0 },
  )
}

/** The pieces after an empty one, which comes when the first is made. */
async function* begun(stream: ReadableStream<Uint8Array>, ended: () => void): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader()
  try {
    let next = await reader.read()
    yield new Uint8Array(0)
    for (; !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
    ended()
  }
}

function zipHeaders(name: string, nowMs: number): Readonly<Record<string, string>> {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split(/[T.]/)
  const fileName = `${name}-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}.zip`
  return {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
}
