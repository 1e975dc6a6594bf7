import { AppError } from '../base/errors.ts'
import { isObject } from '../base/json-object.ts'
import { DAMAGED } from '../db/disk-full.ts'
import { AS_IT_COMES } from './compression.ts'

interface SlowJsonOptions {
  /** The body when the work fails after the 200 was sent: the error, in the form of the summary. */
  readonly whenFailed: (error: unknown) => unknown
  /** How long the answer may be silent, milliseconds. */
  readonly silenceMs?: number
}

/** Proxies cut answers that are silent for 30 to 60 s. */
const SILENCE_MS = 10_000

/**
 * The answer of work that always ends in a 200 summary and may take many minutes. Work that ends soon is answered as
 * usual, with an error status if it fails. Otherwise 200 is sent, then a blank every 10 s, which JSON allows, until the
 * JSON follows. A client that disconnects does not end the work.
 */
export async function slowJson(work: Promise<unknown>, options: SlowJsonOptions): Promise<Response> {
  const silenceMs = options.silenceMs ?? SILENCE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), silenceMs)
  })
  const first = await Promise.race([work.then((value) => ({ value })), late]).finally(() => clearTimeout(timer))
  if (first !== 'late') return Response.json(unlessStopped(first.value))
  const body = blanksUntil(work.catch(options.whenFailed), silenceMs)
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...AS_IT_COMES } })
}

/** @throws AppError 503 for the summary of work that the end of the process cut short, which its `stopped` says */
export function unlessStopped(summary: unknown): unknown {
  if (isObject(summary) && typeof summary.stopped === 'string') {
    const code = summary.stopped === DAMAGED ? 'database_damaged' : 'stopping'
    throw new AppError('unavailable', summary.stopped, { code })
  }
  return summary
}

function blanksUntil(work: Promise<unknown>, silenceMs: number): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval> | undefined
  const blank = new TextEncoder().encode(' ')
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      // the first blank makes the server send the head
      controller.enqueue(blank)
      timer = setInterval(() => controller.enqueue(blank), silenceMs)
      const finish = (value: unknown) => {
        clearInterval(timer)
        controller.enqueue(new TextEncoder().encode(JSON.stringify(value)))
        controller.close()
      }
      work.then(finish).catch((error: unknown) => {
        clearInterval(timer)
        controller.error(error)
      })
    },
    cancel: () => clearInterval(timer),
  })
}
