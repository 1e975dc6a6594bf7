import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface MedalProps {
  /** 1 to 3. */
  readonly place: number
  /** What it is given for, in words. */
  readonly children: ComponentChildren
}

/** One of the first three places. */
export function Medal({ place, children }: MedalProps) {
  return (
    <span class="medal">
      <Icon name="trophy" class={`medal-icon ${['first', 'second', 'third'][place - 1] ?? ''}`} />
      {children}
    </span>
  )
}
