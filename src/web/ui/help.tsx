import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface HelpProps {
  /** The term that is explained; it labels the button. */
  readonly about: string
  readonly children: ComponentChildren
}

/** A small button next to an unusual term; pressed, it shows an explanation. */
export function Help({ about, children }: HelpProps) {
  const id = useId()
  return (
    <>
      <button type="button" class="help bare" popoverTarget={id} aria-label={`What is ${about}?`}>
        <Icon name="info" class="help-icon" />
      </button>
      <div id={id} popover="auto" class="help-text" role="note">
        {children}
      </div>
    </>
  )
}
