import type { ComponentChildren } from 'preact'
import { useSubmit } from '../use-submit.ts'
import { Button } from './button.tsx'
import { Notice } from './empty.tsx'

interface FormProps {
  /** Rejects with an error to display; on success it does what follows. */
  readonly onSend: () => Promise<void>
  /** Label of the submit button. */
  readonly action: string
  /** The button is the primary one of the view. */
  readonly isPrimary?: boolean
  readonly isDangerous?: boolean
  /** The button is as wide as the form. */
  readonly isWide?: boolean
  /** The input is not complete, so it cannot be submitted. */
  readonly isIncomplete?: boolean
  /** For a form in a dialog. */
  readonly onCancel?: () => void
  /** Content above the error: the purpose of the form. */
  readonly head?: ComponentChildren
  readonly children: ComponentChildren
}

/** Fields, the submit button, and the error of the last attempt. */
export function Form(props: FormProps) {
  const { onSend, action, isPrimary = false, isDangerous = false, isWide = false, isIncomplete = false } = props
  const { onCancel, head, children } = props
  const { isBusy, fault, submit } = useSubmit(onSend)
  const button = (
    <Button
      kind={isDangerous ? 'primary danger' : isPrimary ? 'primary' : 'plain'}
      type="submit"
      isBusy={isBusy}
      disabled={isIncomplete}
    >
      {action}
    </Button>
  )
  return (
    <form class="form" onSubmit={submit}>
      {head}
      {children}
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      {isWide ? (
        button
      ) : (
        <div class={onCancel === undefined ? 'actions start' : 'actions'}>
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
          {button}
        </div>
      )}
    </form>
  )
}
