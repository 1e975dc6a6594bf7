import { useEffect } from 'preact/hooks'
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
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Briefly shows that something was done; questions are dialogs, and errors appear where they occur. */
export function toast(text: string, action: ToastMessage['action'] = null): void {
  const message = { id: Date.now() + Math.random(), text, action }
  messages.set([...messages.get(), message].slice(-3))
  passOn(message)
}

function passOn({ id, action }: ToastMessage): void {
  hold(id)
  timers.set(
    id,
    setTimeout(() => dismiss(id), action === null ? SHOWN_MS : ACTION_MS),
  )
}

/** Keeps it visible while it is pointed at or focused. */
function hold(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

function dismiss(id: number): void {
  hold(id)
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
        // biome-ignore lint/a11y/noStaticElementInteractions: it stays while it is looked at; its buttons do the rest
        <div
          class="toast level gap-3 small"
          key={message.id}
          onMouseEnter={() => hold(message.id)}
          onMouseLeave={() => passOn(message)}
          onFocusIn={() => hold(message.id)}
          onFocusOut={() => passOn(message)}
        >
          <span>{message.text}</span>
          {message.action !== null && (
            <Button kind="quiet" size="small" onClick={() => act(message)}>
              {message.action.label}
            </Button>
          )}
          <Button kind="quiet" size="small" icon="close" aria-label="Dismiss" onClick={() => dismiss(message.id)} />
        </div>
      ))}
    </div>
  )
}
