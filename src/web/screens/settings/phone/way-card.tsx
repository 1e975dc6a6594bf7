import type { ComponentChildren } from 'preact'
import type { Arrival } from '../../../types.ts'
import { Icon } from '../../../ui/icon.tsx'
import { arrivalWords } from './arrival-words.ts'

interface WayCardProps {
  readonly title: string
  readonly about: string
  /** null: nothing arrived yet. */
  readonly arrival: Arrival | null
  readonly children: ComponentChildren
}

/** One way for runs to arrive; folded it shows the last arrival. */
export function WayCard({ title, about, arrival, children }: WayCardProps) {
  return (
    <details class="way">
      <summary>
        <span class="key-text">
          <strong>{title}</strong>
          <span class="muted small">{arrival === null ? about : arrivalWords(arrival)}</span>
        </span>
        <Icon name="below" />
      </summary>
      <div class="form">
        {arrival !== null && <p>{about}</p>}
        {children}
      </div>
    </details>
  )
}

export function Steps({ steps }: { readonly steps: readonly ComponentChildren[] }) {
  return (
    <ol class="way-steps stack gap-2">
      {steps.map((step, place) => (
        <li key={place}>{step}</li>
      ))}
    </ol>
  )
}

/** Stays visible during the set-up and updates automatically. */
export function ArrivalLine({ arrival }: { readonly arrival: Arrival | null }) {
  const state = arrival === null ? 'waiting' : arrival.error === null ? 'good' : 'bad'
  const icons = { waiting: 'clock', good: 'check', bad: 'warning' } as const
  return (
    <div class={`notice ${state}`} role="status">
      <Icon name={icons[state]} />
      <div>{arrivalWords(arrival)}</div>
    </div>
  )
}
