import { expect } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { CREDENTIALS, type RealServer, startServer as startRealServer } from '../process/real-server.ts'

/**
 * What the browser itself ends is told as a failed request too: a stream that the page closes, a form whose answer is a
 * download, whatever is under way when a page is left. A connection that the server breaks has other names.
 */
const ENDED_BY_BROWSER = /net::ERR_ABORTED$/

/** What the browser says when a test looks at the dots of a canvas, and where the service worker is blocked. */
const MADE_BY_TEST = /^Canvas2D: Multiple readback|^Service Worker registration blocked by Playwright/

export const { username: USERNAME, password: PASSWORD } = CREDENTIALS

/** Places of Debian's packages; the first, which draws no window of its own, takes three fifths of the processor time. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Where a Chromium is: CHROMIUM_PATH, else the place of a package; null when there is none. */
export function chromiumPath(): string | null {
  const { CHROMIUM_PATH: set } = process.env
  const path = (set === undefined ? CHROMIUMS : [set]).find((place) => existsSync(place))
  if (path !== undefined) return path
  console.warn(`No Chromium at ${set ?? CHROMIUMS.join(' or ')}: the tests of the page are skipped`)
  return null
}

/**
 * Of its own window a headless Chromium draws pages as well, which takes more than half a second of a processor for each
 * context. The last list counts, so those that Playwright turns off are named again.
 */
const OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  ...['SpareRendererForSitePerProcess', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'DialMediaRouteProvider', 'PaintHolding'],
  ...[
    'ThirdPartyStoragePartitioning',
    'BlockOriginHeaderModificationOnRedirect',
    'AvoidCorsURLLoaderRestartOnRedirect',
  ],
  ...['Translate', 'AutoDeElevate', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
]

/** A headless browser that asks nobody but the page for anything. */
export function launch(executablePath: string): Promise<Browser> {
  const quiet = ['background-networking', 'component-update', 'sync', 'quic', 'gpu'].map((name) => `--disable-${name}`)
  const args = ['--no-sandbox', '--no-first-run', ...quiet, `--disable-features=${OFF.join()}`]
  return chromium.launch({ executablePath, args })
}

export interface Server {
  readonly address: string
  readonly stop: () => Promise<void>
}

/** The service in a process of its own, with a data folder of its own. @param env further variables */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<Server & RealServer> {
  const cwd = mkdtempSync(join(tmpdir(), 'harrier-browser-'))
  const server = await startRealServer({ cwd, dataDir: join(cwd, 'data'), env })
  const stop = async () => {
    await server.end('SIGKILL')
    rmSync(cwd, { recursive: true, force: true })
    if (/^\S+ error /m.test(server.log())) console.error(`The server logged:\n${server.log()}`)
  }
  return { ...server, stop }
}

export interface Watched {
  readonly page: Page
  /** Everything that a runner should never meet, in words. */
  readonly faults: readonly string[]
  /** While `body` runs, refusals whose address fits are not a fault; there must be at least one. */
  expecting(address: RegExp, body: () => Promise<void>): Promise<void>
  /**
   * Waits until nothing has been under way for a while, the event stream aside. `networkidle` of Playwright is about the
   * last document alone, so it is over at once in a view that came without one.
   */
  settled(): Promise<void>
  /** What it met so far was provoked. */
  forgive(): void
  /** Closes the page, which must have met no fault. */
  close(): Promise<void>
}

/** Longer than the page gathers what happened before it asks again. */
const QUIET_MS = 900

/** Options of a page whose service worker keeps it. */
export const KEPT = { serviceWorkers: 'allow' } as const

/**
 * A page of its own that notes console errors and warnings, exceptions, failed requests, answers of 400 and above, and
 * requests to anyone but the server.
 */
export async function watchedPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  // contrast is not judged in the middle of a transition; the service worker would fetch all of the page for every test
  const usual = {
    locale: 'en-GB',
    viewport: { width: 1100, height: 900 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  } as const
  const page = await (await browser.newContext({ ...usual, ...options })).newPage()
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  let expected: RegExp | null = null
  let met = 0
  const note = (url: string, fault: string) => {
    if (expected?.test(url) === true) met += 1
    else faults.push(fault)
  }
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (MADE_BY_TEST.test(message.text())) return
    note(message.location().url, `console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('requestfailed', (request) => {
    const fault = `${request.url()} ${request.failure()?.errorText}`
    if (!ENDED_BY_BROWSER.test(fault)) faults.push(`failed: ${fault}`)
  })
  page.on('response', (answer) => {
    if (answer.status() >= 400) note(answer.url(), `${answer.status()}: ${answer.url()}`)
  })
  page.on('request', (request) => {
    const isOwn = [address, 'blob:', 'data:'].some((start) => request.url().startsWith(start))
    if (!isOwn) faults.push(`asked for ${request.url()}`)
  })
  const settled = quietOf(page)
  const expecting = async (pattern: RegExp, body: () => Promise<void>) => {
    expected = pattern
    met = 0
    try {
      await body()
    } finally {
      expected = null
    }
    expect(met).toBeGreaterThan(0)
  }
  const close = async () => {
    await page.context().close()
    expect(faults).toEqual([])
  }
  return { page, faults, expecting, settled, forgive: () => void faults.splice(0), close }
}

/** @returns what waits until all that the page asks for from now on is answered */
function quietOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let lastMs = performance.now()
  page.on('request', (request) => {
    if (!request.url().endsWith('/events')) underWay.add(request)
  })
  // what the document before still asked for is never told to be over
  page.on('response', (answer) => {
    if (answer.request().isNavigationRequest()) underWay.clear()
  })
  const end = (request: Request) => {
    underWay.delete(request)
    lastMs = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    const startMs = performance.now()
    while (underWay.size > 0 || performance.now() - Math.max(startMs, lastMs) < QUIET_MS) {
      if (performance.now() - startMs > 20_000) {
        throw new Error(`Still under way: ${[...underWay].map((request) => request.url()).join(', ')}`)
      }
      await page.waitForTimeout(50)
    }
  }
}

export interface FileToDrop {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Drops files as a hand does: by events with a DataTransfer, which only the page can make. */
export async function drop(page: Page, files: readonly FileToDrop[], onto = 'body'): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  const transfer = await page.evaluateHandle((parts) => {
    const data = new DataTransfer()
    for (const { name, base64 } of parts) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name))
    }
    return data
  }, sent)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(onto, type, { dataTransfer: transfer })
}

/** Has the system prefer a theme; the page follows in its next frame. */
export async function preferTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, colorScheme)
}

/** The first run in a browser: account, kilometres and zones of a runner of 35, up to the question for runs. */
export async function welcome(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Username').fill(USERNAME)
  await page.getByLabel('Password').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('radio', { name: 'Kilometres' }).check()
  await page.getByLabel('Age').fill('35')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Drop files anywhere').waitFor()
}
