// What the tests of the page have in common: a server, a browser, and pages that are closed after each test.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { noViolations, OF_COLOURS } from './axe.ts'
import { chromiumPath, launch, preferTheme, type Watched } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'

export const DAY_MS = 86_400_000
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const
const chromium = chromiumPath()

export interface Suite {
  /** Skipped where there is no browser. */
  readonly test: typeof test
  /** There once the tests run. */
  readonly server: RunServer
  readonly browser: () => Browser
  /** Opens an address below /app. What a test opens is closed after it; no page may have met a fault. */
  open(at: string, options?: BrowserContextOptions): Promise<Watched>
  /**
   * At each width, in each theme but at the smallest, nothing is wider than the window or unreadable; opened and checked at
   * the smallest and at the largest width.
   */
  everywhere(at: string, check: (page: Page) => Promise<unknown>, widths?: readonly number[]): Promise<void>
}

/**
 * A server and a browser for the tests of a file or a `describe`.
 * @param fill called before the first test
 */
export function pageSuite(fill?: (suite: Suite) => Promise<void>, start = () => startRunServer()): Suite {
  setDefaultTimeout(120_000)
  let real: RunServer
  let browser: Browser
  const opened: Watched[] = []
  const kept: Watched[] = []
  const server: RunServer = {
    get address() {
      return real.address
    },
    call: (path, init) => real.call(path, init),
    get: (path) => real.get(path),
    send: (method, path, body) => real.send(method, path, body),
    importRun: (file, fileName) => real.importRun(file, fileName),
    addMedia: (runId, fileName, bytes) => real.addMedia(runId, fileName, bytes),
    stop: () => real.stop(),
  }
  const open: Suite['open'] = async (at, options = {}) => {
    const watched = await loggedInPage(browser, real.address, options)
    opened.push(watched)
    await watched.page.goto(`${real.address}/app${at}`)
    return watched
  }
  const everywhere: Suite['everywhere'] = async (at, check, widths = [320, 390, 1600]) => {
    const { page } = await open(at, { viewport: { width: widths[0] ?? 0, height: 900 } })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      if (width === widths.at(-1)) {
        await page.goto(`${real.address}/app${at}`)
        // the same address with a fragment is not loaded again
        if (at.includes('#')) await page.reload()
      }
      if (width === widths[0] || width === widths.at(-1)) await check(page)
      if (width > 320) await inBothThemes(page)
      expect([width, await tooWide(page)]).toEqual([width, []])
    }
  }
  const suite: Suite = { test: test.skipIf(chromium === null), server, browser: () => browser, open, everywhere }
  beforeAll(async () => {
    if (chromium === null) return
    real = await start()
    browser = await launch(chromium)
    await fill?.(suite)
    kept.push(...opened.splice(0))
  }, 120_000)
  afterEach(async () => {
    for (const { faults } of kept) expect(faults).toEqual([])
    for (const { close } of opened.splice(0)) await close()
  })
  afterAll(async () => {
    await browser?.close()
    await real?.stop()
  })
  return suite
}

/** What sticks out of the window to the right and is not inside of something that scrolls. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth + 1
    if (document.documentElement.scrollWidth <= edge) return []
    const found = [...document.querySelectorAll('main *')].flatMap((element) => {
      const { right } = element.getBoundingClientRect()
      return right > edge ? [`${element.tagName}.${element.getAttribute('class')} ${right}`] : []
    })
    return found.length > 0 ? found : ['the page']
  })
}

/** Judged by axe in the dark theme and the light one, which stays; a theme changes nothing but colours. */
export async function inBothThemes(page: Page): Promise<void> {
  await preferTheme(page, 'dark')
  await noViolations(page)
  await preferTheme(page, 'light')
  await noViolations(page, OF_COLOURS)
}

/** At the width of a phone, of a tablet and of a desk, which stays: readable, and nothing beyond the right edge. */
export async function atAllWidths(page: Page): Promise<void> {
  for (const [width, theme] of [
    [390, 'light'],
    [1024, 'dark'],
    [1600, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await preferTheme(page, theme)
    await noViolations(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
}

/** Chooses from the menu of a run. */
export async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

export async function soon(isTrue: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 20_000
  while (!(await isTrue())) {
    if (Date.now() > until) throw new Error(`It did not come true: ${isTrue}`)
    await Bun.sleep(25)
  }
}
