import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface HelpProps {
  /** What is explained: it names the button. */
  readonly about: string
  readonly children: ComponentChildren
}

/** A small button beside a word that not everyone knows; pressed, it says what the word means. */
export function Help({ about, children }: HelpProps) {
  const id = useId()
  return (
    <>
      <button type="button" class="help" popoverTarget={id} aria-label={`What is ${about}?`}>
        <Icon name="info" class="help-icon" />
      </button>
      <div id={id} popover="auto" class="help-text" role="note">
        {children}
      </div>
    </>
  )
}
