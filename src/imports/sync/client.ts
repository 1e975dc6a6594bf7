import { open } from 'node:fs/promises'
import { isObject } from '../../base/json-object.ts'
import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, UNSAID } from '../../formats/format.ts'
import { writeWhole } from '../../zip/unpack.ts'

// Asks intervals.icu, and writes nothing there. One request at a time, at most one a second.

export interface ListedRun {
  readonly id: string
  readonly name: string | null
  readonly description: string | null
  readonly rpe: number | null
  /** `yyyy-MM-dd`, of the local start. */
  readonly day: string
  /** Whether it came from Strava, which forbids to pass it on. */
  readonly isStravaOnly: boolean
  /** What the list says of it, for a run without a file; null: too little. */
  readonly totals: Activity | null
}

export interface Athlete {
  readonly id: string
  readonly name: string | null
}

/**
 * `refused`: the key is not accepted; `gone`: there is no such file; `forbidden`: it may not be passed on; `later`: worth
 * another attempt; `file`: not this one.
 */
export type Failure = 'refused' | 'gone' | 'forbidden' | 'later' | 'file'

/** A failed request. The message has neither address nor key. */
export class IntervalsError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    /** As the service asks; null: it does not. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

const TIMEOUT_MS = 60_000
const MAX_FILE_BYTES = 104_857_600
const MAX_LIST_BYTES = 33_554_432
const SPACING_MS = 1000
const MINUTE_MS = 60_000

export type IntervalsClient = ReturnType<typeof intervalsClient>

export interface Limits {
  readonly spacingMs?: number
  readonly timeoutMs?: number
  readonly mostFileBytes?: number
}

interface Asking extends Limits {
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal?: AbortSignal | undefined
}

/** Every method throws `IntervalsError`; an error of the disk is thrown as it is. */
export function intervalsClient({
  baseUrl,
  apiKey,
  signal,
  spacingMs = SPACING_MS,
  timeoutMs = TIMEOUT_MS,
  mostFileBytes = MAX_FILE_BYTES,
}: Asking) {
  let nextMs = 0
  const ask = async <T>(path: string, read: (response: Response) => Promise<T>): Promise<T> => {
    const waitMs = nextMs - performance.now()
    if (waitMs > 0) await Bun.sleep(waitMs)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
        headers: { authorization: `Basic ${Buffer.from(`API_KEY:${apiKey}`).toString('base64')}` },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // a redirect could lead to an address that only this machine can reach
        redirect: 'manual',
      }).catch(unanswered)
      if (!response.ok) {
        await response.body?.cancel()
        throw failureOf(response)
      }
      return await read(response)
    } finally {
      nextMs = performance.now() + spacingMs
    }
  }
  return {
    athlete: async (): Promise<Athlete> => {
      const value = parsed(await ask('/athlete/0', (response) => boundedText(response)))
      if (!isObject(value) || textOf(value.id) === null) throw unreadable()
      return { id: textOf(value.id)!, name: textOf(value.name) }
    },
    /** Runs of these days, both included. */
    runs: async (oldest: string, newest: string): Promise<ListedRun[]> => {
      const query = `oldest=${oldest}&newest=${newest}`
      const value = parsed(await ask(`/athlete/0/activities?${query}`, (response) => boundedText(response)))
      if (!Array.isArray(value)) throw unreadable()
      return value.filter(isObject).flatMap(listedRun)
    },
    file: async (id: string, path: string): Promise<void> => {
      const address = `/activity/${encodeURIComponent(id)}`
      const write = (response: Response) => written(response, path, mostFileBytes)
      try {
        await ask(`${address}/file`, write)
      } catch (error) {
        if (!(error instanceof IntervalsError) || error.failure !== 'gone') throw error
        await ask(`${address}/fit-file`, write)
      }
    },
  }
}

/** @throws IntervalsError in the place of an error of the network, which has the address in a property */
function unanswered(): never {
  throw new IntervalsError('later', 'intervals.icu did not answer')
}

/** The body in pieces, as far as it is not longer. */
async function* chunksOf({ body }: Response, mostBytes: number, tooLong: IntervalsError): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw tooLong
      yield chunk
    }
  } catch (error) {
    if (error === tooLong) throw error
    unanswered()
  }
}

function failureOf({ status, headers }: Response): IntervalsError {
  if (status === 401 || status === 403) return new IntervalsError('refused', 'intervals.icu does not accept the key')
  if (status === 404) return new IntervalsError('gone', 'intervals.icu has no file of it')
  if (status === 422) return new IntervalsError('forbidden', 'intervals.icu may not pass it on')
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = seconds >= 0 && seconds <= 86_400 ? seconds * 1000 : null
  return new IntervalsError('later', `intervals.icu answered ${status}`, retryAfterMs)
}

const RUN = /Run|^Treadmill$/

function listedRun(row: Record<string, unknown>): ListedRun[] {
  const { id, type, source, start_date_local: start } = row
  if (typeof id !== 'string' || typeof type !== 'string' || !RUN.test(type) || typeof start !== 'string') return []
  const rpe = row.perceived_exertion
  return [
    {
      ...{ id, name: textOf(row.name), description: textOf(row.description), day: start.slice(0, 10) },
      rpe: typeof rpe === 'number' && rpe >= 1 && rpe <= 10 ? Math.round(rpe) : null,
      isStravaOnly: source === 'STRAVA',
      totals: activityOf(row),
    },
  ]
}

/** What a row of the list says of a run; null: not enough for one. */
function activityOf(row: Readonly<Record<string, unknown>>): Activity | null {
  const [local, utc] = [msOf(row.start_date_local), msOf(row.start_date)]
  const startedAtMs = utc ?? local
  const [elapsedS, distanceM] = [positive(row.elapsed_time) ?? positive(row.moving_time), positive(row.distance)]
  if (startedAtMs === null || elapsedS === null || distanceM === null) return null
  return {
    ...UNSAID,
    startedAtMs,
    utcOffsetMinutes: utc === null || local === null ? null : Math.round((local - utc) / MINUTE_MS),
    source: 'json_import',
    totals: {
      ...NO_TOTALS,
      ...{ elapsedS, distanceM, movingS: positive(row.moving_time) },
      ...{ avgHeartRateBpm: positive(row.average_heartrate), maxHeartRateBpm: positive(row.max_heartrate) },
      elevGainM: positive(row.total_elevation_gain),
    },
  }
}

/** A time without a zone is read as UTC. */
function msOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function unreadable(): IntervalsError {
  return new IntervalsError('later', 'The answer of intervals.icu could not be read')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks = await Array.fromAsync(chunksOf(response, MAX_LIST_BYTES, unreadable()))
  return new TextDecoder().decode(Buffer.concat(chunks))
}

async function written(response: Response, path: string, mostBytes: number): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  const tooLong = new IntervalsError('file', 'Its file is larger than 100 MiB')
  for await (const chunk of chunksOf(response, mostBytes, tooLong)) await writeWhole(file, chunk)
}
