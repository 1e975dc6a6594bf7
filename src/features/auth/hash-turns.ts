import { AppError } from '../../base/errors.ts'

const MOST = 16
const MOST_OF_ADDRESS = 8
const RETRY_S = '2'

/** Limits the logins that wait for the hash of their password, so that a flood of them holds up nobody else. */
export interface HashTurns {
  /** Ends when it is disposed. @throws AppError 429 when too many wait, of all or of one address */
  take(address: string): Disposable
}

export function createHashTurns(): HashTurns {
  const taken: string[] = []
  return {
    take: (address) => {
      if (taken.length >= MOST || taken.filter((one) => one === address).length >= MOST_OF_ADDRESS)
        throw new AppError('throttled', `Too many logins at once, try again in ${RETRY_S} seconds`, {
          headers: { 'Retry-After': RETRY_S },
        })
      taken.push(address)
      return { [Symbol.dispose]: () => void taken.splice(taken.indexOf(address), 1) }
    },
  }
}
