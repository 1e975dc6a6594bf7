import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** One file of the page, ready to be sent. */
export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** null where compression gains nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null
  /** Weak, since it is the same for both encodings. */
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
/** 2.4 % smaller than level 9 of zlib, for 25 ms more of all files; level 12 gains 0.04 % for as much again. */
const SMALLEST = { library: 'libdeflate', level: 10 } as const
const ASK_AGAIN = 'no-cache'
/** Such names change with the content. */
const FOREVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'

/** The files of a built page by address. @param folder where it was built */
export async function pageFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = { '/': join(folder, 'index.html') }
  for (const name of ['manifest.webmanifest', 'service-worker.js']) files[`/${name}`] = join(folder, name)
  for (const part of ['assets', 'icons']) {
    for (const name of await readdir(join(folder, part))) files[`/${part}/${name}`] = join(folder, part, name)
  }
  files['/favicon.ico'] = join(folder, 'icons', 'favicon.ico')
  return files
}

/** Loads all files of the page, about half a megabyte. @param files paths by address, as `pageFiles` returns them */
export async function loadAssets(files: Readonly<Record<string, string>>): Promise<Assets> {
  const loaded = Object.entries(files).map(async ([address, path]) => [address, await asset(address, path)] as const)
  return new Map(await Promise.all(loaded))
}

async function asset(address: string, path: string): Promise<Asset> {
  const bytes = new Uint8Array(await readFile(path))
  const extension = address === '/' ? '.html' : extname(address)
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    bytes,
    gzip: COMPRESSED.includes(extension) ? Bun.gzipSync(bytes, SMALLEST) : null,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    cacheControl: cacheControlOf(address),
  }
}

function cacheControlOf(address: string): string {
  if (address.startsWith('/assets/')) return FOREVER
  return address.startsWith('/icons/') || address === '/favicon.ico' ? FOR_A_DAY : ASK_AGAIN
}
