import type { RunType } from '../engine/limits.ts'
import { toastDone, useAction } from './actions.ts'
import { api } from './api.ts'
import { distanceName } from './format.ts'
import type { Run } from './types.ts'
import { Button } from './ui/button.tsx'
import { TERMS } from './words.ts'
import './suggested-type.css'

interface SuggestedTypeProps {
  readonly run: Pick<Run, 'id' | 'runType' | 'suggestedRunType'>
}

/** The type that is suggested for a run without one, to be taken or refused with one tap. */
export function SuggestedType({ run }: SuggestedTypeProps) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (run.runType !== null || run.suggestedRunType === null) return null
  const { type } = run.suggestedRunType
  const reason = distanceName(run.suggestedRunType.reason)
  const choose = (runType: RunType | null) =>
    act(async () => {
      const receiptId = await api.change('PATCH', `/workouts/${run.id}`, { runType })
      toastDone(runType === null ? 'Left without a type' : `Set to ${runType}`, [receiptId])
    })
  return (
    <span class="suggested-type level" title={reason}>
      <Button size="small" disabled={isBusy} aria-label={`Set to ${type}: ${reason}`} onClick={() => void choose(type)}>
        {type}?
      </Button>
      <Button
        kind="quiet"
        size="small"
        icon="close"
        disabled={isBusy}
        aria-label={`Not ${type}: leave without a type`}
        onClick={() => void choose(null)}
      />
    </span>
  )
}
