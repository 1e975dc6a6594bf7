import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'

type PageConfig = Pick<Config, 'corsAllowedOrigins' | 'trustProxy'>

/**
 * Refuses requests that a page of another origin sends through the runner's browser, which adds the cookie
 * automatically or reaches a server that the page's author cannot. Browsers state the origin of a request, and pages
 * cannot change that; requests without it, such as those of curl, are not from a page.
 * @throws AppError 403
 */
export function refuseForeignPage(config: PageConfig, { headers }: Request): void {
  const origin = headers.get('origin')
  if (origin !== null && config.corsAllowedOrigins.includes(origin)) return
  const site = siteOf(headers)
  // the browser compared with the address that it used, which a proxy may have replaced
  if (site === 'same-origin') return
  const isForeign =
    site === 'cross-site' || site === 'same-site' || (origin !== null && !isOwn(config, headers, origin))
  if (!isForeign) return
  throw new AppError(
    'forbidden',
    'A page of another origin must not change anything; CORS_ALLOWED_ORIGINS may name it, and a proxy has to pass Host on',
  )
}

/**
 * As `refuseForeignPage`, for the share sheet of a system: there the browser itself sends the request with
 * `Sec-Fetch-Site: none` and origin `null`. A page cannot produce this combination.
 * @throws AppError 403
 */
export function refuseForeignShare(config: PageConfig, request: Request): void {
  const { headers } = request
  if (headers.get('origin') === 'null' && siteOf(headers) === 'none') return
  refuseForeignPage(config, request)
}

function siteOf(headers: Headers): string | undefined {
  return headers.get('sec-fetch-site')?.trim().toLowerCase()
}

/** Whether an origin is the address that this request was sent to, by Host and by the headers of a trusted proxy. */
function isOwn({ trustProxy }: PageConfig, headers: Headers, origin: string): boolean {
  const sent = originOf(origin)
  if (sent === null) return false
  const scheme = trustProxy ? lastOf(headers.get('x-forwarded-proto')) : null
  if (scheme !== null && sent.protocol !== `${scheme.toLowerCase()}:`) return false
  // without a trusted proxy it is unknown whether http or https was used, so either is accepted
  const hosts = [headers.get('host'), trustProxy ? lastOf(headers.get('x-forwarded-host')) : null]
  return hosts.some((host) => host !== null && originOf(`${sent.protocol}//${host}`)?.host === sent.host)
}

/** null for an invalid origin, such as `null` or one with a user name. */
function originOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isPage ? url : null
}

/** The last element, which the nearest proxy added. */
function lastOf(list: string | null): string | null {
  return list?.split(',').at(-1)?.trim() || null
}
