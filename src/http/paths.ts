/**
 * Gives a request its one canonical address: without the `/api` prefix, without a trailing slash, and with a fixed host.
 * The host must not matter: Elysia looks for the path from the 11th character of the address on, so that `http://pi/x`
 * would be another route. The request object stays the same one, since body, signal and client address belong to it.
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
 * Bun leaves scheme and host out, and dots in the path, when the Host header is missing or none. Segments of the path
 * would then be taken for the host, and the gate would look at another path than the router.
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

/** What stands where a path is told: that of an upload address holds a key. */
export function toldPath(request: Request): string {
  const path = pathOf(request)
  return path.startsWith('/in/') ? '/in/…' : path
}

/** The path of a request that `canonicalize` has seen. */
export function pathOf(request: Request): string {
  const { url } = request
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  const queryStart = url.indexOf('?', pathStart)
  return queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart)
}
