/** Who makes a change, as named in receipts; whoever commits one says it. */
export interface By {
  /** `browser`, `key:<label or prefix>`, `watch_folder`, `sync`, `upgrade` or `command_line`. */
  readonly actor: string
  /** Set when no person asked for the work just now; deleted runs then stay deleted. */
  readonly isAutomatic?: boolean
  /** Called with the id of the receipt that a change left. */
  left(receiptId: string): void
}
