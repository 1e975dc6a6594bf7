import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { counted, distance, duration, text } from '../format.ts'
import { useUnits } from '../state.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Select } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { toastDone } from '../undo.ts'
import { useAsked } from '../use-asked.ts'

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
  const { answer, failure, isOutdated } = useAsked(gap, () => api.trial('POST', '/workouts/join', { ids, gap }))
  const runs = counted(ids.length, 'run')
  const save = async () => {
    toastDone(`${runs} joined`, [await api.change('POST', '/workouts/join', { ids, gap })])
    onClose()
    onDone()
  }
  return (
    <Dialog title={`Join ${runs}?`} onClose={onClose}>
      <Form action="Join" isPrimary isIncomplete={answer === null || isOutdated} onCancel={onClose} onSend={save}>
        <Select label="Between the runs" value={gap} options={GAPS} onValue={setGap} />
        <div aria-live="polite">
          {answer === null && failure === null && <SkeletonLines count={1} height="1.4rem" />}
          {answer !== null && (
            <p>{`One run: ${text(distance(answer.after.distanceM, units))} in ${duration(answer.after.durationS)}. All recordings, photos and notes are kept.`}</p>
          )}
        </div>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}
