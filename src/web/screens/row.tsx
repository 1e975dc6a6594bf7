import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../ui/button.tsx'
import './settings/settings.css'

interface RowProps {
  readonly name: ComponentChildren
  /** Smaller lines below the name; null and false are left out. */
  readonly about?: readonly ComponentChildren[]
  readonly icon?: IconName
  /** It was taken back. */
  readonly isRevoked?: boolean
  /** It is not one of a list. */
  readonly isAlone?: boolean
  /** What can be done with it. */
  readonly children?: ComponentChildren
}

/** A line of a list of settings or changes. */
export function Row({ name, about = [], icon, isRevoked = false, isAlone = false, children }: RowProps) {
  const Tag = isAlone ? 'div' : 'li'
  return (
    <Tag class={`row flow spread ${isRevoked ? 'revoked' : ''}`}>
      {icon !== undefined && <Icon name={icon} />}
      <div class="key-text">
        {name}
        {about.map((line) => line && <span class="muted small">{line}</span>)}
      </div>
      {children}
    </Tag>
  )
}
