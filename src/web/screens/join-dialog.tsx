import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { TriedChange } from '../../repair/schemas.ts'
import { api, failureText } from '../api.ts'
import { counted, distance, duration, text } from '../format.ts'
import { useUnits } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Select } from '../ui/field.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { toastDone } from '../undo.ts'

interface JoinDialogProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const GAPS = [
  ['pause', 'Count the time as a pause'],
  ['straight', 'Count the straight line as distance'],
  ['none', 'Leave the gap out'],
] as const
type Gap = (typeof GAPS)[number][0]

/** Joins runs: shows the resulting run, and how the time between them is treated. */
export function JoinDialog({ ids, onDone, onClose }: JoinDialogProps) {
  const units = useUnits()
  const [gap, setGap] = useState<Gap>('pause')
  const [after, setAfter] = useState<Static<typeof TriedChange>['after'] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    let isWanted = true
    setAfter(null)
    setFailure(null)
    api.trial('POST', '/workouts/join', { ids, gap }).then(
      (trial) => isWanted && setAfter(trial.after),
      (error: unknown) => isWanted && setFailure(failureText(error)),
    )
    return () => {
      isWanted = false
    }
  }, [gap])
  const runs = counted(ids.length, 'run')
  const save = async () => {
    setBusy(true)
    try {
      toastDone(`${runs} joined`, [await api.change('POST', '/workouts/join', { ids, gap })])
      onClose()
      onDone()
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Join ${runs}?`} onClose={onClose}>
      <Select label="Between the runs" value={gap} options={GAPS} onValue={setGap} />
      <div aria-live="polite">
        {after === null && failure === null && <SkeletonLines count={1} height="1.4rem" />}
        {after !== null && (
          <p>{`One run: ${text(distance(after.distanceM, units))} in ${duration(after.durationS)}. All recordings, photos and notes are kept.`}</p>
        )}
      </div>
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isBusy} disabled={after === null} onClick={() => void save()}>
          Join
        </Button>
      </div>
    </Dialog>
  )
}
