import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './empty.tsx'
import { toast } from './toast.tsx'

export interface LazyProps<P extends object> {
  /** Loads the component; called once. */
  readonly load: () => Promise<ComponentType<P>>
  readonly props: P
  /** Content until then; with the error when it could not be loaded. */
  readonly waiting: (failure: string | null) => ComponentChildren
  /** Called when the component is rendered. */
  readonly onShown?: () => void
}

/** A component whose code is loaded when it is first shown. */
export function Lazy<P extends object>({ load, props, waiting, onShown }: LazyProps<P>) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => setFailure('Couldn’t load this part of the page. Reload to try again.'),
    )
  }, [])
  useEffect(() => {
    if (Part !== null) onShown?.()
  }, [Part])
  if (Part === null) return waiting(failure)
  return <Part {...props} />
}

/** What waits for a dialog: nothing, but a message when it cannot be loaded. */
export function failureToast(failure: string | null): null {
  if (failure !== null) toast(failure)
  return null
}

/** The same, for what is shown within the view. */
export function failureNotice(failure: string | null) {
  return failure !== null && <Notice kind="bad">{failure}</Notice>
}
