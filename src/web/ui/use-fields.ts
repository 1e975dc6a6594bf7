import { useState } from 'preact/hooks'

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
