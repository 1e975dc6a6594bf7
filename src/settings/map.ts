import type { Tx } from '../db/open.ts'
import { settings } from '../db/schema.ts'

/** Whether maps may show tiles. Not until the runner says so: the tile server sees which area is looked at. */
export function mapTiles(tx: Tx): boolean {
  return tx.select({ tiles: settings.mapTiles }).from(settings).get()?.tiles ?? false
}

/** Stores this and no other setting; the first one stored makes the one record, whose id is 1. */
export function storeMapTiles(tx: Tx, tiles: boolean, nowMs: number): void {
  tx.insert(settings)
    .values({ id: 1, archiveId: Bun.randomUUIDv7(), createdAt: nowMs, updatedAt: nowMs, mapTiles: tiles })
    .onConflictDoUpdate({ target: settings.id, set: { mapTiles: tiles, updatedAt: nowMs } })
    .run()
}
