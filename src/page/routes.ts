import { Elysia } from 'elysia'
import { embedded } from '../base/embedded.ts'
import { AppError } from '../base/errors.ts'
import { accepts } from '../http/compression.ts'
import { isTagKnown } from '../http/file-response.ts'
import { pathOf } from '../http/paths.ts'
import type { Deps } from '../library/deps.ts'
import { addressOf, LEADS } from '../web/addresses.ts'
import { type Asset, type Assets, loadAssets, pageFiles } from './assets.ts'
import { builtPage } from './build.ts'

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
