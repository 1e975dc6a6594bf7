import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * A text edited in place: a button that becomes an input. Enter or leaving it stores, Escape discards.
 * @param onSave stores the text; resolves to an error message, with which the input opens again, or null
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
    // closing the input removes its focus, which must not store a discarded text
    if (draft === null || !isOpen.current) return
    isOpen.current = false
    const wanted = draft.trim() === '' ? null : draft.trim()
    setDraft(null)
    // after leaving the input the focus is elsewhere already
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
        // Escape must close only the input, not the dialog around it
        event.preventDefault()
        void close({ isStored: false })
      },
    },
  }
}
