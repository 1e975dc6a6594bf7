import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export interface LazyProps<P extends object> {
  /** Fetches the part; called once. */
  readonly load: () => Promise<ComponentType<P>>
  readonly props: P
  /** What stands there until then; with words when it could not be fetched. */
  readonly waiting: (failure: string | null) => ComponentChildren
  /** The part has taken its place. */
  readonly onShown?: () => void
}

/** A part of the page that is fetched when it is first shown. */
export function Lazy<P extends object>({ load, props, waiting, onShown }: LazyProps<P>) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => setFailure('This part of the page could not be loaded. Reload the page to try again.'),
    )
  }, [])
  useEffect(() => {
    if (Part !== null) onShown?.()
  }, [Part])
  if (Part === null) return waiting(failure)
  return <Part {...props} />
}
