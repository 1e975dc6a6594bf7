/** Whether a key is text that is typed, or a command of the browser, and not a shortcut of the page. */
export function isTyping({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return true
  return target instanceof Element && target.closest('input:not(.run-check input), select, textarea, dialog') !== null
}
