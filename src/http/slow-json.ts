export interface SlowJsonOptions {
  /** The body when the work fails after the 200 has left: what went wrong, in the form of the summary. */
  readonly whenFailed: (error: unknown) => unknown
  /** How long the answer may stay silent, milliseconds. */
  readonly silenceMs?: number
}

/** Proxies cut answers that stay silent for 30 to 60 s. */
const SILENCE_MS = 10_000

/**
 * The answer of work that always ends in a 200 summary and may take many minutes. Work that ends in time is answered
 * as usual, with its own error status if it fails. Otherwise 200 leaves now and a blank every 10 s until the JSON follows,
 * which JSON allows. A client that goes away does not end the work.
 * @returns the value of the work, or the response that streams it
 */
export async function slowJson<T>(work: Promise<T>, options: SlowJsonOptions): Promise<T | Response> {
  const silenceMs = options.silenceMs ?? SILENCE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), silenceMs)
  })
  const first = await Promise.race([work.then((value) => ({ value })), late]).finally(() => clearTimeout(timer))
  if (first !== 'late') return first.value
  const body = blanksUntil(work.catch(options.whenFailed), silenceMs)
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

function blanksUntil(work: Promise<unknown>, silenceMs: number): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval> | undefined
  const blank = new TextEncoder().encode(' ')
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      // the first one makes the server send the head
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
