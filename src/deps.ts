import type { Config } from './config.ts'
import type { Damage } from './db/damage.ts'
import type { Db } from './db/open.ts'
import type { KeptFitness } from './engine/training/latent/kept-fitness.ts'
import type { Events } from './events/emitter.ts'
import type { Log } from './log.ts'
import type { WeatherClient } from './weather/client.ts'
import type { Analyzer } from './workers/analyzer.ts'

/** Who makes a change, as named in receipts; whoever commits one says it. */
export interface By {
  /** `browser`, `key:<label or prefix>`, `watch_folder`, `sync`, `upgrade` or `command_line`. */
  readonly actor: string
  /** Set when no person asked for the work just now; deleted runs then stay deleted. */
  readonly isAutomatic?: boolean
  /** Called with the id of the receipt that a change left. */
  left(receiptId: string): void
}

/** Keeps the stored loads up to date. */
export interface LoadRefresher {
  /** Computes outdated loads and announces them; concurrent callers share one computation. Never fails. */
  refresh(): Promise<void>
  /** Waits briefly for outdated loads. @returns true while they still are */
  isRecomputing(): Promise<boolean>
  /**
   * Waits briefly, without announcing the result; the next computation or request for training data does that. It does not
   * wait during an import, which outdates the loads with every group of runs: they are computed when the import is done.
   */
  settle(): Promise<void>
  /** The latest fit of the library, perhaps of an older revision; null before the first since the start. */
  fitness(): KeptFitness | null
}

/** Dependencies with real implementations in serve.ts, and doubles in tests. */
export interface Deps {
  readonly db: Db
  readonly damage: Damage
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
  /** Shared by requests and jobs, so that they wait for one computation. */
  readonly loads: LoadRefresher
  /** Key that signs sessions; at least 32 characters. */
  readonly jwtSecret: string
}

/** Dependencies of work that may change something, and who asked for it. */
export interface DepsBy extends Deps {
  readonly by: By
}
