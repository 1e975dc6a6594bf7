import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { Events } from './events/emitter.ts'
import type { Log } from './log.ts'
import type { WeatherClient } from './weather/client.ts'
import type { Analyzer } from './workers/analyzer.ts'

/** Whoever changes something, as receipts name it. */
export interface Author {
  /** `browser`, `key:<label or prefix>`, `watch_folder`, `sync`, `command_line`. */
  readonly actor: string
  /** Nobody asked for it just now: what the runner deleted stays deleted. */
  readonly isAutomatic?: boolean
  /** Is told which receipt a change left. */
  left(receiptId: string): void
}

/** What main.ts fills for real and tests fill by hand. */
export interface Deps {
  readonly db: Db
  readonly config: Config
  /** Unix milliseconds UTC. */
  readonly now: () => number
  /** Calls back once so many milliseconds have passed, unless the function it returns is called before. */
  readonly after: (ms: number, ring: () => void) => () => void
  readonly weather: WeatherClient
  readonly log: Log
  readonly events: Events
  /** The CPU side of an import. */
  readonly analyzer: Analyzer
  /** Signs sessions; at least 32 characters. */
  readonly jwtSecret: string
  /** Whom the work is done for: of requests, filled in by their routes. Absent: the work leaves no receipt. */
  readonly author?: Author
}
