/** Work of which so much happens at once, the rest in the order in which it was asked for. */
export interface Turns {
  /**
   * Waits for its turn, then works; a failure is the caller's and does not concern the next one.
   * @param signal nobody waits for the work any more: it does not begin
   * @throws the refusal when too many wait already, or when the signal came first
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
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
  /** The turn is handed over, not given back and taken again. */
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
