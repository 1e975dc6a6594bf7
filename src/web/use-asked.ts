import { useEffect, useState } from 'preact/hooks'
import { failureText } from './api.ts'

interface Asked<T> {
  /** null: not known yet. */
  readonly answer: T | null
  readonly failure: string | null
  /** Both are of the question before, so nothing may be confirmed. */
  readonly isOutdated: boolean
}

type Found<T> = Omit<Asked<T>, 'isOutdated'> & { readonly key: string | null }

const NOTHING = { key: null, answer: null, failure: null }

/**
 * The answer to a question that is asked again whenever its key changes; the last one stays until the next is there.
 * @param key null: nothing is asked
 * @param pauseMs for which the key must stay, so that typing does not ask letter by letter
 */
export function useAsked<T>(key: string | null, ask: () => Promise<T>, pauseMs = 0): Asked<T> {
  const [found, setFound] = useState<Found<T>>(NOTHING)
  useEffect(() => {
    if (key === null) return setFound(NOTHING)
    let isWanted = true
    const find = (next: Found<T>) => isWanted && setFound(next)
    const timer = setTimeout(() => {
      ask().then(
        (answer) => find({ key, answer, failure: null }),
        (error: unknown) => find({ key, answer: null, failure: failureText(error) }),
      )
    }, pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key])
  return { ...found, isOutdated: found.key !== key }
}
