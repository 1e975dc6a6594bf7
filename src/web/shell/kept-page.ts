import { toast } from '../ui/toast.tsx'

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
export async function lookForUpdate(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  // still unreachable: the browser tries again later
  await registration?.update().catch(() => {})
}

/** Resolves when the worker that controls this page is active. */
async function activated(worker: ServiceWorker | null): Promise<void> {
  if (worker === null || worker.state === 'activated') return
  await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
}

/** After a newer build took over: this page is outdated when its own script is no longer cached. */
async function offerReload(): Promise<void> {
  // the old cache is deleted only after the new worker took over
  await activated(navigator.serviceWorker.controller)
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  if (own === undefined || (await caches.match(own, { ignoreVary: true })) !== undefined) return
  toast('Harrier was updated', { label: 'Reload', run: () => location.reload() })
}
