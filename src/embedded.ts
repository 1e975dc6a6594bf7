/** What the single file carries with it besides the program. */
export interface Embedded {
  /** The page: its address to where its bytes are, such as `/assets/main-1a2b.js`. */
  readonly page: Readonly<Record<string, string>>
  /** Files of the page of the API: their name, such as `swagger-ui.css`, to where their bytes are. */
  readonly apiPage: Readonly<Record<string, string>>
  /** Of the Worker, as the file knows it. */
  readonly worker: string
  /** What it was built of. */
  readonly commit: string | null
  /** When that was committed, ISO 8601; the day of the build would make each build another. */
  readonly date: string | null
}

/** null: the program runs from its sources, beside which everything lies. `build/file.ts` puts the real thing here. */
export const embedded = null as Embedded | null
