import type { ImportProgress } from '../../base/events.ts'
import { failureText } from '../api.ts'
import { createStore, useStore } from '../store.ts'
import { toast } from '../ui/toast.tsx'

/** Whether something is or was imported here; most visits need neither the tray nor the queue. */
const isWanted = createStore(false)

export function useHasImports(): boolean {
  return useStore(isWanted)
}

/** Adds files; they are uploaded one by one, so that each has its own answer. */
export async function addFiles(files: readonly File[]): Promise<void> {
  try {
    const queue = await import('./queue.ts')
    isWanted.set(true)
    await queue.addFiles(files)
  } catch (error) {
    toast(failureText(error))
  }
}

/** Shows why nothing was imported of files that a phone shared. @param query of the address */
export async function showShared(query: URLSearchParams): Promise<void> {
  const shared = await import('./shared.ts')
  isWanted.set(true)
  await shared.showShared(query)
}

/** Shows a progress event of an import; those of other windows are not shown. */
export function showProgress(stated: ImportProgress): void {
  if (isWanted.get()) void import('./queue.ts').then(({ ownProgress }) => ownProgress(stated))
}
