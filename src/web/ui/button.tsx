import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { Spinner } from './spinner.tsx'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'type' | 'disabled' | 'class'> & {
  /** At most one `primary` per view; `quiet` has no border. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger' | 'primary danger'
  readonly size?: 'normal' | 'small'
  readonly icon?: IconName
  /** In progress: shows a spinner and cannot be pressed. */
  readonly isBusy?: boolean
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly children?: ComponentChildren
}

/** A button; without children it needs an `aria-label`. */
export function Button({ kind = 'plain', size = 'normal', icon, isBusy = false, children, ...rest }: ButtonProps) {
  const isIconOnly = children === undefined
  const classes = [
    'button',
    kind === 'plain' ? '' : kind,
    size === 'small' ? 'small' : '',
    isIconOnly ? 'icon-only' : '',
  ]
  return (
    <button
      type="button"
      {...rest}
      class={classes.filter((name) => name !== '').join(' ')}
      disabled={rest.disabled === true || isBusy}
    >
      {isBusy ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}
