import { createTurns } from '../../base/turns.ts'
import { DAY_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { askedTile, type TileAddress, TileError } from './client.ts'
import { type StoredTile, tileStore } from './store.ts'

export type Tiles = ReturnType<typeof createTiles>

/** Age up to which a tile is used without asking; OpenStreetMap's policy demands at least a week. */
export const FRESH_MS = 7 * DAY_MS
/** Pause after a failure: a map requests dozens of tiles, and each would time out. */
const REST_MS = 15_000
/** Concurrent requests; OpenStreetMap's policy allows no more. */
const AT_ONCE = 2
/** Most waiting tiles: several screens full. */
const MOST_WAITING = 300

interface Job {
  readonly tile: Promise<StoredTile>
  readonly abort: AbortController
  askers: number
}

export function createTiles({ config, now }: Pick<Deps, 'config' | 'now'>) {
  const store = tileStore(config)
  const jobs = new Map<string, Job>()
  const turns = createTurns({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, refusal: (why) => new TileError(why) })
  let restsUntilMs = 0

  const asked = async (address: TileAddress, { old, signal }: { old: StoredTile | null; signal: AbortSignal }) => {
    try {
      if (now() < restsUntilMs) throw new TileError('the server failed a moment ago')
      const bytes = await askedTile(config, address, { sinceMs: old?.atMs ?? null, signal })
      const atMs = now()
      if (bytes === null && old !== null) {
        await store.touch(address, atMs)
        return { bytes: old.bytes, atMs }
      }
      if (bytes === null) throw new TileError('unchanged, but it was not there before')
      // a full disk must not make the map empty
      await store.save(address, bytes, atMs).catch(() => {})
      return { bytes, atMs }
    } catch (error) {
      const isPassing = error instanceof TileError && !error.isMissing && !signal.aborted
      if (isPassing && now() >= restsUntilMs) restsUntilMs = now() + REST_MS
      throw error
    }
  }
  const found = async (address: TileAddress, signal: AbortSignal): Promise<StoredTile> => {
    const stored = await store.find(address)
    if (stored !== null && now() - stored.atMs < FRESH_MS) return stored
    try {
      return await turns.take(() => asked(address, { old: stored, signal }), signal)
    } catch (error) {
      if (stored === null || !(error instanceof TileError)) throw error
      return stored
    }
  }
  const jobFor = (address: TileAddress): Job => {
    const key = `${address.z}/${address.x}/${address.y}`
    const known = jobs.get(key)
    if (known !== undefined && !known.abort.signal.aborted) return known
    const abort = new AbortController()
    const job: Job = { tile: found(address, abort.signal), abort, askers: 0 }
    jobs.set(key, job)
    const forget = () => {
      if (jobs.get(key) === job) jobs.delete(key)
    }
    job.tile.then(forget, forget)
    return job
  }
  return {
    /**
     * A tile from disk or, when missing or outdated, from the server; when that fails, an outdated one is used.
     * @param signal aborted when the client disconnects; tiles that no client waits for are not fetched
     * @throws TileError
     */
    tile: async (address: TileAddress, signal: AbortSignal): Promise<StoredTile> => {
      const job = jobFor(address)
      job.askers += 1
      const leave = () => {
        job.askers -= 1
        if (job.askers === 0) job.abort.abort()
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        return await job.tile
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}
