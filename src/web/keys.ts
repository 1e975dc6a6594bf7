import { useEffect } from 'preact/hooks'

/** Whether a key is text that is typed, or a command of the browser, and not a shortcut of the page. */
export function isTyping({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return true
  return target instanceof Element && target.closest('input:not(.run-check input), select, textarea, dialog') !== null
}

/** Follows the keys that are pressed anywhere but in what is typed. */
export function useShortcuts(onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => !isTyping(event) && onKey(event)
    window.addEventListener('keydown', follow)
    return () => window.removeEventListener('keydown', follow)
  })
}
