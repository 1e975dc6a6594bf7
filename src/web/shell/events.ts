import { bulkProgress } from '../import/queue.ts'
import { invalidate } from '../state.ts'

/** A mass of single imports would otherwise ask for everything again after each of them. */
const SETTLE_MS = 600

/**
 * Listens to what happens in the service and has the views ask again; imports in another window show up by themselves.
 * @returns a function that stops listening
 */
export function followEvents(): () => void {
  const source = new EventSource('/events')
  const due = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (...prefixes: readonly string[]) => {
    for (const prefix of prefixes) due.add(prefix)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const prefix of due) invalidate(prefix)
      due.clear()
    }, SETTLE_MS)
  }
  let wasOpen = false
  source.addEventListener('open', () => {
    // nothing is sent again after a reconnect
    if (wasOpen) soon('/')
    wasOpen = true
  })
  for (const name of ['workout.created', 'workout.updated', 'workout.deleted', 'import.done']) {
    source.addEventListener(name, () => soon('/workouts', '/stats', '/shoes', '/training', '/settings/default-shoe'))
  }
  for (const name of ['shoe.created', 'shoe.updated', 'shoe.deleted']) {
    source.addEventListener(name, () => soon('/shoes', '/settings/default-shoe'))
  }
  source.addEventListener('settings.updated', () => soon('/settings', '/shoes', '/stats', '/training'))
  source.addEventListener('training.updated', () => soon('/training', '/workouts/', '/settings/training'))
  source.addEventListener('import.progress', ({ data }: MessageEvent<string>) => bulkProgress(JSON.parse(data)))
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
