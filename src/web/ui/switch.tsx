import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  /** It cannot be turned here; `children` say why. */
  readonly isFixed?: boolean
  readonly onTurn: (isOn: boolean) => void
  /** What turning it means. */
  readonly children: ComponentChildren
}

/** A row with something that is on or off at once, and what that means. */
export function Switch({ label, isOn, isFixed = false, onTurn, children }: SwitchProps) {
  const id = useId()
  return (
    <div class="switch-row">
      <label class="switch" for={id}>
        <span class="switch-name">{label}</span>
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isFixed}
          aria-describedby={`${id}-about`}
          onChange={(event) => onTurn(event.currentTarget.checked)}
        />
        <span class="switch-track" aria-hidden="true" />
      </label>
      <p class="muted small" id={`${id}-about`}>
        {children}
      </p>
    </div>
  )
}
