import { type ZipItem, zipStream } from '../zip/writer.ts'
import type { Streamed } from './large.ts'

interface Zip {
  /** Without the time and the extension, such as `harrier-export`. */
  readonly name: string
  readonly nowMs: number
  /** Opens what it reads at its first `next`. */
  readonly items: AsyncGenerator<ZipItem, void>
}

/** Bytes of an item that is read as it is written. */
const PIECE_BYTES = 262_144

/**
 * A ZIP as a download such as `harrier-export-20251120-130511.zip` (UTC), generated while it is sent. Its first piece
 * is produced before the answer begins, so that an early failure becomes an error status; a later one breaks the
 * connection.
 */
export async function zipResponse(
  streamed: Streamed,
  request: Request,
  { name, nowMs, items }: Zip,
): Promise<Response> {
  const body = await streamed(request, {
    parts: items,
    bytesOf: ({ heldBytes = PIECE_BYTES }) => heldBytes,
    joined: (parts) => begun(zipStream(parts)),
  })
  const [date = '', time = ''] = new Date(nowMs).toISOString().split(/[T.]/)
  const fileName = `${name}-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}.zip`
  return new Response(body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/**
 * Returns the stream after its first piece was produced: a failure until then is thrown here, a later one breaks the
 * stream.
 */
async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader()
  let next: ReturnType<typeof reader.read> | null = Promise.resolve(await reader.read())
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (next ?? reader.read())
        next = null
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
