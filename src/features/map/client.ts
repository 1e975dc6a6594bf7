import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { APPLICATION_VERSION } from '../../base/versions.ts'
import { integer } from '../../http/schemas.ts'
import { type Reader, reader } from '../../http/standard.ts'

/** The closest zoom level of OpenStreetMap's servers. */
const CLOSEST_ZOOM = 19

const TilePath = Type.Object({
  z: integer({ minimum: 0, maximum: CLOSEST_ZOOM, description: 'Zoom: the world is 2^z tiles wide and high' }),
  x: integer({ minimum: 0, description: 'Column from the west, below 2^z' }),
  y: integer({ minimum: 0, description: 'Row from the north, below 2^z' }),
})

/** Address of a tile, a square of the world in Web Mercator. */
export type TileAddress = Static<typeof TilePath>

/** The route option `params` of a tile; an address outside of the world is answered like an unknown one, 404. */
export function tilePath(): Reader<TileAddress> {
  return reader(TilePath, (params) => {
    const sent = isObject(params) ? params : {}
    const within = (name: 'z' | 'x' | 'y', most: number) => {
      const text = sent[name]
      const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
      if (!(value <= most))
        throw new AppError('notFound', `No tile: ${name} must be an integer from 0 to ${most}`, {
          code: 'tile_not_found',
          field: name,
        })
      return value
    }
    const z = within('z', CLOSEST_ZOOM)
    const last = 2 ** z - 1
    return { z, x: within('x', last), y: within('y', last) }
  })
}

export const TILE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/**
 * A tile that could not be fetched. The message never contains the address, which may hold a key and reveals where
 * someone runs.
 */
export class TileError extends Error {
  /** The server has no such tile; other failures may be temporary. */
  readonly isMissing: boolean

  constructor(message: string, isMissing = false) {
    super(message)
    this.name = 'TileError'
    this.isMissing = isMissing
  }
}

const TIMEOUT_MS = 8_000
/** Tiles of 256 pixels have 5 to 50 KB. */
const MAX_TILE_BYTES = 1_048_576
/** OpenStreetMap's tile usage policy demands a name that identifies the application. */
const USER_AGENT = `Harrier/${APPLICATION_VERSION} (self-hosted running tracker)`

/**
 * Asks the configured tile server once; limiting number and rate of requests is the caller's task.
 * @param sinceMs when the stored tile was fetched, Unix milliseconds; null: none is stored
 * @returns the bytes of a picture, or null when it has not changed @throws TileError and no other error
 */
export async function askedTile(
  { tilesUrl }: Pick<Config, 'tilesUrl'>,
  { z, x, y }: TileAddress,
  { sinceMs, signal }: { readonly sinceMs: number | null; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const places: Readonly<Record<string, number>> = { '{z}': z, '{x}': x, '{y}': y }
  const url = tilesUrl.replace(/\{[xyz]\}/g, (place) => String(places[place]))
  return await picture(url, sinceMs, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
}

async function picture(url: string, sinceMs: number | null, signal: AbortSignal) {
  const condition = sinceMs === null ? {} : { 'if-modified-since': new Date(sinceMs).toUTCString() }
  try {
    const response = await fetch(url, {
      signal,
      // a redirect could lead to an address that only this machine can reach
      redirect: 'manual',
      headers: { 'user-agent': USER_AGENT, accept: 'image/png,image/webp,image/jpeg', ...condition },
    })
    const isPicture = response.ok && response.headers.get('content-type')?.toLowerCase().startsWith('image/') === true
    if (!isPicture) {
      await response.body?.cancel()
      if (response.status === 304 && sinceMs !== null) return null
      const words = response.ok ? 'no picture' : `HTTP ${response.status}`
      throw new TileError(words, response.status === 404 || response.status === 410)
    }
    const bytes = await boundedBytes(response)
    // an SVG may contain scripts and has an image type as well
    if (imageType(bytes) === null) throw new TileError('no picture of a known kind')
    return bytes
  } catch (error) {
    if (error instanceof TileError) throw error
    // errors of fetch have the address in a property, so only their kind is kept
    const { name, code } = error as { name?: unknown; code?: unknown }
    throw new TileError(`no answer (${String(typeof code === 'string' ? code : name)})`)
  }
}

async function boundedBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > MAX_TILE_BYTES) throw new TileError(`more than ${MAX_TILE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Bun.concatArrayBuffers(chunks, MAX_TILE_BYTES, true)
}

/** Type by the first bytes (RFC 2083, ITU T.81 B.1.1.3, RFC 9649); null for everything else, including SVG. */
export function imageType(bytes: Uint8Array): (typeof TILE_TYPES)[number] | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return null
}
