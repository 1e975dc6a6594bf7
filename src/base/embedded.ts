/** Files embedded in the single-file executable beside the program. */
interface Embedded {
  /** Files of the page: address, such as `/assets/main-1a2b.js`, to the path of the bytes. */
  readonly page: Readonly<Record<string, string>>
  /** Files of the API page: name, such as `swagger-ui.css`, to the path of the bytes. */
  readonly apiPage: Readonly<Record<string, string>>
  /** Path of the Worker within the executable. */
  readonly worker: string
  readonly commit: string | null
  /** Time of that commit, ISO 8601; not of the build, so that builds are reproducible. */
  readonly date: string | null
}

/** null: the program runs from its sources. `build/file.ts` replaces this value. */
export const embedded = null as Embedded | null
