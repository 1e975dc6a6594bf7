import { TileError } from './client.ts'

/** A few at a time, the others in the order in which they came. */
export interface Turns {
  /**
   * Waits for a turn.
   * @returns what ends it
   * @throws TileError when too many wait already, or when the signal says that it is not wanted any more
   */
  take(signal: AbortSignal): Promise<() => void>
}

export function createTurns(atOnce: number, mostWaiting: number): Turns {
  const waiting: (() => void)[] = []
  let taken = 0
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }
  return {
    take: async (signal) => {
      if (signal.aborted) throw new TileError('nobody waits for it')
      if (taken < atOnce) taken += 1
      else if (waiting.length >= mostWaiting) throw new TileError('too many wait')
      else await turn(waiting, signal)
      return once(release)
    },
  }
}

/** The turn is handed over, not given back and taken again. */
function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(new TileError('nobody waits for it'))
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(begin)
  })
}

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) call()
    isDone = true
  }
}
