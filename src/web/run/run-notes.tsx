import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/empty.tsx'
import { LinkedText } from '../ui/linked-text.tsx'
import './run-head.css'

interface RunNotesProps {
  readonly notes: string | null
  /** The form is open at first. */
  readonly isOpened?: boolean
  readonly onSave: (notes: string | null) => Promise<string | null>
}

/** The runner's notes. A text that could not be stored stays in its field. */
export function RunNotes({ notes, isOpened = false, onSave }: RunNotesProps) {
  const [draft, setDraft] = useState<string | null>(isOpened ? (notes ?? '') : null)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isOpen = draft !== null
  // before anything can be typed
  useLayoutEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  if (draft === null) {
    const edit = () => setDraft(notes ?? '')
    if (notes === null) {
      return (
        <button type="button" class="run-notes empty-notes muted small" onClick={edit}>
          Add notes
        </button>
      )
    }
    return (
      <div class="run-notes">
        <LinkedText text={notes} />
        <Button kind="quiet" size="small" icon="edit" aria-label="Edit notes" onClick={edit} />
      </div>
    )
  }
  const save = async () => {
    const text = draft.trim() === '' ? null : draft
    setDraft(null)
    const words = text === notes ? null : await onSave(text)
    setFailure(words)
    if (words !== null) setDraft(draft)
  }
  return (
    <form
      class="run-notes-form stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        ref={field}
        class="input"
        aria-label="Notes"
        rows={4}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save()
        }}
      />
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="actions start">
        <Button kind="primary" size="small" type="submit">
          Save notes
        </Button>
        <Button size="small" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
