import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { number, type Quantity } from '../format.ts'
import { Button, Icon } from './button.tsx'

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
        {aside !== undefined && <div class="aside muted small">{aside}</div>}
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

interface FactsProps {
  /** Names and their values; null or false: left out. */
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[]
  readonly class?: string
}

/** Values with their names above them. */
export function Facts({ of, class: name = 'numbers' }: FactsProps) {
  return (
    <dl class={name}>
      {of.map(
        ([fact, value]) =>
          value !== null &&
          value !== false && (
            <div key={fact}>
              <dt>{fact}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface DataTableProps {
  readonly class?: string
  /** For screen readers, unless `isTitled`. */
  readonly caption?: ComponentChildren
  readonly isTitled?: boolean
  /** The heads are only for screen readers. */
  readonly hidesHeads?: boolean
  readonly heads: readonly ComponentChildren[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ComponentChildren[])[]
}

/** Rows of values under their heads. */
export function DataTable({ class: kind = 'data-table', caption, heads, rows, ...props }: DataTableProps) {
  return (
    <table class={kind}>
      {caption !== undefined && <caption class={props.isTitled ? '' : 'hidden-text'}>{caption}</caption>}
      <thead class={props.hidesHeads ? 'hidden-text' : ''}>
        <tr>
          {heads.map((head, place) => (
            <th key={place} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            {cells.map((cell, place) => (
              <td key={place}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Paging; empty for a single page. */
export function Pages({ page, pages, onPage }: PagesProps) {
  if (pages < 2) return null
  return (
    <nav class="level spread above-4" aria-label="Pages">
      <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="left" /> Previous
      </Button>
      <span class="muted small">
        Page {number(page)} of {number(pages)}
      </span>
      <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next <Icon name="right" />
      </Button>
    </nav>
  )
}

/** A medal for one of the places 1 to 3, with what it is given for. */
export function Medal({ place, children }: { readonly place: number; readonly children: ComponentChildren }) {
  return (
    <span class="medal" style={{ '--medal': `var(--${['gold', 'silver', 'bronze'][place - 1]})` }}>
      <Icon name="trophy" class="medal-icon" />
      {children}
    </span>
  )
}

/** Beside an effort that is much faster than all others. */
export function Unconfirmed() {
  return (
    <span class="badge" title="Unusually fast. Open the run to confirm it">
      Unconfirmed
    </span>
  )
}

const ADDRESS = /https?:\/\/[^\s<>"']+/g
/** Ends a sentence, not an address; a closing bracket belongs to an address that has an opening one. */
const AFTER = /(?:[.,;:!?…]|(?<!\([^()]*)\))+$/

/** A text whose addresses are links. Other schemes than http and https stay text. */
export function LinkedText({ text }: { readonly text: string }) {
  const pieces = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const href = found.replace(AFTER, '')
    pieces.push(
      text.slice(at, index),
      <a key={index} href={href} target="_blank" rel="noopener noreferrer">
        {href}
      </a>,
    )
    at = index + href.length
  }
  return <>{[...pieces, text.slice(at)]}</>
}
