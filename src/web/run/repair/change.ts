import { api } from '../../api.ts'
import type { TrialAnswer } from '../../service.ts'
import { toastDone } from '../../undo.ts'
import { useAsked } from '../../use-asked.ts'
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

/** The result of a change as a dry run. */
export function useTrial(runId: string, change: Change | null) {
  const ask = async ({ call, body }: Change): Promise<Trial> =>
    call === 'numbers'
      ? await api.trial('PATCH', `/workouts/${runId}/numbers`, body)
      : await api.trial('POST', `/workouts/${runId}/${call}`, body)
  return useAsked(change && JSON.stringify(change), () => ask(change!), STILL_MS)
}

/** Makes the change and offers to undo it. @throws ApiError */
export async function makeChange(runId: string, { call, body }: Change, done: string): Promise<void> {
  const receiptId = await (call === 'numbers'
    ? api.change('PATCH', `/workouts/${runId}/numbers`, body)
    : api.change('POST', `/workouts/${runId}/${call}`, body))
  toastDone(done, [receiptId])
}
