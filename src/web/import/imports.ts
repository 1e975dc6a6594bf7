import type { ImportProgress } from '../../base/events.ts'
import { failureText } from '../api.ts'
import { createStore, useStore } from '../store.ts'
import { toast } from '../ui/toast.tsx'
import type { ImportDone } from './elsewhere.ts'
import { LEFT } from './left.ts'

/** Whether something is or was imported here or elsewhere; most visits need neither the tray nor the queue. */
const isWanted = createStore(sessionStorage.getItem(LEFT) !== null)

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

/** Shows a progress event of an import of any client. */
export function showProgress(stated: ImportProgress): void {
  isWanted.set(true)
  elsewhere((imports) => imports.showProgress(stated))
}

/** Shows the end event of an import of any client. */
export function showDone(stated: ImportDone): void {
  isWanted.set(true)
  elsewhere((imports) => imports.showDone(stated))
}

/** Clears running imports of other clients after the event stream was interrupted. */
export function forgetElsewhere(): void {
  if (isWanted.get()) elsewhere((imports) => imports.forgetElsewhere())
}

type ElsewhereCode = typeof import('./elsewhere.ts')
const code: { loading: Promise<ElsewhereCode> | null } = { loading: null }

/** Without its code, imports of other clients are not shown. */
function elsewhere(act: (imports: ElsewhereCode) => void): void {
  // one promise keeps events in order; of two imports of a part that is on its way the later one may be there first
  code.loading ??= import('./elsewhere.ts')
  code.loading.then(act, () => {
    code.loading = null
  })
}
