import type { By } from '../base/by.ts'
import type { Config } from '../base/config.ts'
import type { Events } from '../base/events.ts'
import type { Log } from '../base/log.ts'
import type { Damage } from '../db/disk-full.ts'
import type { Db } from '../db/open.ts'
import type { KeptFitness } from '../engine/training/latent/kept-fitness.ts'
import type { HourlyWeather } from '../engine/weather.ts'
import type { WorkerLine } from '../workers/worker-line.ts'

type WeatherEndpoint = 'archive' | 'forecast'

export interface WeatherQuery {
  readonly endpoint: WeatherEndpoint
  /** Degrees, rounded to 0.1. */
  readonly latDeg: number
  readonly lonDeg: number
  /** Metres, rounded to tens; null: the service uses its own terrain. */
  readonly elevationM: number | null
  /** First and last UTC date, `yyyy-MM-dd`; at most 14 days, which the service counts as one call. */
  readonly startDate: string
  readonly endDate: string
}

export interface WeatherClient {
  /** @throws WeatherError and no other error */
  hours(query: WeatherQuery, signal?: AbortSignal): Promise<HourlyWeather>
}

export interface LoadRefresher {
  /** Computes outdated loads and announces them; concurrent callers share one computation. Never fails. */
  refresh(): Promise<void>
  /** Waits briefly for outdated loads. @returns true while they still are */
  isRecomputing(): Promise<boolean>
  /**
   * Waits briefly, without announcing the result; the next computation or request for training data does that. It does not
   * wait during an import, which outdates the loads with every group of runs: they are computed when the import is done.
   */
  upToDate(): Promise<void>
  /** The latest fit of the library, perhaps of an older revision; null before the first since the start. */
  fitness(): KeptFitness | null
}

/** Dependencies with real implementations in commands/serve.ts, and doubles in tests. */
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
  readonly worker: WorkerLine
  /** Shared by requests and jobs, so that they wait for one computation. */
  readonly loads: LoadRefresher
  /** Key that signs sessions; at least 32 characters. */
  readonly jwtSecret: string
}

/** Dependencies of work that may change something, and who asked for it. */
export interface DepsBy extends Deps {
  readonly by: By
}
