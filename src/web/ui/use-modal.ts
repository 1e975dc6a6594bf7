import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

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
