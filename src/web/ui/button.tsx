import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

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
  const classes = `button ${kind} ${size} ${children === undefined ? 'icon-only' : ''}`
  return (
    <button type="button" {...rest} class={classes} disabled={rest.disabled === true || isBusy}>
      {isBusy ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Work of unknown length within a button or a line; whole views use skeletons. */
export function Spinner() {
  return <span class="spinner" aria-hidden="true" />
}

/** A placeholder of the size of the content that is loading. */
export function Skeleton({ width = '100%', height }: { readonly width?: string; readonly height: string }) {
  return <span class="skeleton" style={{ width, height }} aria-hidden="true" />
}

/** Placeholders for lines of a list. */
export function SkeletonLines({ count, height }: { readonly count: number; readonly height: string }) {
  return (
    <div class="stack">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </div>
  )
}

/** Line drawings on a grid of 24 by 24. */
const PATHS = {
  dashboard: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  runs: 'M5 19c4 0 3-6 7-6s2-7 7-8M5 19a1.6 1.6 0 1 0 0-.01M19 5a1.6 1.6 0 1 0 0-.01',
  training: 'M4 20V13M9.300 20V9M14.700 20v-5M20 20V5',
  stats: 'M4 20h16M7 16v-5M12 16V5M17 16V9',
  place: 'M12 21c4-5 6-8 6-11a6 6 0 0 0-12 0c0 3 2 6 6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  shoes: 'M3 16v-5l3 1.5c2 1 3-.5 3.500-3L13 13c2 1.500 8 .5 8 4v1H3zM3 18v1.500h18V18',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  upload: 'M12 16V5M7.500 9.500 12 5l4.500 4.500M5 19h14',
  download: 'M12 5v11M7.500 11.500 12 16l4.500-4.500M5 19h14',
  share:
    'M6.500 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM17 8.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM17 20.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8.700 10.700l6.100-3.400M8.700 13.300l6.100 3.400',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500 20 20',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  section: 'M7 5v14M17 5v14M7 12h10',
  whole: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  check: 'M5 12.500 10 17.500 19 7',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  undo: 'M8.500 5 4 9.500 8.500 14M4 9.500h10a5.500 5.500 0 0 1 0 11h-4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6',
  star: 'M12 4l2.400 5 5.600.700-4.100 3.800 1.100 5.500-5-2.700-5 2.700 1.100-5.500L4 9.700 9.600 9z',
  warning: 'M12 4 2.500 20h19zM12 10v4.500M12 17.500v.01',
  info: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 11v5M12 8v.01',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  left: 'M14.500 6 8.500 12l6 6',
  right: 'M9.500 6l6 6-6 6',
  below: 'M6 9.500l6 6 6-6',
  above: 'M6 14.500l6-6 6 6',
  dot: 'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  up: 'M12 19V5M6.500 10.500 12 5l5.500 5.500',
  down: 'M12 5v14M6.500 13.500 12 19l5.500-5.500',
  more: 'M5.500 12h.01M12 12h.01M18.500 12h.01',
  filter: 'M4 7h16M7 12h10M10 17h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  logout: 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9M18 12v3.500M15 12v2.500',
  heart: 'M12 20C5 15 3.500 12 3.500 9A4.200 4.200 0 0 1 12 7.500 4.200 4.200 0 0 1 20.500 9c0 3-1.500 6-8.500 11z',
  wind: 'M3 9h11a2.500 2.500 0 1 0-2.300-3.500M3 13h15a2.500 2.500 0 1 1-2.300 3.500M3 17h7',
  snow: 'M12 3v18M4.200 7.500l15.600 9M19.800 7.500l-15.600 9M9.500 4.500 12 7l2.500-2.500M9.500 19.500 12 17l2.500 2.500',
  drop: 'M12 3.500c3.500 4.500 5.500 7.300 5.500 10.200a5.500 5.500 0 0 1-11 0c0-2.900 2-5.700 5.500-10.200z',
  file: 'M6 3.500h8l4 4v13H6zM14 3.500v4h4',
  archive: 'M4 5h16v4H4zM5.500 9v10.500h13V9M10 13h4',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 7.500V12l3 2',
  streets: 'M9 4 4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14',
  mountain: 'M3 19 9.500 7l4 7 2.500-3.500L21 19z',
  flame: 'M12 20.500c-3.600 0-6-2.300-6-5.500 0-4.500 5-6 5-11.500 3.500 2 7 6 7 10.500 0 4-2.400 6.500-6 6.500z',
  trophy: 'M8 4h8v6a4 4 0 0 1-8 0zM8 6H4.500c0 3 1 5 3.500 5M16 6h3.500c0 3-1 5-3.500 5M12 14v4M8.500 20h7M10 18h4',
} as const

export type IconName = keyof typeof PATHS

/** An icon next to a text or in a labelled button; hidden from screen readers. */
export function Icon({ name, class: added = '' }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={added === '' ? 'icon' : `icon ${added}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
