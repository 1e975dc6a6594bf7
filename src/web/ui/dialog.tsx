import type { ComponentChildren, TargetedEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Form } from './form.tsx'

interface DialogProps {
  readonly title: string
  /** Called on Escape, the close button, or a click outside; null: it cannot be dismissed. */
  readonly onClose: (() => void) | null
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** A modal dialog, shown while it is rendered. The focus stays within it and returns afterwards. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const id = useId()
  return (
    <dialog {...useModal(onClose)} class={isWide ? 'dialog wide' : 'dialog'} aria-labelledby={id}>
      <div class="dialog-head level spread gap-3">
        <h2 id={id} class="large">
          {title}
        </h2>
        {onClose !== null && <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />}
      </div>
      <div class="dialog-body stack gap-4">{children}</div>
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly action: string
  /** Rejects with an error to display; the dialog closes when it is done. */
  readonly onConfirm: () => unknown
  readonly onClose: () => void
}

/** Asks for confirmation of an action that deletes or replaces something. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  const send = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} isDangerous onCancel={onClose} onSend={send}>
        <div>{children}</div>
      </Form>
    </Dialog>
  )
}

type On<E extends Event> = TargetedEvent<HTMLDialogElement, E>

/**
 * Attributes of a dialog that is modal while it is rendered. The focus stays within it and returns afterwards.
 * @param onClose called on Escape or a press outside; null: it cannot be dismissed
 */
export function useModal(onClose: (() => void) | null) {
  const ref = useRef<HTMLDialogElement>(null)
  // before the first paint: a field with autofocus would otherwise get the focus that is to be restored
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // the browser returns the focus only while the dialog is in the document
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return {
    ref,
    onCancel: (event: On<Event>) => {
      event.preventDefault()
      onClose?.()
    },
    onClose: ({ currentTarget }: On<Event>) => {
      // browsers close a dialog at the second Escape even when the first was prevented
      if (!currentTarget.isConnected || currentTarget.open) return
      if (onClose === null) currentTarget.showModal()
      else onClose()
    },
    onMouseDown: ({ target, currentTarget }: On<MouseEvent>) => {
      if (target === currentTarget) onClose?.()
    },
  }
}
