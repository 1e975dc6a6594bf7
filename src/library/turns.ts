/** Work that happens one after the other, in the order in which it was asked for. */
export interface Turns {
  /** Waits for its turn, then works; a failure is the caller's and does not concern the next one. */
  take<T>(work: () => Promise<T>): Promise<T>
}

/** One ZIP import runs at a time: two at once would take twice the memory and no less time. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take: (work) => {
      const turn = last.then(work)
      last = turn.catch(() => {})
      return turn
    },
  }
}
