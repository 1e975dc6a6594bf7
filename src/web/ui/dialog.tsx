import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  /** Escape, the cross, or a press beside it; null: it can only be answered. */
  readonly onClose: (() => void) | null
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** A modal question over the view; shown as long as it is rendered. Focus is kept in it and given back. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // at once: a field with autofocus would otherwise take the focus that is to be given back
  useLayoutEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // the browser gives the focus back only while the dialog is still in the document
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={({ currentTarget }) => {
        // browsers close a dialog at the second Escape, whatever was said to the first
        if (!currentTarget.isConnected || currentTarget.open) return
        if (onClose === null) currentTarget.showModal()
        else onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose?.()
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose !== null && <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly action: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, action, isBusy = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
