import type { ComponentChildren } from 'preact'
import { retryFailed } from '../answers.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { SkeletonLines } from './spinner.tsx'

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
    <div class="empty">
      <Icon name={icon} />
      {isView ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <p>{children}</p>}
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
