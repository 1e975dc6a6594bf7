import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { Events } from './events/emitter.ts'
import type { Log } from './log.ts'
import type { WeatherClient } from './weather/client.ts'
import type { Analyzer } from './workers/analyzer.ts'

/** Who makes a change, as named in receipts. */
export interface Author {
  /** `browser`, `key:<label or prefix>`, `watch_folder`, `sync` or `command_line`. */
  readonly actor: string
  /** Set when no person asked for the work just now; deleted runs then stay deleted. */
  readonly isAutomatic?: boolean
  /** Called with the id of the receipt that a change left. */
  left(receiptId: string): void
}

/** Dependencies with real implementations in serve.ts, and doubles in tests. */
export interface Deps {
  readonly db: Db
  readonly config: Config
  /** Current time, Unix milliseconds UTC. */
  readonly now: () => number
  /** Calls back after so many milliseconds, unless the function that it returns is called before. */
  readonly after: (ms: number, ring: () => void) => () => void
  readonly weather: WeatherClient
  readonly log: Log
  readonly events: Events
  /** Runs the CPU-intensive work, in a Worker. */
  readonly analyzer: Analyzer
  /** Key that signs sessions; at least 32 characters. */
  readonly jwtSecret: string
  /** Who the work is done for; routes set it for their requests. Absent: the work leaves no receipt. */
  readonly author?: Author
}
