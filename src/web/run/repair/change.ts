import { useEffect, useState } from 'preact/hooks'
import { api, failureText } from '../../api.ts'
import type { TrialAnswer } from '../../service.ts'
import { toastDone } from '../../undo.ts'
import type { RunSeries } from '../charts/series.ts'

type Call = 'cut' | 'mend' | 'distance' | 'shift' | 'split' | 'revert'
export type Trial = TrialAnswer<`/workouts/{id}/${Call}`, 'POST'> | TrialAnswer<'/workouts/{id}/numbers', 'PATCH'>
export type Numbers = Trial['before']

/** A change of a run as a call of the service. */
export interface Change {
  /** Path below that of the run. */
  readonly call: Call | 'numbers'
  readonly body: Readonly<Record<string, unknown>>
}

/** What a form of a change on the chart of a run is given. */
export interface StretchFormProps {
  readonly runId: string
  readonly series: RunSeries
  /** Called with null while the input is not a valid change. */
  readonly onChange: (change: Change | null) => void
}

/** Time for which a handle must stay still before the service is asked. */
const STILL_MS = 250

/** The result of a change as a dry run; both null while loading. */
export function useTrial(runId: string, change: Change | null) {
  const [found, setFound] = useState<{ trial: Trial | null; failure: string | null }>({ trial: null, failure: null })
  const key = change === null ? null : JSON.stringify(change)
  useEffect(() => {
    if (change === null) return setFound({ trial: null, failure: null })
    let isWanted = true
    const ask = async () => {
      try {
        const trial = await (change.call === 'numbers'
          ? api.trial('PATCH', `/workouts/${runId}/numbers`, change.body)
          : api.trial('POST', `/workouts/${runId}/${change.call}`, change.body))
        if (isWanted) setFound({ trial, failure: null })
      } catch (error) {
        if (isWanted) setFound({ trial: null, failure: wordsOf(error) })
      }
    }
    const timer = setTimeout(() => void ask(), STILL_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [runId, key])
  return found
}

/** Makes the change and offers to undo it. @throws ApiError */
export async function makeChange(runId: string, { call, body }: Change, done: string): Promise<void> {
  const receiptId = await (call === 'numbers'
    ? api.change('PATCH', `/workouts/${runId}/numbers`, body)
    : api.change('POST', `/workouts/${runId}/${call}`, body))
  toastDone(done, [receiptId])
}

export function wordsOf(error: unknown): string {
  return failureText(error)
}
