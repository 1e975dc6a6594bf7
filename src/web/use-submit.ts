import { useState } from 'preact/hooks'

/**
 * State of a form: whether it is being submitted, and the error of the last attempt.
 * @param send rejects with an error to display; on success it does what follows
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
      setFault(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return { isBusy, fault, submit }
}
