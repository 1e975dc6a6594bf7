import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * A text that is changed where it stands: a button that becomes a line to type in. Enter or leaving the line stores,
 * Escape leaves the text as it was.
 * @param onSave stores it; the words of the failure, with which the line opens again, or null
 */
export function useLine(text: string | null, onSave: (text: string | null) => Promise<string | null>) {
  const [draft, setDraft] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const line = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useRef(false)
  // before anything can be typed
  useLayoutEffect(() => {
    if (draft !== null && !isOpen.current) line.current?.select()
    isOpen.current = draft !== null
  }, [draft])
  const close = async ({ isStored, isLeft = false }: { readonly isStored: boolean; readonly isLeft?: boolean }) => {
    // a line that goes away loses its focus as well, which must not store what was just discarded
    if (draft === null || !isOpen.current) return
    isOpen.current = false
    const wanted = draft.trim() === '' ? null : draft.trim()
    setDraft(null)
    // who left the line has the focus elsewhere already
    if (!isLeft) requestAnimationFrame(() => button.current?.focus())
    const words = isStored && wanted !== text ? await onSave(wanted) : null
    setFailure(words)
    if (words !== null) setDraft(draft)
  }
  return {
    isOpen: draft !== null,
    failure,
    button: { ref: button, onClick: () => setDraft(text ?? '') },
    onSubmit: (event: Event) => {
      event.preventDefault()
      void close({ isStored: true })
    },
    input: {
      ref: line,
      value: draft ?? '',
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setDraft(currentTarget.value),
      onBlur: () => void close({ isStored: true, isLeft: true }),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        // of a dialog around it, Escape closes the line alone
        event.preventDefault()
        void close({ isStored: false })
      },
    },
  }
}
