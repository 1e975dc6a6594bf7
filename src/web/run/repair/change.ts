import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { TriedChange } from '../../../repair/schemas.ts'
import { ApiError, api } from '../../api.ts'
import { invalidate } from '../../state.ts'
import { toast } from '../../ui/toast.tsx'

export type Trial = Static<typeof TriedChange>

/** What is to be done with a run, as the service is asked for it. */
export interface Change {
  readonly method: 'POST' | 'PATCH'
  /** Below the run. */
  readonly call: string
  readonly body: Readonly<Record<string, unknown>>
}

/** So long a handle rests before the service is asked. */
const REST_MS = 250

/** What a change would make of the run; both null while it is asked for. */
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

/** Does it, and offers to undo it. @throws ApiError */
export async function makeChange(runId: string, { method, call, body }: Change, done: string): Promise<void> {
  await api.send(method, `/workouts/${runId}/${call}`, body)
  refresh()
  toast(done, { label: 'Undo', run: () => void undoLatest(runId) })
}

/** Takes the latest change of a run back. */
async function undoLatest(runId: string): Promise<void> {
  try {
    const { items } = await api.get<{ items: readonly { id: string }[] }>(`/receipts?workoutId=${runId}&pageSize=1`)
    const [latest] = items
    if (latest === undefined) return toast('There is nothing to undo any more')
    await api.send('POST', `/receipts/${latest.id}/undo`, {})
    toast('Undone')
  } catch (error) {
    toast(wordsOf(error))
  }
  refresh()
}

function refresh(): void {
  for (const prefix of ['/workouts', '/stats', '/shoes', '/training']) invalidate(prefix)
}

export function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'That did not work. Try again.'
}
