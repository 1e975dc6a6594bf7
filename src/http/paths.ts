/**
 * Gives a request its canonical address: without the `/api` prefix and a trailing slash, and with a fixed host. Elysia
 * looks for the path after the 11th character of the address, so with a short host such as `http://pi/x` it would find
 * another route. The request object is kept, since body, signal and client address belong to it.
 */
export function canonicalize(request: Request): void {
  const url = absolute(request.url)
  const hostStart = url.indexOf('//') + 2
  const pathStart = url.indexOf('/', hostStart)
  const queryStart = url.indexOf('?', hostStart)
  const query = queryStart === -1 ? '' : url.slice(queryStart)
  const path = pathStart === -1 ? '/' : url.slice(pathStart, queryStart === -1 ? undefined : queryStart)
  const value = `${url.slice(0, hostStart)}localhost${canonicalPath(path)}${query}`
  if (value !== request.url) Object.defineProperty(request, 'url', { value })
}

/**
 * Bun leaves scheme and host out, and dots in the path, when the Host header is missing or invalid. Segments of the
 * path would then be taken for the host, and gate and router would see different paths.
 */
function absolute(url: string): string {
  if (/^https?:\/\//.test(url)) return url
  return new URL(`http://localhost${url.startsWith('/') ? '' : '/'}${url}`).href
}

/** `/api/workouts/` is `/workouts`. */
export function canonicalPath(path: string): string {
  const local = path === '/api' || path.startsWith('/api/') ? path.slice(4) : path
  if (local === '') return '/'
  return local.length > 1 && local.endsWith('/') ? local.slice(0, -1) : local
}

/** The path for log messages; those of upload addresses, the calendar feed and shared runs are shortened, since they contain a key. */
export function loggedPath(request: Request): string {
  const path = pathOf(request)
  const keyed = /^\/(in|calendar|s)\//.exec(path)?.[0]
  return keyed === undefined ? path : `${keyed}…`
}

/** The path of a request after `canonicalize`. */
export function pathOf(request: Request): string {
  const { url } = request
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  return queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart)
}

/** 303: sends a browser that posted a form on to a page. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } })
}
