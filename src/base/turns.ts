/** Limits how much work runs at once; the rest waits in the order of arrival. */
export interface Turns {
  /**
   * Waits for a turn, then runs the work; its failure is passed to its caller and does not affect other work.
   * @param signal aborted when the result is no longer needed; waiting work is then not started
   * @throws the refusal when too many wait already, or when the signal was aborted first
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  waiting(): number
}

interface Limits {
  readonly atOnce: number
  readonly mostWaiting?: number
  readonly refusal?: (why: string) => Error
}

export function createTurns(limits: Limits): Turns {
  const { atOnce, mostWaiting = Number.POSITIVE_INFINITY, refusal = (why: string) => new Error(why) } = limits
  const waiting: (() => void)[] = []
  let taken = 0
  /** The turn is passed on directly, so that a newcomer cannot take it in between. */
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(refusal('nobody waits for it'))
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(begin)
    })
  return {
    waiting: () => waiting.length,
    take: async (work, signal) => {
      if (signal?.aborted) throw refusal('nobody waits for it')
      if (taken < atOnce) taken += 1
      else if (waiting.length >= mostWaiting) throw refusal('too many wait')
      else await turn(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
