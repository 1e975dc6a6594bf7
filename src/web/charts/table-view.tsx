import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
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
    <details class="table-view" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller has to be reached by keys
        <section tabIndex={0} aria-label={caption}>
          <table class="data-table">
            <caption class="hidden-text">{caption}</caption>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(([name, ...cells], index) => (
                <tr key={index}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, place) => (
                    <td key={place}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
