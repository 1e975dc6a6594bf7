import type { Event } from '../../base/events.ts'
import { api } from '../api.ts'
import { showProgress } from '../import/drop.tsx'
import { outdate, retryFailed } from '../store.ts'
import { toast } from '../ui/toast.tsx'

/** Delay before views load again, so that many single imports do not each cause it. */
const QUIET_MS = 600
const REOPEN_MS = 10_000
/** Events after which something shown may be another; the compiler says when one is missing. */
const CHANGES: Readonly<Record<Exclude<Event['event'], 'import.progress' | 'credentials.changed'>, true>> = {
  ...{ 'workout.created': true, 'workout.updated': true, 'workout.deleted': true },
  ...{ 'shoe.created': true, 'shoe.updated': true, 'shoe.deleted': true },
  ...{ 'receipt.created': true, 'receipt.undone': true, 'import.done': true },
  ...{ 'settings.updated': true, 'training.updated': true, 'watch_folder.updated': true, 'ground.updated': true },
}

/**
 * Follows the events of the service and reloads what is shown, so that imports of other windows appear; the same
 * when the network or the service is back.
 * @returns a function that ends it
 */
export function followEvents(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let atMs = 0
  const soon = () => {
    atMs = performance.now()
    timer ??= setTimeout(() => {
      timer = undefined
      // what was asked since is current, as in the window that made the change
      outdate(({ askedMs }) => askedMs < atMs)
    }, QUIET_MS)
  }
  let wasOpen = false
  const opened = () => {
    // events are not sent again after a reconnect, and the service may have a new version
    if (wasOpen) {
      soon()
      void lookForUpdate()
    } else retryFailed()
    wasOpen = true
  }
  const end = lastingStream((source) => {
    source.addEventListener('open', opened)
    for (const name of Object.keys(CHANGES)) source.addEventListener(name, soon)
    source.addEventListener('import.progress', ({ data }: MessageEvent<string>) => showProgress(JSON.parse(data)))
  })
  window.addEventListener('online', soon)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', soon)
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

/**
 * Registers the service worker that caches the page, so that it opens even when the service cannot be reached. Browsers
 * allow that only over https and on localhost.
 */
export function keepPage(): void {
  if (!('serviceWorker' in navigator)) return
  const container = navigator.serviceWorker
  container.addEventListener('controllerchange', () => void offerReload())
  // after the first view has loaded, so that it does not compete with it
  const register = () => {
    container.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => {
      // without a service worker, as in private windows, the page works all the same
    })
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}

/** Looks for a newer build after the service was unreachable. */
async function lookForUpdate(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  // still unreachable: the browser tries again later
  await registration?.update().catch(() => {})
}

/** After a newer build took over: this page is outdated when its own script is no longer cached. */
async function offerReload(): Promise<void> {
  const worker = navigator.serviceWorker.controller
  // the old cache is deleted only after the new worker took over
  if (worker !== null && worker.state !== 'activated') {
    await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
  }
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  if (own === undefined || (await caches.match(own, { ignoreVary: true })) !== undefined) return
  toast('Harrier was updated', { label: 'Reload', run: () => location.reload() })
}
