import { useEffect, useRef, useState } from 'preact/hooks'
import { MOST_REPETITIONS } from '../../../engine/limits.ts'
import { api, failureText } from '../../api.ts'
import { duration } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { toastDone } from '../../undo.ts'
import type { RunSeries } from '../charts/series.ts'
import { SpansRange } from '../stretch-range.tsx'
import type { Intervals } from '../types.ts'
import { type Repetition, repetitionsOf, withAnother, withEnd } from './stretches.ts'
import '../crop.css'
import './repetitions-dialog.css'

export interface RepetitionsDialogProps {
  readonly runId: string
  readonly series: RunSeries
  readonly onClose: () => void
}

/** Corrects the repetitions of a run: the chosen one has two handles over the pace. */
export function RepetitionsDialog({ runId, series, onClose }: RepetitionsDialogProps) {
  const { data, error } = useResource(`/workouts/${runId}/intervals`)
  return (
    <Dialog title="Edit reps" isWide onClose={onClose}>
      {error !== null && <Notice kind="bad">{error.message}</Notice>}
      {data !== null && <Editor runId={runId} series={series} found={data} onClose={onClose} />}
    </Dialog>
  )
}

function Editor({ runId, series, found, onClose }: RepetitionsDialogProps & { readonly found: Intervals }) {
  const lastS = series.elapsedS.at(-1)!
  const frame = useRef<HTMLDivElement>(null)
  const [repetitions, setRepetitions] = useState(() => repetitionsOf(found))
  const [chosen, setChosen] = useState(0)
  /** Selector of what gets the focus once it is shown. */
  const [next, setNext] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (next === null) return
    const sought = frame.current?.querySelector<HTMLElement>(next) ?? frame.current?.querySelector('button')
    sought?.focus()
    setNext(null)
  }, [next])
  const another = repetitions.length < MOST_REPETITIONS ? withAnother(repetitions, lastS) : null
  const add = () => {
    if (another === null) return
    setRepetitions(another.repetitions)
    setChosen(another.index)
    setNext('[role=slider]')
  }
  const remove = (index: number) => {
    setRepetitions(repetitions.toSpliced(index, 1))
    if (index < chosen || chosen === repetitions.length - 1) setChosen(Math.max(0, chosen - 1))
    setNext('[aria-pressed=true]')
  }
  const send = async (stretches: readonly Repetition[] | null, done: string) => {
    setBusy(true)
    setFailure(null)
    try {
      const receiptId = await api.change('PUT', `/workouts/${runId}/intervals`, { stretches })
      toastDone(done, [receiptId])
      onClose()
    } catch (thrown) {
      setFailure(failureText(thrown))
      setBusy(false)
    }
  }
  return (
    <>
      <div class="stack gap-4" ref={frame}>
        <SpansRange
          series={series}
          spans={repetitions}
          chosen={chosen}
          labels={[`Start of rep ${chosen + 1}`, `End of rep ${chosen + 1}`]}
          onMove={(end, atS) => setRepetitions(withEnd(repetitions, { index: chosen, end, atS }, lastS))}
        />
        <ol class="repetition-list" aria-label="Reps">
          {repetitions.map(({ startS, endS }, index) => (
            <li key={index}>
              <button
                type="button"
                class="repetition"
                aria-pressed={index === chosen}
                aria-label={`Rep ${index + 1}, ${duration(startS)}–${duration(endS)}`}
                onClick={() => setChosen(index)}
              >
                <strong>{index + 1}</strong>
                <span>{duration(endS - startS)}</span>
                <span class="muted">
                  {duration(startS)}–{duration(endS)}
                </span>
              </button>
              <Button
                size="small"
                kind="quiet"
                icon="close"
                aria-label={`Remove rep ${index + 1}`}
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ol>
        {repetitions.length === 0 && <p class="muted">No reps.</p>}
        <div class="actions start">
          <Button size="small" icon="plus" disabled={another === null} onClick={add}>
            Add rep
          </Button>
        </div>
      </div>
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="actions">
        {found.source === 'runner' && (
          <Button disabled={isBusy} onClick={() => void send(null, 'Correction removed')}>
            Remove correction
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isBusy} onClick={() => void send(repetitions, 'Reps saved')}>
          Save
        </Button>
      </div>
    </>
  )
}
