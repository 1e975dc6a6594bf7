import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { DataTable } from '../ui/card.tsx'
import './charts.css'

export interface TableViewProps {
  readonly caption: string
  readonly summary?: string
  readonly heads: readonly string[]
  /** Called when the table is opened; the first cell names the row. */
  readonly rows: () => readonly (readonly ComponentChildren[])[]
}

/** The data of a chart as a table. */
export function TableView({ caption, summary = 'As a table', heads, rows }: TableViewProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="table-view above-3 small" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller has to be reached by keys
        <section tabIndex={0} aria-label={caption}>
          <DataTable caption={caption} heads={heads} rows={rows()} />
        </section>
      )}
    </details>
  )
}
