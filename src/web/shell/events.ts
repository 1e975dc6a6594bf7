import { api } from '../api.ts'
import { forgetElsewhere, tellDone, tellProgress } from '../import/elsewhere.ts'
import { invalidate } from '../state.ts'
import { lookForUpdate } from './kept-page.ts'

/** Delay before views load again, so that many single imports do not each cause it. */
const SETTLE_MS = 600
const REOPEN_MS = 10_000

/**
 * Follows the events of the service and reloads affected views, so that imports of other windows appear.
 * @returns a function that ends it
 */
export function followEvents(): () => void {
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
  const opened = () => {
    // events are not sent again after a reconnect, and the service may have a new version
    if (wasOpen) {
      soon('/')
      forgetElsewhere()
      void lookForUpdate()
    }
    wasOpen = true
  }
  const end = lastingStream((source) => {
    source.addEventListener('open', opened)
    follow(source, soon)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

function follow(source: EventSource, soon: (...prefixes: readonly string[]) => void): void {
  for (const name of ['workout.created', 'workout.updated', 'workout.deleted', 'import.done']) {
    source.addEventListener(name, () => soon('/workouts', '/stats', '/shoes', '/training', '/settings/default-shoe'))
  }
  for (const name of ['shoe.created', 'shoe.updated', 'shoe.deleted']) {
    source.addEventListener(name, () => soon('/shoes', '/settings/default-shoe'))
  }
  for (const name of ['receipt.created', 'receipt.undone']) {
    source.addEventListener(name, () => soon('/receipts', '/trash'))
  }
  source.addEventListener('settings.updated', () => soon('/settings', '/shoes', '/stats', '/training'))
  source.addEventListener('watch_folder.updated', () => soon('/watch-folder'))
  source.addEventListener('training.updated', () => soon('/training', '/workouts/', '/settings/training'))
  source.addEventListener('import.progress', ({ data }: MessageEvent<string>) => tellProgress(JSON.parse(data)))
  source.addEventListener('import.done', () => soon('/auth/api-keys', '/share'))
  source.addEventListener('import.done', ({ data }: MessageEvent<string>) => tellDone(JSON.parse(data)))
}

/**
 * Reopens an event stream that was refused, as by a proxy without a running Harrier behind it, since browsers give up
 * then. @returns a function that ends it
 */
function lastingStream(onSource: (source: EventSource) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | null = null
  let isOver = false
  const open = () => {
    if (isOver) return
    const opening = new EventSource('/events')
    source = opening
    opening.addEventListener('error', () => {
      if (opening.readyState === EventSource.CLOSED && !isOver) openLater()
    })
    onSource(opening)
  }
  const openLater = () => {
    if (isOver) return
    timer = setTimeout(() => {
      // opens the login when the session has expired
      api.get('/settings/unit-preference').then(open, openLater)
    }, REOPEN_MS)
  }
  open()
  return () => {
    isOver = true
    clearTimeout(timer)
    source?.close()
  }
}
