import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/spinner.tsx'

interface LaterProps<P> {
  /** Asks for the code; the browser has it at the second time. */
  readonly load: () => Promise<ComponentType<P>>
  readonly props: P
  /** The view has taken its place. */
  readonly onShown?: () => void
}

/** A view whose code comes when it is first wanted, so that the first view does not wait for it. */
export function Later<P extends object>({ load, props, onShown }: LaterProps<P>) {
  const [View, setView] = useState<ComponentType<P> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    load().then(
      (loaded) => setView(() => loaded),
      () => setFailure('This part of the page could not be loaded. Reload the page to try again.'),
    )
  }, [])
  useEffect(() => {
    if (View !== null) onShown?.()
  }, [View])
  if (failure !== null) return <Empty icon="warning" title={failure} isView />
  if (View !== null) return <View {...props} />
  return (
    <div class="page">
      <Skeleton height="420px" />
    </div>
  )
}
