/**
 * Returns the stream after its first piece was produced: a failure until then is thrown here, a later one breaks the
 * stream.
 */
export async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
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
