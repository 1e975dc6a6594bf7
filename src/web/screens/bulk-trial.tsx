import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { BulkEdited } from '../../repair/schemas.ts'
import { ApiError, api } from '../api.ts'
import { counted, number } from '../format.ts'

type BulkCounts = Pick<Static<typeof BulkEdited>, 'changed' | 'unchanged'>

/** Waits for the next key, so that a text being typed is not asked about letter by letter. */
const PAUSE_MS = 250

interface Trial {
  /** null: not known, or nothing is set. */
  readonly counts: BulkCounts | null
  /** An error message; null: none. */
  readonly fault: string | null
}

const UNKNOWN: Trial = { counts: null, fault: null }

/** Asks how many of the runs the change would concern. @param set as in the edit of several; null: do not ask */
export function useBulkTrial(ids: readonly string[], set: object | null): Trial {
  const [trial, setTrial] = useState<Trial>(UNKNOWN)
  const key = JSON.stringify(set)
  useEffect(() => {
    setTrial(UNKNOWN)
    if (set === null || Object.keys(set).length === 0) return
    let isWanted = true
    const asked = setTimeout(() => {
      api.trial('POST', '/workouts/bulk-edit', { ids, set }).then(
        (counts) => isWanted && setTrial({ counts, fault: null }),
        (error: unknown) => {
          const fault = error instanceof ApiError ? error.message : 'Couldn’t check what would change.'
          if (isWanted) setTrial({ counts: null, fault })
        },
      )
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(asked)
    }
  }, [key])
  return trial
}

/** Such as `12 change, 3 already set`. */
export function trialText({ changed, unchanged }: BulkCounts): string {
  const same = `${number(unchanged)} already set`
  if (changed === 0) return `Nothing changes (${same})`
  if (unchanged === 0) return `${counted(changed, 'run')} ${changed === 1 ? 'changes' : 'change'}`
  return `${number(changed)} ${changed === 1 ? 'changes' : 'change'}, ${same}`
}
