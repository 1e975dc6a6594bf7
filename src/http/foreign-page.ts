import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

type PageConfig = Pick<Config, 'corsAllowedOrigins' | 'trustProxy'>

/**
 * Refuses what a page of another origin sends through the runner's browser, which adds the cookie by itself, or reaches a
 * server that the page's own author cannot. A browser says where a request comes from, and no page can keep it from that;
 * what says nothing, such as curl, is no page.
 * @throws AppError 403
 */
export function refuseForeignPage(config: PageConfig, { headers }: Request): void {
  const origin = headers.get('origin')
  if (origin !== null && config.corsAllowedOrigins.includes(origin)) return
  const site = siteOf(headers)
  // the browser compared with the address it used itself, which a proxy in between may have replaced
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
 * The same for what the share sheet of a system sends: the browser itself opens the address then, and says that it was
 * no page (`Sec-Fetch-Site: none`) and has no origin (`null`). A page cannot say so: of its own it is the other three.
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

/** True for the address this request was sent to: by Host, and by what a trusted proxy was asked for. */
function isOwn({ trustProxy }: PageConfig, headers: Headers, origin: string): boolean {
  const sent = originOf(origin)
  if (sent === null) return false
  const scheme = trustProxy ? lastOf(headers.get('x-forwarded-proto')) : null
  if (scheme !== null && sent.protocol !== `${scheme.toLowerCase()}:`) return false
  // without a trusted proxy only the one who runs it knows whether http or https was used
  const hosts = [headers.get('host'), trustProxy ? lastOf(headers.get('x-forwarded-host')) : null]
  return hosts.some((host) => host !== null && originOf(`${sent.protocol}//${host}`)?.host === sent.host)
}

/** null for what is no origin of a page, such as `null` or one with a user name. */
function originOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isPage ? url : null
}

/** What the nearest proxy added. */
function lastOf(list: string | null): string | null {
  return list?.split(',').at(-1)?.trim() || null
}
