import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface MedalProps {
  /** 1 to 3. */
  readonly place: number
  /** What it is given for, as text. */
  readonly children: ComponentChildren
}

/** A medal for one of the first three places. */
export function Medal({ place, children }: MedalProps) {
  return (
    <span class="medal" style={{ '--medal': `var(--${['gold', 'silver', 'bronze'][place - 1]})` }}>
      <Icon name="trophy" class="medal-icon" />
      {children}
    </span>
  )
}

/** Beside an effort that is much faster than all others. */
export function Unconfirmed() {
  return (
    <span class="badge" title="Unusually fast. Open the run to confirm it">
      Unconfirmed
    </span>
  )
}
