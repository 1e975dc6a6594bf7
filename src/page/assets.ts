import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** One file of the page, ready to be sent. */
export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** null where compressing gains nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null
  /** Weak: the same for both encodings. */
  readonly etag: string
  readonly cacheControl: string
}

/** By path: `/`, `/assets/main-1a2b.js`, `/favicon.ico`. */
export type Assets = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}
const COMPRESSED: readonly string[] = ['.html', '.js', '.css', '.svg', '.webmanifest']
const ASK_AGAIN = 'no-cache'
/** The name changes with the content. */
const FOREVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'

/** Everything in the folder of the built page, about half a megabyte. */
export async function loadAssets(folder: string): Promise<Assets> {
  const assets = new Map<string, Asset>()
  assets.set('/', await asset(join(folder, 'index.html'), ASK_AGAIN))
  assets.set('/manifest.webmanifest', await asset(join(folder, 'manifest.webmanifest'), ASK_AGAIN))
  for (const name of await readdir(join(folder, 'assets'))) {
    assets.set(`/assets/${name}`, await asset(join(folder, 'assets', name), FOREVER))
  }
  for (const name of await readdir(join(folder, 'icons'))) {
    assets.set(`/icons/${name}`, await asset(join(folder, 'icons', name), FOR_A_DAY))
  }
  const icon = assets.get('/icons/favicon.ico')
  if (icon !== undefined) assets.set('/favicon.ico', icon)
  return assets
}

async function asset(path: string, cacheControl: string): Promise<Asset> {
  const bytes = new Uint8Array(await readFile(path))
  const extension = extname(path)
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    bytes,
    gzip: COMPRESSED.includes(extension) ? Bun.gzipSync(bytes, { level: 9 }) : null,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    cacheControl,
  }
}
