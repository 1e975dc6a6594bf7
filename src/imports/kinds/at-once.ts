import { paced } from '../../base/pace.ts'

/** Work on the items of a stream, a few at once and begun in their order. */
interface AtOnce {
  /** The first failure, or the signal, ends it when the work under way is done. @throws that failure */
  each<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Waits for the work under way. */
  settled(): Promise<void>
}

export function createAtOnce(most: number): AtOnce {
  const underWay = new Set<Promise<void>>()
  const settled = async () => void (await Promise.all(underWay))
  return {
    settled,
    each: async (items, work, signal) => {
      const failures: unknown[] = []
      try {
        for await (const item of paced(items)) {
          const done: Promise<void> = work(item)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(done))
          underWay.add(done)
          if (underWay.size >= most) await Promise.race(underWay)
          if (failures.length > 0 || signal.aborted) break
        }
      } finally {
        await settled()
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
