import { useEffect, useState } from 'preact/hooks'
import { createStore, useStore } from '../store.ts'
import { Button } from './button.tsx'

interface ToastMessage {
  readonly id: number
  readonly text: string
  readonly action: { readonly label: string; readonly run: () => void } | null
}

const SHOWN_MS = 5000
/** Longer, so that there is time to press the action. */
const ACTION_MS = 8000
const messages = createStore<readonly ToastMessage[]>([])

/** Briefly shows that something was done; questions are dialogs, and errors appear where they occur. */
export function toast(text: string, action: ToastMessage['action'] = null): void {
  messages.set([...messages.get(), { id: Date.now() + Math.random(), text, action }].slice(-3))
}

function dismiss(id: number): void {
  messages.set(messages.get().filter((message) => message.id !== id))
}

function act({ id, action }: ToastMessage): void {
  dismiss(id)
  action?.run()
}

/** Container of the toasts; rendered once. Ctrl+Z undoes what the last one offers to undo. */
export function Toasts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      const last = messages.get().findLast(({ action }) => action?.label === 'Undo')
      if (!isUndo || isTyping || last === undefined) return
      event.preventDefault()
      act(last)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div class="toasts stack gap-2" role="status" aria-live="polite">
      {useStore(messages).map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  )
}

/** It stays while it is pointed at or focused. */
function Toast({ message }: { readonly message: ToastMessage }) {
  const { id, text, action } = message
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const timer = isHeld ? undefined : setTimeout(() => dismiss(id), action === null ? SHOWN_MS : ACTION_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  const [hold, release] = [() => setHeld(true), () => setHeld(false)]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stays while it is looked at; its buttons do the rest
    <div
      class="toast level gap-3 small"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <span>{text}</span>
      {action !== null && (
        <Button kind="quiet" size="small" onClick={() => act(message)}>
          {action.label}
        </Button>
      )}
      <Button kind="quiet" size="small" icon="close" aria-label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  )
}
