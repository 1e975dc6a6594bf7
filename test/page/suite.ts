// What the tests of the page have in common: a server, a browser, and pages that are closed after each test.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { noViolations, OF_COLOURS } from './axe.ts'
import { chromiumPath, launch, preferTheme, type Server, type Watched } from './browser.ts'
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
}

/**
 * A server and a browser for the tests of a file or a `describe`.
 * @param fill called before the first test
 */
export function pageSuite(
  fill?: (suite: Suite) => Promise<void>,
  start: () => Promise<Server & Partial<RunServer>> = startRunServer,
): Suite {
  setDefaultTimeout(120_000)
  const server = {} as RunServer
  let browser: Browser | undefined
  const opened: Watched[] = []
  const kept: Watched[] = []
  const open: Suite['open'] = async (at, options = {}) => {
    const watched = await loggedInPage(browser!, server.address, options)
    opened.push(watched)
    await watched.page.goto(`${server.address}/app${at}`)
    return watched
  }
  const suite: Suite = { test: test.skipIf(chromium === null), server, browser: () => browser!, open }
  beforeAll(async () => {
    if (chromium === null) return
    Object.assign(server, await start())
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
    await server.stop?.()
  })
  return suite
}

type Name = string | RegExp

/** A dialog while one is open, else all of the page. */
const inFront = (page: Page) => page.locator('dialog:modal, body:not(:has(dialog:modal))')

/** A name to press, texts to read, values to fill in by the labels of their fields. */
type Step = Name | readonly Name[] | Readonly<Record<string, string>>

/**
 * Steps of a hand, one after the other. A name is pressed: of a button, a link, an entry of a menu or a tab. A list of texts
 * is waited for, until each can be read. Values are written into fields, or chosen from lists, by their labels.
 */
export async function act(page: Page, ...steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'string' || step instanceof RegExp) await press(page, step)
    else if (Array.isArray(step)) await reads(page, ...(step as readonly Name[]))
    else await fill(page, step as Readonly<Record<string, string>>)
  }
}

async function press(page: Page, name: Name): Promise<void> {
  const place = inFront(page)
  const named = (role: 'button' | 'link' | 'menuitem' | 'tab') => place.getByRole(role, { name, exact: true })
  const pressed = named('button').or(named('link')).or(named('menuitem')).or(named('tab'))
  await pressed.filter({ visible: true }).first().click()
}

/** Waits until each of these texts can be read. */
export async function reads(place: Page | Locator, ...texts: readonly Name[]): Promise<void> {
  for (const text of texts) await place.getByText(text).filter({ visible: true }).first().waitFor()
}

/** Waits until none of these texts can be read. */
export async function gone(place: Page | Locator, ...texts: readonly Name[]): Promise<void> {
  for (const text of texts)
    await soon(async () => (await place.getByText(text).filter({ visible: true }).count()) === 0)
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const like = inFront(page).getByLabel(label)
    await like.filter({ visible: true }).first().waitFor()
    const exact = inFront(page).getByLabel(label, { exact: true })
    const field = ((await exact.count()) > 0 ? exact : like).and(page.locator('input, select, textarea')).first()
    if (await field.evaluate((element) => element instanceof HTMLSelectElement)) await field.selectOption(value)
    else await field.fill(value)
  }
}

/** What is pressed to download a file. @returns its name and its bytes */
export async function saved(page: Page, save: () => Promise<unknown>): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download'), save()])
  return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() }
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

/** Chooses from the menu of a run. */
export async function fromMenu(page: Page, item: string): Promise<void> {
  await act(page, 'More actions', item)
}

export async function soon(isTrue: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 20_000
  while (!(await isTrue())) {
    if (Date.now() > until) throw new Error(`It did not come true: ${isTrue}`)
    await Bun.sleep(25)
  }
}
