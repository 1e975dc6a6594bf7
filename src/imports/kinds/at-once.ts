import { paced } from '../../base/pace.ts'

/** Work on the items of a stream, a few at once and begun in their order. */
interface AtOnce {
  /**
   * The first failure ends it when the work under way is done, as `isOver` does.
   * @param work told when all that began before it is done, so that results can come in the order of the items
   * @throws that failure
   */
  each<T>(
    items: AsyncIterable<T>,
    work: (item: T, before: Promise<void>) => Promise<void>,
    isOver: () => boolean,
  ): Promise<void>
  /** Waits for the work under way. */
  settled(): Promise<void>
}

export function createAtOnce(most: number): AtOnce {
  const underWay = new Set<Promise<void>>()
  const settled = async () => void (await Promise.all(underWay))
  return {
    settled,
    each: async (items, work, isOver) => {
      const failures: unknown[] = []
      let before = Promise.resolve()
      try {
        for await (const item of paced(items)) {
          const done: Promise<void> = work(item, before)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(done))
          underWay.add(done)
          before = done
          if (underWay.size >= most) await Promise.race(underWay)
          if (failures.length > 0 || isOver()) break
        }
      } finally {
        await settled()
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
