import type { ComponentChildren } from 'preact'
import { useSubmit } from '../use-submit.ts'
import { Button } from './button.tsx'
import { Notice } from './empty.tsx'

interface FormProps {
  /** Rejects with what is then shown as the fault; whatever follows on success happens in it. */
  readonly onSend: () => Promise<void>
  /** Text of the button that sends. */
  readonly action: string
  /** The button is the one that matters in this view. */
  readonly isPrimary?: boolean
  /** The button is as wide as the form: of a card that has nothing else. */
  readonly isWide?: boolean
  /** What is typed cannot be sent yet. */
  readonly isIncomplete?: boolean
  /** Of a form in a dialog. */
  readonly onCancel?: () => void
  /** Stands above the fault: what the form is for. */
  readonly head?: ComponentChildren
  readonly children: ComponentChildren
}

/** Fields, the button that sends them, and why the last try failed. */
export function Form(props: FormProps) {
  const { onSend, action, isPrimary = false, isWide = false, isIncomplete = false, onCancel, head, children } = props
  const { isBusy, fault, submit } = useSubmit(onSend)
  const button = (
    <Button kind={isPrimary ? 'primary' : 'plain'} type="submit" isBusy={isBusy} disabled={isIncomplete}>
      {action}
    </Button>
  )
  return (
    <form class="form" onSubmit={submit}>
      {head}
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      {children}
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
