import { useState } from 'preact/hooks'
import { api, failureText } from '../api.ts'
import { useResource } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/empty.tsx'
import { toast } from '../ui/toast.tsx'
import { toastDone } from '../undo.ts'
import { TERMS } from '../words.ts'
import { countQuestion } from './tables/standing.ts'

/** Asks once whether the efforts of a run that are much faster than all others count. */
export function UnconfirmedEfforts({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  const [isSaving, setSaving] = useState(false)
  const asked = data?.distances.filter(({ isUnconfirmed }) => isUnconfirmed) ?? []
  if (asked.length === 0) return null
  const decide = async (efforts: boolean) => {
    setSaving(true)
    try {
      const receiptId = await api.change('PATCH', `/workouts/${runId}`, { efforts })
      toastDone(efforts ? 'Counted as records' : 'Not counted as records', [receiptId])
    } catch (error) {
      toast(failureText(error, TERMS.notSaved))
    }
    setSaving(false)
  }
  return (
    <Notice>
      {countQuestion(asked)}{' '}
      <Button size="small" disabled={isSaving} onClick={() => void decide(true)}>
        {asked.length === 1 ? 'Count it' : 'Count them'}
      </Button>{' '}
      <Button kind="quiet" size="small" disabled={isSaving} onClick={() => void decide(false)}>
        Don’t count
      </Button>
    </Notice>
  )
}
