import { affectedBy } from '../affects.ts'
import { knownMs, outdate, retryFailed } from '../answers.ts'
import { api } from '../api.ts'
import { showProgress } from '../import/drop.tsx'
import { lookForUpdate } from './kept-page.ts'

/** Delay before views load again, so that many single imports do not each cause it. */
const QUIET_MS = 600
const REOPEN_MS = 10_000
const EVENTS = [
  ...['workout.created', 'workout.updated', 'workout.deleted', 'shoe.created', 'shoe.updated', 'shoe.deleted'],
  ...[
    'receipt.created',
    'receipt.undone',
    'settings.updated',
    'watch_folder.updated',
    'training.updated',
    'ground.updated',
  ],
  'import.done',
]

/**
 * Follows the events of the service and reloads affected views, so that imports of other windows appear; reloads all
 * when the network or the service is back.
 * @returns a function that ends it
 */
export function followEvents(): () => void {
  /** Beginnings of outdated answers, and since when. */
  const due = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (beginnings: readonly string[], atMs: number) => {
    for (const beginning of beginnings) due.set(beginning, Math.max(atMs, due.get(beginning) ?? 0))
    timer ??= setTimeout(() => {
      timer = undefined
      // the window that made the change has loaded since
      for (const [beginning, atMs] of due) outdate([beginning], ({ askedMs }) => askedMs < atMs)
      due.clear()
    }, QUIET_MS)
  }
  const all = () => soon(['/'], performance.now())
  let wasOpen = false
  const opened = () => {
    // events are not sent again after a reconnect, and the service may have a new version
    if (wasOpen) {
      all()
      void lookForUpdate()
    } else retryFailed()
    wasOpen = true
  }
  const end = lastingStream((source) => {
    source.addEventListener('open', opened)
    for (const name of EVENTS) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        soon(affectedBy(name), knownMs(JSON.parse(data).id ?? '')),
      )
    }
    source.addEventListener('import.progress', ({ data }: MessageEvent<string>) => showProgress(JSON.parse(data)))
  })
  window.addEventListener('online', all)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', all)
    end()
  }
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
