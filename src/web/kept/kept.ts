import { createStore } from '../store.ts'
import { KEPT_CACHE, KEPT_KEY } from './names.ts'

// What the first load needs for reading offline: whether the runner wants it, and whether the service is away now.

/** When the oldest answer shown now was kept, milliseconds; null: the service answers. */
export const offlineSince = createStore<number | null>(null)

/** Browsers keep answers over https alone, and on localhost. */
export const canKeep = () => window.isSecureContext && 'caches' in window
export const isKeeping = () => canKeep() && localStorage.getItem(KEPT_KEY) !== null

const part = () => import('./answers.ts')

/** Keeps an answer when the runner wants it and it is one of those that may be kept. */
export async function keepAnswer(path: string, text: string): Promise<void> {
  if (isKeeping()) await (await part()).keep(path, text)
}

/** The answer as it was kept, which the page is then shown from; null: it is not on this device. */
export async function keptAnswer(path: string): Promise<string | null> {
  if (!isKeeping()) return null
  const kept = await (await part()).read(path)
  if (kept === null) return null
  offlineSince.set(Math.min(kept.atMs, offlineSince.get() ?? kept.atMs))
  return kept.text
}

/** Deletes everything kept, and ends keeping. */
export async function forgetKept(): Promise<void> {
  offlineSince.set(null)
  localStorage.removeItem(KEPT_KEY)
  if (canKeep()) await caches.delete(KEPT_CACHE)
}

/** Deletes what is kept for another user. */
export async function keepOnlyFor(userId: string): Promise<void> {
  const kept = localStorage.getItem(KEPT_KEY)
  if (kept !== null && JSON.parse(kept).userId !== userId) await forgetKept()
}
