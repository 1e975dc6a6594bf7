import { api } from '../../api.ts'
import type { Body, TrialAnswer } from '../../service.ts'
import { toastDone } from '../../undo.ts'
import { useAsked } from '../../use-asked.ts'
import type { RunSeries } from '../charts/series.ts'
import type { Detail, Edit } from '../types.ts'

type Call = 'crop' | 'cut' | 'mend' | 'distance' | 'shift' | 'split' | 'revert'
export type Trial = TrialAnswer<`/workouts/{id}/${Call}`, 'POST'> | TrialAnswer<'/workouts/{id}/numbers', 'PATCH'>
export type Numbers = Trial['before']

/** A change of a run as a call of the service; repetitions and the load have no trial. */
export type Change =
  | { readonly call: Call | 'numbers'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly call: 'intervals'; readonly body: Body<'PUT', '/workouts/{id}/intervals'> }
  | { readonly call: 'load'; readonly body: Edit }

/** What the form of a fix is given. */
export interface FixProps {
  readonly run: Detail
  /** null: the run has no samples, so no fix that needs them is offered. */
  readonly series: RunSeries | null
  /** Called with null while the input is not a valid change. */
  readonly onChange: (change: Change | null) => void
}

export interface StretchProps extends FixProps {
  readonly series: RunSeries
}

export function hasTrial({ call }: Change): boolean {
  return call !== 'intervals' && call !== 'load'
}

/** Time for which a handle must stay still before the service is asked. */
const STILL_MS = 250

/** The result of a change as a dry run. */
export function useTrial(runId: string, change: Change | null) {
  const tried = change !== null && hasTrial(change) ? change : null
  const ask = async ({ call, body }: Change): Promise<Trial> =>
    call === 'numbers' || call === 'intervals' || call === 'load'
      ? await api.trial('PATCH', `/workouts/${runId}/numbers`, body)
      : await api.trial('POST', `/workouts/${runId}/${call}`, body)
  return useAsked(tried && JSON.stringify(tried), () => ask(tried!), STILL_MS)
}

/** Makes the change and offers to undo it. @throws ApiError */
export async function makeChange(runId: string, { call, body }: Change, done: string): Promise<void> {
  const path = `/workouts/${runId}` as const
  const receiptId = await (call === 'numbers'
    ? api.change('PATCH', `${path}/numbers`, body)
    : call === 'intervals'
      ? api.change('PUT', `${path}/intervals`, body)
      : call === 'load'
        ? api.change('PATCH', path, body)
        : api.change('POST', `${path}/${call}`, body))
  toastDone(done, [receiptId])
}
