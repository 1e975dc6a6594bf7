import { toast } from '../ui/toast.tsx'

/**
 * Has the browser keep the page, so that it opens where the service cannot be reached. Browsers do that only over https and on the machine itself.
 */
export function keepPage(): void {
  if (!('serviceWorker' in navigator)) return
  const container = navigator.serviceWorker
  container.addEventListener('controllerchange', () => void tellWhenOutdated())
  // the first view does not wait for it, nor share the line with it
  const register = () => {
    container.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => {
      // a browser that keeps nothing, as in private windows, shows the page all the same
    })
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}

/** Asks for a newer build, after the service was away. */
export async function lookForUpdate(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  // away once more: the browser asks again by itself
  await registration?.update().catch(() => {})
}

/** The worker that controls this page has put everything in its place. */
async function activated(worker: ServiceWorker | null): Promise<void> {
  if (worker === null || worker.state === 'activated') return
  await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
}

/** A newer build took over; this page is one of before when its own script is kept no more. */
async function tellWhenOutdated(): Promise<void> {
  // it throws away what the older one kept only after it took over
  await activated(navigator.serviceWorker.controller)
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  if (own === undefined || (await caches.match(own, { ignoreVary: true })) !== undefined) return
  toast('Harrier was updated', { label: 'Reload', run: () => location.reload() })
}
