import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import type { TileAddress } from './client.ts'

export interface StoredTile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** When it was fetched, or last confirmed unchanged. */
  readonly atMs: number
}

/** About 7,000 tiles. */
const MAX_BYTES = 100_000_000
/** When full, tiles are removed down to this share, so that room is made for many at once. */
const KEPT_SHARE = 0.9

/**
 * Tiles on disk, so that no tile is fetched repeatedly: DATA_DIR/tiles/<hash of the server's address>/<z>-<x>-<y>,
 * written under another name first. It is only a cache: the folder may be deleted at any time.
 * @param maxBytes limit for the sum of all tiles; those fetched longest ago are removed first
 */
export function tileStore({ dataDir, tilesUrl }: Pick<Config, 'dataDir' | 'tilesUrl'>, maxBytes = MAX_BYTES) {
  const home = join(dataDir, 'tiles')
  const server = createHash('sha256').update(tilesUrl).digest('hex').slice(0, 12)
  const folder = join(home, server)
  const pathOf = ({ z, x, y }: TileAddress) => join(folder, `${z}-${x}-${y}`)
  /** null: not counted yet. */
  let total: number | null = null
  let lastSave: Promise<void> = Promise.resolve()

  const save = async (path: string, bytes: Uint8Array, atMs: number) => {
    await mkdir(folder, { recursive: true })
    if (total === null) {
      await removeOthers(home, server)
      total = (await tilesIn(folder)).reduce((sum, { size }) => sum + size, 0)
    }
    const before = await stat(path).catch(() => ({ size: 0 }))
    const draft = join(dataDir, 'tmp', `tile-${randomUUID()}`)
    try {
      await writeFile(draft, bytes)
      await utimes(draft, atMs / 1000, atMs / 1000)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    total += bytes.byteLength - before.size
    if (total > maxBytes) total = await thinOut(folder, maxBytes * KEPT_SHARE)
  }
  return {
    find: async (address: TileAddress): Promise<StoredTile | null> => {
      const path = pathOf(address)
      try {
        const [{ mtimeMs }, bytes] = [await stat(path), await readFile(path)]
        return bytes.byteLength === 0 ? null : { bytes: new Uint8Array(bytes), atMs: mtimeMs }
      } catch {
        // an unreadable tile is treated as missing and fetched again
        return null
      }
    },
    // one at a time, so that the sum stays correct
    save: (address: TileAddress, bytes: Uint8Array, atMs: number): Promise<void> => {
      lastSave = lastSave.catch(() => {}).then(() => save(pathOf(address), bytes, atMs))
      return lastSave
    },
    /** Notes that a tile was confirmed unchanged. */
    touch: async (address: TileAddress, atMs: number): Promise<void> => {
      await utimes(pathOf(address), atMs / 1000, atMs / 1000).catch(() => {})
    },
  }
}

async function removeOthers(home: string, server: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name !== server) await rm(join(home, name), { recursive: true, force: true })
  }
}

async function tilesIn(folder: string) {
  const files = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
    files.push({ path, size, mtimeMs })
  }
  return files
}

/** @returns the remaining sum, bytes */
async function thinOut(folder: string, maxBytes: number): Promise<number> {
  const files = (await tilesIn(folder)).toSorted((a, b) => a.mtimeMs - b.mtimeMs)
  let left = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of files) {
    if (left <= maxBytes) break
    await rm(path, { force: true })
    left -= size
  }
  return left
}
