import { useState } from 'preact/hooks'
import { Field } from './field.tsx'

interface PasswordFieldProps {
  readonly label?: string
  /** `current` is filled in by the browser, `new` may be made up by it. */
  readonly kind: 'current' | 'new'
  readonly name?: string
  readonly value: string
  readonly onText: (value: string) => void
  readonly autofocus?: boolean
}

/** A password that can be looked at: sixteen characters typed blindly are often wrong. */
export function PasswordField({ label = 'Password', kind, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...field}
      label={label}
      type={isShown ? 'text' : 'password'}
      autocomplete={`${kind}-password`}
      required
      isVerbatim
      end={
        <button type="button" class="field-end" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
