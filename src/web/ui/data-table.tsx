import type { ComponentChildren } from 'preact'

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
