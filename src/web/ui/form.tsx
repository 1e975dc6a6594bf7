import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { Button, Icon } from './button.tsx'
import { Notice } from './loaded.tsx'

interface FormProps {
  /** Rejects with an error to display; on success it does what follows. */
  readonly onSend: () => Promise<void>
  /** Label of the submit button. */
  readonly action: string
  /** The button is the primary one of the view. */
  readonly isPrimary?: boolean
  readonly isDangerous?: boolean
  /** The button is as wide as the form. */
  readonly isWide?: boolean
  /** The input is not complete, so it cannot be submitted. */
  readonly isIncomplete?: boolean
  /** For a form in a dialog. */
  readonly onCancel?: () => void
  readonly children: ComponentChildren
}

/** Fields, the submit button, and the error of the last attempt. */
export function Form(props: FormProps) {
  const { onSend, action, isPrimary = false, isDangerous = false, isWide = false, isIncomplete = false } = props
  const { onCancel, children } = props
  const { isBusy, fault, submit } = useSubmit(onSend)
  const button = (
    <Button
      kind={isDangerous ? 'primary danger' : isPrimary ? 'primary' : 'plain'}
      type="submit"
      isBusy={isBusy}
      disabled={isIncomplete}
    >
      {action}
    </Button>
  )
  return (
    <form class="form" onSubmit={submit}>
      {children}
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      {isWide ? (
        button
      ) : (
        <div class={onCancel === undefined ? 'actions start' : 'actions'}>
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
          {button}
        </div>
      )}
    </form>
  )
}

/**
 * State of a form: whether it is being submitted, and the error of the last attempt.
 * @param send rejects with an error to display; on success it does what follows
 */
export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await send()
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return { isBusy, fault, submit }
}

interface Options<V> {
  /** Why a value can't be sent, by field; null: it can. */
  readonly rules?: { readonly [K in keyof V]?: (value: V[K]) => string | null }
  /** Sends the values; rejects with an error to display. */
  readonly send?: (values: V) => Promise<void>
}

/** The fields of a form as one record: values as typed, faults, what was changed, and what the form sends. */
export function useFields<V extends object>(start: V, { rules = {}, send = async () => {} }: Options<V> = {}) {
  const [first] = useState(start)
  const [values, setValues] = useState(first)
  const set = (change: Partial<V>) => setValues((now) => ({ ...now, ...change }))
  const put = <K extends keyof V>(name: K, value: V[K]) => set({ [name]: value } as unknown as Partial<V>)
  const faultOf = <K extends keyof V>(name: K) => rules[name]?.(values[name]) ?? null
  const isChanged = (name: keyof V) => values[name] !== first[name]
  const isValid = (Object.keys(first) as (keyof V)[]).every((name) => faultOf(name) === null)
  return {
    values,
    set,
    isChanged,
    isValid,
    /** Of a text field; its fault is shown once it was changed. */
    field: <K extends keyof V>(name: K) => ({
      value: values[name],
      onText: (value: V[K]) => put(name, value),
      fault: isChanged(name) ? faultOf(name) : null,
    }),
    choice: <K extends keyof V>(name: K) => ({ value: values[name], onValue: (value: V[K]) => put(name, value) }),
    form: { isIncomplete: !isValid, onSend: () => send(values) },
  }
}

type Passed = 'name' | 'autocomplete' | 'placeholder' | 'required' | 'min' | 'max' | 'step' | 'maxLength' | 'inputMode'

interface InputProps extends Readonly<Pick<InputHTMLAttributes<HTMLInputElement>, Passed | 'autofocus'>> {
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
          {suffix !== undefined && <span class="suffix level muted small">{suffix}</span>}
          {end}
        </div>
      )}
      {isDescribed && (
        <div id={`${id}-about`} aria-live="polite">
          {fault === null ? (
            <span class="muted small">{hint}</span>
          ) : (
            <span class="level bad small">
              <Icon name="warning" />
              {fault}
            </span>
          )}
        </div>
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
}

/** A choice of one option, as the system's select. */
export function Select<T extends string>({ label, value, options, onValue, isLabelHidden }: SelectProps<T>) {
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
          <span class="level muted small">{text}</span>
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

interface PasswordFieldProps {
  readonly label?: string
  /** `current` is filled in by the browser, `new` may be generated by it. */
  readonly kind: 'current' | 'new'
  readonly name?: string
  readonly value: string
  readonly onText: (value: string) => void
  readonly autofocus?: boolean
}

/** A password that can be made visible, since long ones are often mistyped. */
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
        <button
          type="button"
          class="field-end bare muted small bold"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}

/** The name of the account. */
export function UsernameField(field: Pick<PasswordFieldProps, 'value' | 'onText'>) {
  return (
    <Field
      {...field}
      label="Username"
      name="username"
      autocomplete="username"
      required
      isVerbatim
      maxLength={LENGTHS.username}
    />
  )
}

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
    <div>
      <label class="switch level spread gap-4" for={id}>
        <span class="bold">{label}</span>
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
      </label>
      <p class="muted small" id={`${id}-about`}>
        {children}
      </p>
    </div>
  )
}
