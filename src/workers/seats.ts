/** So much may go on at once; who comes first is let in first. */
export interface Seats {
  /** Waits until `count` seats are free and nobody waits before, works, and leaves them. */
  take<T>(count: number, work: () => Promise<T>): Promise<T>
}

export function createSeats(total: number): Seats {
  let free = total
  const waiting: { readonly count: number; readonly enter: () => void }[] = []
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && next.count <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.count
      next.enter()
    }
  }
  return {
    take: async (count, work) => {
      await new Promise<void>((enter) => {
        waiting.push({ count, enter })
        admit()
      })
      try {
        return await work()
      } finally {
        free += count
        admit()
      }
    },
  }
}
