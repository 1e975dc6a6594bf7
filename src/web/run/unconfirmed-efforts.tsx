import { api } from '../api.ts'
import { useResource } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/empty.tsx'
import { toastDone } from '../undo.ts'
import { useAction } from '../use-action.ts'
import { TERMS } from '../words.ts'
import { countQuestion } from './tables/standing.ts'

/** Asks once whether the efforts of a run that are much faster than all others count. */
export function UnconfirmedEfforts({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  const { isBusy, act } = useAction(TERMS.notSaved)
  const asked = data?.distances.filter(({ isUnconfirmed }) => isUnconfirmed) ?? []
  if (asked.length === 0) return null
  const decide = (efforts: boolean) =>
    act(async () => {
      const receiptId = await api.change('PATCH', `/workouts/${runId}`, { efforts })
      toastDone(efforts ? 'Counted as records' : 'Not counted as records', [receiptId])
    })
  return (
    <Notice>
      {countQuestion(asked)}{' '}
      <Button size="small" disabled={isBusy} onClick={() => void decide(true)}>
        {asked.length === 1 ? 'Count it' : 'Count them'}
      </Button>{' '}
      <Button kind="quiet" size="small" disabled={isBusy} onClick={() => void decide(false)}>
        Don’t count
      </Button>
    </Notice>
  )
}
