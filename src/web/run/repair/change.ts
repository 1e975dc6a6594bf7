import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { SplitTrial, TriedChange } from '../../../repair/schemas.ts'
import { ApiError, api } from '../../api.ts'
import { invalidateAll, toastDone } from '../../undo.ts'
import type { RunSeries } from '../charts/series.ts'

export type Trial = Static<typeof TriedChange> | Static<typeof SplitTrial>
export type Numbers = Trial['before']

/** A change of a run as a call of the service. */
export interface Change {
  readonly method: 'POST' | 'PATCH'
  /** Path below that of the run. */
  readonly call: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What a form of a change on the chart of a run is given. */
export interface StretchFormProps {
  readonly runId: string
  readonly series: RunSeries
  /** Called with null while the input is not a valid change. */
  readonly onChange: (change: Change | null) => void
}

/** Time for which a handle must rest before the service is asked. */
const REST_MS = 250

/** The result of a change as a dry run; both null while loading. */
export function useTrial(runId: string, change: Change | null) {
  const [found, setFound] = useState<{ trial: Trial | null; failure: string | null }>({ trial: null, failure: null })
  const key = change === null ? null : JSON.stringify(change)
  useEffect(() => {
    if (change === null) return setFound({ trial: null, failure: null })
    let isWanted = true
    const ask = async () => {
      const { method, call, body } = change
      try {
        const trial = await api.send<Trial>(method, `/workouts/${runId}/${call}`, { ...body, dryRun: true })
        if (isWanted) setFound({ trial, failure: null })
      } catch (error) {
        if (isWanted) setFound({ trial: null, failure: wordsOf(error) })
      }
    }
    const timer = setTimeout(() => void ask(), REST_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [runId, key])
  return found
}

/** Makes the change and offers to undo it. @throws ApiError */
export async function makeChange(runId: string, { method, call, body }: Change, done: string): Promise<void> {
  toastDone(done, [await api.change(method, `/workouts/${runId}/${call}`, body)])
  invalidateAll()
}

export function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'That did not work. Try again.'
}
