import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { embedded } from '../embedded.ts'
import { notFound } from '../errors.ts'
import { pathOf } from '../http/paths.ts'
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
<p>The reason is in the log of the service. The service itself is running: its interface is described at
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
  const file = async ({ request }: { request: Request }) => {
    const assets = await load()
    if (assets === null) return failure()
    const asset = assets.get(pathOf(request))
    if (asset === undefined) throw notFound('Page')
    return served(asset, request)
  }
  return new Elysia({ detail: { hide: true } })
    .get('/', index)
    .get('/app', index)
    .get('/app/*', index)
    .get('/assets/*', file)
    .get('/icons/*', file)
    .get('/favicon.ico', file)
    .get('/manifest.webmanifest', file)
    .get('/service-worker.js', file)
}

function served({ type, bytes, gzip, etag, cacheControl }: Asset, request: Request): Response {
  const headers = new Headers({ ...HEADERS, 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag })
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  if (known.some((tag) => tag.trim() === etag)) return new Response(null, { status: 304, headers })
  const isCompressed = gzip !== null && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptedBy(request))
  if (isCompressed) headers.set('Content-Encoding', 'gzip')
  return new Response(isCompressed ? gzip : bytes, { headers })
}

function acceptedBy(request: Request): string {
  return request.headers.get('accept-encoding') ?? ''
}

function failure(): Response {
  const headers = { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(FAILURE, { status: 500, headers })
}
