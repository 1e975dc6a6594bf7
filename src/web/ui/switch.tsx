import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  /** It cannot be changed here; `children` state why. */
  readonly isFixed?: boolean
  readonly onTurn: (isOn: boolean) => void
  /** The effect of the switch. */
  readonly children: ComponentChildren
}

/** A setting that is on or off and takes effect at once, with an explanation. */
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
