import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { failureNotice, Lazy } from '../../ui/lazy.tsx'
import { fetchPart } from '../../ui/part.ts'
import type { RepetitionsDialogProps } from './repetitions-dialog.tsx'

/** Button that opens the dialog on the repetitions of a run. */
export function EditRepetitions(props: Omit<RepetitionsDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon="edit" onClick={() => setOpen(true)}>
        Edit reps
      </Button>
      {isOpen && <Repetitions {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The dialog, whose code is loaded when it is first opened. */
export function Repetitions(props: RepetitionsDialogProps) {
  return <Lazy load={loadDialog} props={props} waiting={failureNotice} />
}

const loadDialog = () =>
  fetchPart('repetitions-dialog', () => import('./repetitions-dialog.tsx')).then((part) => part.RepetitionsDialog)
