import { createStore, useStore } from '../store.ts'
import { Button } from './button.tsx'

interface ToastMessage {
  readonly id: number
  readonly text: string
  readonly action: { readonly label: string; readonly run: () => void } | null
}

const SHOWN_MS = 5000
const messages = createStore<readonly ToastMessage[]>([])

/** Tells in passing that something was done; what needs an answer is a dialog, what failed stands where it failed. */
export function toast(text: string, action: ToastMessage['action'] = null): void {
  const id = Date.now() + Math.random()
  messages.set([...messages.get(), { id, text, action }].slice(-3))
  setTimeout(() => dismiss(id), SHOWN_MS)
}

function dismiss(id: number): void {
  messages.set(messages.get().filter((message) => message.id !== id))
}

/** Where toasts appear; rendered once. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(messages).map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== null && (
            <Button
              kind="quiet"
              size="small"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" size="small" icon="close" aria-label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
