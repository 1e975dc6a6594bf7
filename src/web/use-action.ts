import { useState } from 'preact/hooks'
import { failureText } from './api.ts'
import { toast } from './ui/toast.tsx'

/** Runs an action; a failure is shown as a toast. @param otherwise its text when the service gives no reason */
export async function attempt(action: () => Promise<unknown>, otherwise?: string): Promise<void> {
  await action().catch((error: unknown) => toast(failureText(error, otherwise)))
}

/** As `attempt`, for a button that is busy meanwhile. */
export function useAction(otherwise?: string) {
  const [isBusy, setBusy] = useState(false)
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await attempt(action, otherwise)
    setBusy(false)
  }
  return { isBusy, act }
}
