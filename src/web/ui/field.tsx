import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface InputProps {
  readonly label: string
  readonly hint?: ComponentChildren
  /** The error of the value; announced to screen readers. */
  readonly fault?: string | null
  /** A unit at the end of the field. */
  readonly suffix?: string
  /** A button at the end of the field. */
  readonly end?: ComponentChildren
  readonly value: string
  readonly onText: (value: string) => void
  readonly type?: 'text' | 'password' | 'number' | 'search' | 'date' | 'time' | 'datetime-local'
  readonly name?: string
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number | string
  readonly maxLength?: number
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'search'
  readonly autofocus?: boolean
  /** Names and passwords are taken literally: no automatic capital letters or corrections. */
  readonly isVerbatim?: boolean
  readonly onBlur?: () => void
}

/** A labelled input with its hint and its error. */
export function Field({ label, hint, fault = null, suffix, end, onText, isVerbatim = false, ...input }: InputProps) {
  const id = useId()
  const isDescribed = fault !== null || hint !== undefined
  // Preact's types distinguish every kind of input; what is passed here fits all of them
  const attributes = input as InputHTMLAttributes<HTMLInputElement>
  const line = (
    <input
      {...attributes}
      {...(isVerbatim ? { autocapitalize: 'none', autocorrect: 'off', spellcheck: false } : {})}
      id={id}
      class="input"
      aria-invalid={fault !== null}
      {...(isDescribed ? { 'aria-describedby': `${id}-about` } : {})}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {suffix === undefined && end === undefined ? (
        line
      ) : (
        <div class={end === undefined ? 'with-suffix' : 'with-end'}>
          {line}
          {suffix !== undefined && <span class="suffix">{suffix}</span>}
          {end}
        </div>
      )}
      {isDescribed && <About id={`${id}-about`} hint={hint} fault={fault} />}
    </div>
  )
}

interface AboutProps {
  readonly id: string
  readonly hint: ComponentChildren
  readonly fault: string | null
}

function About({ id, hint, fault }: AboutProps) {
  return (
    <div id={id} aria-live="polite">
      {fault === null ? (
        <span class="hint">{hint}</span>
      ) : (
        <span class="fault">
          <Icon name="warning" />
          {fault}
        </span>
      )}
    </div>
  )
}

interface SelectProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly onValue: (value: T) => void
  /** The label is only for screen readers. */
  readonly isLabelHidden?: boolean
  readonly disabled?: boolean
}

/** A choice of one option, as the system's select. */
export function Select<T extends string>({ label, value, options, onValue, isLabelHidden, disabled }: SelectProps<T>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden-text' : ''}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        value={value}
        disabled={disabled ?? false}
        onChange={(event) => {
          const chosen = options.find(([known]) => known === event.currentTarget.value)
          if (chosen !== undefined) onValue(chosen[0])
        }}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

interface SegmentsProps<T extends string> {
  readonly legend: string
  readonly value: T
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly onValue: (value: T) => void
}

/** A choice of one of two or three visible options. */
export function Segments<T extends string>({ legend, value, options, onValue }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div class="segments" role="radiogroup" aria-label={legend}>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => onValue(key)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  )
}

interface CheckProps {
  readonly checked: boolean
  readonly onValue: (checked: boolean) => void
  readonly children: ComponentChildren
}

export function Check({ checked, onValue, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onValue(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  )
}
