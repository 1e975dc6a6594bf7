import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Quantity } from '../format.ts'

interface CardProps {
  readonly title: string
  /** Content at the right end of the title line. */
  readonly aside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** A titled part of a view. */
export function Card({ title, aside, class: added = '', children }: CardProps) {
  const id = useId()
  return (
    <section class={`card ${added}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** A number with its unit set smaller. */
export function Amount({ of: { value, unit }, class: added = '' }: { readonly of: Quantity; readonly class?: string }) {
  return (
    <span class={`quantity ${added}`}>
      {value}
      <span class="unit">{unit}</span>
    </span>
  )
}

interface TrackProps {
  readonly share: number
  /** Where it should be, as a share. */
  readonly mark?: number
  readonly class?: string
}

/** A share as a bar; its number is a text beside it. */
export function Track({ share, mark, class: name = 'track' }: TrackProps) {
  return (
    <span class={name} aria-hidden="true">
      <span style={{ width: `${Math.min(1, share) * 100}%` }} />
      {mark !== undefined && <i style={{ left: `${Math.min(1, mark) * 100}%` }} />}
    </span>
  )
}
