import { Empty } from '../ui/empty.tsx'
import { Lazy, type LazyProps } from '../ui/lazy.tsx'
import { Skeleton } from '../ui/spinner.tsx'

/** A view whose code is loaded when it is first opened, so that the first view loads faster. */
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
