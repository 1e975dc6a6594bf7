import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Elysia } from 'elysia'
import { embedded } from '../base/embedded.ts'
import { AppError } from '../base/errors.ts'
import { accepts } from '../http/compression.ts'
import { isTagKnown } from '../http/file-response.ts'
import { pathOf } from '../http/paths.ts'
import type { Deps } from '../library/deps.ts'
import { addressOf, LEADS } from '../web/addresses.ts'
import { builtPage, pageFiles } from './build.ts'

/** One file of the page, ready to be sent. */
interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** null where compression gains nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null
  /** Weak, since it is the same for both encodings. */
  readonly etag: string
  readonly cacheControl: string
}

/** By path: `/`, `/assets/main-1a2b.js`, `/favicon.ico`. */
type Assets = ReadonlyMap<string, Asset>

/**
 * Everything comes from this origin, and no inline scripts. The last three directives do not fall back to default-src.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
} as const

const FAILURE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harrier</title>
<h1>The page could not be built</h1>
<p>The reason is in the log of the service. The service itself is running; its API is described at
<a href="/swagger">/swagger</a>. This page tries again when it is loaded again.</p>
</html>
`

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

/**
 * The page. It is built and loaded at the first request, so that it costs nothing before; the single-file executable
 * contains it.
 */
export function pageRoutes({ config, log }: Pick<Deps, 'config' | 'log'>) {
  let loading: Promise<Assets | null> | null = null
  const files = async () => embedded?.page ?? (await pageFiles(await builtPage(config)))
  const load = () => {
    loading ??= files()
      .then(loadAssets)
      .catch((error: unknown) => {
        loading = null
        log.error('The page could not be built', error)
        return null
      })
    return loading
  }
  const index = async ({ request }: { request: Request }) => {
    const asset = (await load())?.get('/')
    return asset === undefined ? failure() : served(asset, request)
  }
  const view = async ({ request }: { request: Request }) => {
    const path = pathOf(request)
    const isKnown = addressOf(path) !== null || LEADS.has(path)
    return isKnown ? await index({ request }) : await lost(request, 'Not found')
  }
  const lost = async (request: Request, message: string) => {
    if (!isNavigation(request)) throw new AppError('notFound', message)
    const asset = (await load())?.get('/')
    return asset === undefined ? failure() : served(asset, request, 404)
  }
  const file = async ({ request }: { request: Request }) => {
    const assets = await load()
    if (assets === null) return failure()
    const asset = assets.get(pathOf(request))
    return asset === undefined ? await lost(request, 'Page not found') : served(asset, request)
  }
  return new Elysia({ detail: { hide: true } })
    .get('/', index)
    .get('/app', index)
    .get('/app/*', view)
    .get('/assets/*', file)
    .get('/icons/*', file)
    .get('/favicon.ico', file)
    .get('/manifest.webmanifest', file)
    .get('/service-worker.js', file)
}

/**
 * The request itself; for a browser that opens an address without a route, one for the page, which answers with its own
 * 404.
 * @param patternOf of the route that answers a call; null: there is none
 */
export function towardsPage(request: Request, patternOf: (method: string, path: string) => string | null): Request {
  const isLost = request.method === 'GET' && isNavigation(request) && patternOf('GET', pathOf(request)) === null
  return isLost ? new Request(`http://localhost/app/nowhere`, request) : request
}

/** Whether it is a browser that opens an address, not a script that asks for an answer. */
function isNavigation(request: Request): boolean {
  return request.headers.get('sec-fetch-mode') === 'navigate'
}

function served({ type, bytes, gzip, etag, cacheControl }: Asset, request: Request, status = 200): Response {
  const headers = new Headers({ ...HEADERS, 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag })
  if (status === 200 && isTagKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  const isCompressed = gzip !== null && accepts(request, 'gzip')
  if (isCompressed) headers.set('Content-Encoding', 'gzip')
  return new Response(isCompressed ? gzip : bytes, { status, headers })
}

function failure(): Response {
  const headers = { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(FAILURE, { status: 500, headers })
}

/** Loads all files of the page, about half a megabyte. @param files paths by address, as `pageFiles` returns them */
async function loadAssets(files: Readonly<Record<string, string>>): Promise<Assets> {
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
