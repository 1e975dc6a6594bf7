import { Empty } from '../ui/empty.tsx'
import { Lazy, type LazyProps } from '../ui/lazy.tsx'
import { Skeleton } from '../ui/spinner.tsx'

/** A whole view whose code comes when it is first wanted, so that the first view does not wait for it. */
export function LazyView<P extends object>(props: Omit<LazyProps<P>, 'waiting'>) {
  return <Lazy {...props} waiting={waiting} />
}

function waiting(failure: string | null) {
  if (failure !== null) return <Empty icon="warning" title={failure} isView />
  return (
    <div class="page">
      <Skeleton height="420px" />
    </div>
  )
}
