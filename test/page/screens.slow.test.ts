import { afterAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { PASSWORD, preferTheme, type Server, startServer, watchedPage, welcome } from './browser.ts'
import type { RunServer } from './run-server.ts'
import { DAY_MS, inBothThemes, pageSuite } from './suite.ts'

/** The smallest phone, a phone, a tablet upright and across, a wide screen; colours take no room, so the fit is judged in one theme, contrast in both. */
const LOOKS = [
  [320, 'dark'],
  [390, 'light'],
  [768, 'dark'],
  [1024, 'light'],
  [1600, 'dark'],
] as const
const LONG = 'A name as long as a marathon in the rain, with everyone who was there and what they wore that day'
/** Less than this nobody sees (web.dev calls up to 0.1 good). */
const LEAST_SHIFT = 0.005

describe('every screen', () => {
  let empty: Server
  const {
    test,
    server: full,
    browser,
  } = pageSuite(async ({ server, browser }) => {
    empty = await startServer()
    const { page, close } = await watchedPage(browser(), empty.address)
    await welcome(page, empty.address)
    await close()
    await fill(server)
  })
  afterAll(() => empty?.stop())

  async function loggedIn(address: string, width: number, colorScheme: 'light' | 'dark') {
    const viewport = { width, height: width < 500 ? 844 : 900 }
    const watched = await watchedPage(browser(), address, { viewport, colorScheme })
    const { page } = watched
    await page.addInitScript(countShifts)
    await page.goto(address)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').fill(PASSWORD)
    expect(await unfitting(page)).toEqual([])
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('.topbar').waitFor()
    return watched
  }

  test.each(LOOKS)(
    'fits at %d px in %s, stays where it is while it loads, and has no finding of axe',
    async (width, theme) => {
      const { page, close } = await loggedIn(full.address, width, theme)
      for (const [place, sign] of [
        ['', '.highlights li, .highlights p'],
        ['/runs', '.run-line'],
        ['/runs?q=nothing+like+it', '.empty'],
        ['/runs?min=1&type=Race', '.chip'],
        ['/bests', '.best-parts'],
        ['/shoes', '.shoe'],
        ['/settings', '.zones'],
      ] as const) {
        await page.goto(`${full.address}/app${place}`)
        await page.locator(sign).first().waitFor()
        await page.waitForTimeout(200)
        expect([place, await unfitting(page)]).toEqual([place, []])
        expect([place, await shiftOf(page)]).toEqual([place, []])
        if (width !== 390 && width !== 1600) continue
        await inBothThemes(page)
        await preferTheme(page, theme)
      }
      await close()
    },
  )

  test.each([
    [390, 'dark'],
    [1600, 'light'],
  ] as const)('without runs fits at %d px in %s and says what to do', async (width, theme) => {
    const { page, close } = await loggedIn(empty.address, width, theme)
    for (const [place, words] of [
      ['', 'No runs yet'],
      ['/runs', 'Drop files anywhere on this page'],
      ['/bests', 'No personal bests yet'],
      ['/shoes', 'No shoes yet'],
    ] as const) {
      await page.goto(`${empty.address}/app${place}`)
      await page.getByText(words).waitFor()
      expect([place, await unfitting(page)]).toEqual([place, []])
      await noViolations(page)
    }
    await close()
  })

  test('is reached and used with the keyboard alone', async () => {
    const { page } = await loggedIn(full.address, 1024, 'light')
    await page.goto(`${full.address}/app/shoes`)
    await page.locator('.shoe').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    for (const name of [
      'Harrier, dashboard',
      'Dashboard',
      'Runs',
      'Training',
      'Bests',
      'Map',
      'Shoes',
      'Settings',
      'Add a run',
      'Import',
      'Account: runner',
    ]) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(name)
    }
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    expect(await focused(page)).toMatch(/theme$/)
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Account: runner')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Add shoes')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await focused(page)).toBe('Brand')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Add shoes')
    await page.context().close()
  })

  test('says in a sentence what is wrong when the service cannot answer, and tries again', async () => {
    const { page } = await loggedIn(full.address, 1024, 'dark')
    const broken = { status: 500, contentType: 'application/json', body: '{"error":"Internal server error"}' }
    await page.route(
      ({ pathname }) => pathname === '/shoes',
      (route) => route.fulfill(broken),
    )
    await page.goto(`${full.address}/app/shoes`)
    await page.getByRole('alert').waitFor()
    await noViolations(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.shoe').first().waitFor()
    // a stream of events that opens would try again before the button is pressed
    for (const broken of [/\/events/, /\/workouts\?/]) await page.route(broken, (route) => route.abort())
    await page.goto(`${full.address}/app/runs`)
    await page.getByText('Can’t reach Harrier').waitFor()
    await page.unroute(/\/workouts\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.run-line').first().waitFor()
    await page.context().close()
  })
})

/** A few runs of this and the last year, one with a long name, and two pairs of shoes. */
async function fill(server: RunServer): Promise<void> {
  const now = Date.now()
  for (const [index, days] of [1, 2, 6, 9, 30, 200, 370, 400, 500, 620, 700, 701].entries()) {
    const made = { startMs: now - days * DAY_MS, seconds: 900 + 300 * index, hr: 130 + index * 3 }
    if (index === 1) await server.importRun(gpxRun({ ...made, name: LONG }), 'long.gpx')
    else await server.importRun(fitRun(made))
  }
  await server.send('POST', '/shoes', { brand: 'Hoka', model: LONG.slice(0, 90), initialMileageM: 612_000 })
  await server.send('POST', '/shoes', { brand: 'Saucony', model: 'Endorphin' })
}

/** Elements beyond the sides of the window, and texts cut off without dots. */
function unfitting(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found: string[] = []
    if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways')
    for (const element of document.querySelectorAll<HTMLElement>('#app *')) {
      // the kinds of runs scroll automatically on a phone
      if (element.closest('.hidden-text, .chips, .skip, svg, option') !== null) continue
      const { left, right, width: own } = element.getBoundingClientRect()
      const name = `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`
      if (own > 1 && (left < -1 || right > width + 1)) found.push(`outside: ${name}`)
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = element.children.length === 0 && element.scrollWidth > element.clientWidth + 1
      if (isCut && overflowX === 'hidden' && textOverflow !== 'ellipsis') found.push(`cut off: ${name}`)
    }
    return found
  })
}

/** What moved while nobody touched anything, when all of it together can be seen. */
async function shiftOf(page: Page): Promise<string[]> {
  const { sum, moved } = await page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)
  return sum < LEAST_SHIFT ? [] : [`${sum}`, ...moved]
}

interface Shifts {
  sum: number
  readonly moved: string[]
}

/** Adds up in the window by how much things moved. */
function countShifts(): void {
  const shifts: Shifts = { sum: 0, moved: [] }
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node: Element | null }[]
      }
      if (hadRecentInput) continue
      shifts.sum += value
      shifts.moved.push(...sources.map(({ node }) => `${node?.nodeName} ${node?.className}`))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What a reader of the screen calls the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return (label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
  })
}
