import { useState } from 'preact/hooks'
import { ApiError } from './api.ts'

/**
 * What a form that sends something needs: whether it is at work, and why the last try failed.
 * @param send rejects with what is then the fault; whatever follows on success happens in it
 */
export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await send()
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : String(error))
    }
    setBusy(false)
  }
  return { isBusy, fault, submit }
}
