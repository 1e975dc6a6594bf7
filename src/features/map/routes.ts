import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError } from '../../base/errors.ts'
import { call } from '../../http/call.ts'
import { errorResponse } from '../../http/errors.ts'
import { bytesResponse, responses } from '../../http/openapi.ts'
import { flag } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings, mapTiles } from '../../library/settings.ts'
import { imageType, TILE_TYPES, type TileAddress, TileError, tilePath } from './client.ts'
import { createTiles, FRESH_MS, type Tiles } from './tiles.ts'

const NO_ANSWER = 'The tile server does not respond'

const MapSettings = Type.Object(
  { tiles: flag('true: maps show tiles; their server sees which area is looked at') },
  { title: 'MapSettings' },
)

/**
 * Tiles for maps. This service fetches them from the tile server, so that browsers contact nobody else. Off until the
 * runner enables it.
 */
export function mapRoutes(deps: Deps) {
  const { db, now, events, log } = deps
  const tiles = createTiles(deps)
  return new Elysia()
    .get(
      '/settings/map',
      () => ({ tiles: mapTiles(db) }),
      call('getMapSettings', 'Whether maps show tiles; no until it is stored', {
        answer: MapSettings,
        says: 'While they do not, no tile is fetched from anywhere.',
        tags: ['Settings'],
      }),
    )
    .put(
      '/settings/map',
      ({ body }) => {
        changeSettings(db, deps, { mapTiles: body.tiles })
        events.emit({ event: 'settings.updated', data: {} })
        return { tiles: body.tiles }
      },
      call('setMapSettings', 'Store whether maps show tiles', {
        body: MapSettings,
        answer: MapSettings,
        says: 'The service fetches the tiles, so their server sees its address and no browser. Off, nothing is fetched.',
        tags: ['Settings'],
      }),
    )
    .get(
      '/map/tiles/:z/:x/:y',
      ({ params, request }) => {
        if (!mapTiles(db)) throw new AppError('notFound', 'Map tiles are turned off', { code: 'tiles_off' })
        return servedTile({ tiles, now, log }, params, request.signal)
      },
      call('getMapTile', 'One tile of the map, from disk or the tile server; 404 while tiles are turned off', {
        params: tilePath(),
        says: 'Kept on disk for a week at least. 404 also for an address outside of the world.',
        tags: ['Map'],
        responses: {
          200: bytesResponse(200, ...TILE_TYPES),
          502: { ...responses(502).responses[502], description: NO_ANSWER },
        },
      }),
    )
}

async function servedTile(
  { tiles, now, log }: Pick<Deps, 'now' | 'log'> & { readonly tiles: Tiles },
  address: TileAddress,
  signal: AbortSignal,
): Promise<Response> {
  try {
    const { bytes, atMs } = await tiles.tile(address, signal)
    const freshS = Math.max(60, Math.round((atMs + FRESH_MS - now()) / 1000))
    return new Response(bytes, {
      headers: {
        'Content-Type': imageType(bytes) ?? 'application/octet-stream',
        'Cache-Control': `private, max-age=${freshS}`,
        'X-Content-Type-Options': 'nosniff',
      },
    })
  } catch (error) {
    if (!(error instanceof TileError)) throw error
    if (error.isMissing) throw new AppError('notFound', 'The tile server has no such tile', { code: 'tile_not_found' })
    if (!signal.aborted) log.debug(`A map tile could not be loaded: ${error.message}`)
    return errorResponse(502, { error: NO_ANSWER, code: 'upstream_failed' })
  }
}
