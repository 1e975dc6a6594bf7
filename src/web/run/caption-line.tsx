import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../ui/Icon.tsx'

/** Code points, as the service counts. */
export const CAPTION_LENGTH = 1000

interface CaptionLineProps {
  readonly caption: string | null
  /** Stores it; the words of the failure, or null. */
  readonly onSave: (caption: string | null) => Promise<string | null>
}

/** A caption that is changed where it stands: Enter or leaving the line stores, Escape leaves it as it was. */
export function CaptionLine({ caption, onSave }: CaptionLineProps) {
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
  const close = async (isStored: boolean) => {
    // a line that goes away loses its focus as well, which must not store what was just discarded
    if (draft === null || !isOpen.current) return
    isOpen.current = false
    const wanted = draft.trim() === '' ? null : draft.trim()
    setDraft(null)
    requestAnimationFrame(() => button.current?.focus())
    const words = isStored && wanted !== caption ? await onSave(wanted) : null
    setFailure(words)
    if (words !== null) setDraft(draft)
  }
  if (draft === null) {
    return (
      <p class="lightbox-caption">
        <button type="button" ref={button} onClick={() => setDraft(caption ?? '')}>
          {caption ?? <span class="caption-none">Add a caption</span>}
          <Icon name="edit" />
          {caption !== null && <span class="hidden-text"> – edit the caption</span>}
        </button>
      </p>
    )
  }
  return (
    <form
      class="lightbox-caption"
      onSubmit={(event) => {
        event.preventDefault()
        void close(true)
      }}
    >
      <input
        ref={line}
        aria-label="Caption"
        placeholder="Caption"
        value={draft}
        maxLength={CAPTION_LENGTH}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => void close(true)}
        onKeyDown={(event) => {
          // the arrow keys move in the line, not to the next picture, and Escape closes the line alone
          event.stopPropagation()
          if (event.key !== 'Escape') return
          event.preventDefault()
          void close(false)
        }}
      />
      {failure !== null && <span role="alert">{failure}</span>}
    </form>
  )
}
