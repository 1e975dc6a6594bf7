import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Resource } from '../state.ts'
import { retryFailed } from '../store.ts'
import { Button, Icon, type IconName, Skeleton, SkeletonLines } from './button.tsx'
import { toast } from './toast.tsx'

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
  /** It is the only content of the view, so its title is the view's heading. */
  readonly isView?: boolean
}

/** Shown where there is no content yet, with what to do about it. */
export function Empty({ icon, title, children, action, isView = false }: EmptyProps) {
  return (
    <div class="empty stack">
      <Icon name={icon} />
      {isView ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <p class="muted">{children}</p>}
      {action}
    </div>
  )
}

interface NoticeProps {
  readonly kind?: 'plain' | 'bad'
  readonly icon?: IconName
  readonly children: ComponentChildren
}

/** A message within a view; an error is announced to screen readers at once. */
export function Notice({ kind = 'plain', icon = kind === 'bad' ? 'warning' : 'info', children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} {...(kind === 'bad' ? { role: 'alert' as const } : {})}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}

/** Shown instead of a part that could not be loaded. */
export function LoadFailure({ message }: { readonly message: string }) {
  return (
    <Notice kind="bad">
      {message}{' '}
      <Button kind="quiet" size="small" onClick={retryFailed}>
        Try again
      </Button>
    </Notice>
  )
}

interface PendingProps {
  /** Why nothing came; null: it is loading. */
  readonly error: { readonly message: string } | null
  /** Of one line. */
  readonly height: string
  readonly count?: number
}

/** Stands for content that is loading, in its size, or could not be loaded. */
export function Pending({ error, height, count = 1 }: PendingProps) {
  return error === null ? <SkeletonLines count={count} height={height} /> : <LoadFailure message={error.message} />
}

interface LoadedProps<T> extends Omit<PendingProps, 'error'> {
  /** What `useResource` gives. */
  readonly of: Pick<Resource<T>, 'data' | 'error'>
  readonly children: (data: T) => ComponentChildren
}

/** What is made of an answer; until it is there its place, or why it did not come. */
export function Loaded<T>({ of: { data, error }, children, ...place }: LoadedProps<T>) {
  return data === null ? <Pending error={error} {...place} /> : children(data)
}

interface LazyProps<P extends object> {
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

/** A view whose code is loaded when it is first opened, so that the first view loads faster. */
export function LazyView<P extends object>(props: Omit<LazyProps<P>, 'waiting'>) {
  const waiting = (failure: string | null) =>
    failure === null ? (
      <div class="page">
        <Skeleton height="420px" />
      </div>
    ) : (
      <Empty icon="warning" title={failure} isView />
    )
  return <Lazy {...props} waiting={waiting} />
}
