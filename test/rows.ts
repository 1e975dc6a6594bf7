type Rows = readonly Readonly<Record<string, unknown>>[]

/** What each row of a list says under some names. */
export function said(rows: Rows, ...names: readonly string[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]))
}

/** What each row of a list says under one name. */
// biome-ignore lint/suspicious/noExplicitAny: members of answers are compared
export const each = (rows: Rows, name: string): any[] => rows.map((row) => row[name])

/** The row of a list that has a value under a name. */
// biome-ignore lint/suspicious/noExplicitAny: members of answers are compared
export const rowWith = (rows: Rows, name: string, value: unknown): any => rows.find((row) => row[name] === value)
