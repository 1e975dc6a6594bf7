import { describe, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { png } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { preferTheme } from './browser.ts'
import { DAY_MS, fromMenu, inBothThemes, PHONE, pageSuite, tooWide } from './suite.ts'

/** Apple and Google advise 44 and 48; from 40 on nobody misses. */
const LEAST_TARGET_PX = 40

describe('the page in the hand', () => {
  let runId: string
  let longId: string
  const { test, server, open } = pageSuite(async ({ server }) => {
    const now = Date.now()
    runId = await server.importRun(fitRun({ startMs: now - 60_000, seconds: 1500 }))
    for (const days of [3, 9, 20, 200, 400]) {
      await server.importRun(fitRun({ startMs: now - days * DAY_MS, seconds: 900 + days }))
    }
    // 54 km at 3 m/s
    longId = await server.importRun(gpxRun({ startMs: now - 30 * DAY_MS, seconds: 18_000, name: 'All day' }), 'day.gpx')
    await server.addMedia(runId, 'a.png', png(3))
    await server.addMedia(runId, 'b.png', png(4))
    await server.send('POST', '/shoes', { brand: 'Hoka', model: 'Clifton 9' })
  })

  const opened = async (at: string, options = {}) => (await open(at, options)).page

  test('goes through the charts of the dashboard with the arrow keys and announces each place', async () => {
    const page = await opened('')
    await page.locator('.year .pointable svg').waitFor()
    await page.locator('.strip-days .shade-4').first().waitFor()
    await page.locator('.year-bars .bar').last().waitFor()
    const stated = (chart: Locator) => chart.getAttribute('aria-valuetext')
    for (const chart of ['.strip-days', '.year .pointable', '.year-bars .bars']) {
      const place = page.locator(chart)
      await place.focus()
      const texts = [await stated(place)]
      for (const key of ['ArrowLeft', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key)
        texts.push(await stated(place))
      }
      expect([chart, new Set(texts).size]).toEqual([chart, texts.length])
      await page.keyboard.press('Escape')
      expect([chart, await stated(place)]).toEqual([chart, texts[0] ?? ''])
    }
    const days = page.locator('.strip-days')
    await days.focus()
    await page.keyboard.press('Home')
    expect(await stated(days)).toEndWith('· no run')
    await page.keyboard.press('End')
    // 1500 s at 3 m/s
    expect(await stated(days)).toEndWith('· 4.5\u00a0km')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\?from=(.{10})&to=\1&counted=yes$/)
    await page.getByText('1 run found').waitFor()
  })

  test('shows the distance of a day on its bar, whichever is the longest', async () => {
    const page = await opened('')
    await page.locator('.week-bars .value').first().waitFor()
    const gaps = await page.locator('.week-bars .column').evaluateAll((columns) =>
      columns.flatMap((column) => {
        const value = column.querySelector('.value')?.getBoundingClientRect()
        const bar = column.querySelector('.bar')?.getBoundingClientRect()
        return value === undefined || bar === undefined ? [] : [bar.top - value.bottom]
      }),
    )
    expect(gaps.length).toBeGreaterThan(0)
    for (const gap of gaps) expect(gap).toBeWithin(-1, 5)
  })

  test('points at a day of the year with a finger, and keeps it when the finger is lifted', async () => {
    const page = await opened('', PHONE)
    const chart = page.locator('.year .pointable')
    await chart.locator('svg').waitFor()
    await chart.scrollIntoViewIfNeeded()
    const { width, height } = (await chart.boundingBox())!
    const before = await page.locator('.year-sum').textContent()
    await chart.tap({ position: { x: width * 0.4, y: height / 2 } })
    await page.locator('.year .pointer').waitFor({ state: 'attached' })
    expect(await page.locator('.year-sum').textContent()).not.toBe(before)
  })

  test('has room for a finger at everything that can be pressed', async () => {
    const page = await opened('', PHONE)
    for (const [at, sign] of [
      ['', '.highlights li, .highlights p'],
      ['/runs?min=1', '.run-line'],
      ['/bests', '.best-top'],
      ['/shoes', '.shoe'],
      ['/settings', '.zones'],
      ['/training', '.tc-key'],
      ['/training?view=fitness', '.training .numbers'],
      ['/training?view=endurance', '.in-key'],
      ['/training?view=goals', '.card p'],
      ['/training?view=races', '.card p'],
      ['/training?view=calendar', '.heat-key'],
      [`/runs/${runId}`, '.splits tbody tr'],
      ['/runs?q=nothing+like+it', '.empty'],
    ] as const) {
      await page.goto(`${server.address}/app${at}`)
      await page.locator(sign).first().waitFor()
      await page.waitForTimeout(150)
      expect([at, await smallTargets(page, LEAST_TARGET_PX)]).toEqual([at, []])
    }
  })

  test('shows where the numbers come from within the width of a phone, with room for a finger', async () => {
    const page = await opened(`/runs/${runId}`, PHONE)
    await page.locator('.run-sources summary').tap()
    await page.locator('.sources-number').first().waitFor()
    expect(await smallTargets(page, LEAST_TARGET_PX)).toEqual([])
    expect(await tooWide(page)).toEqual([])
  })

  test.each([390, 1100])(
    'asks in dialogs that fit at %d px, without a finding of axe in either theme, and closes them with Escape',
    async (width) => {
      const page = await opened(`/runs/${runId}`, { viewport: { width, height: 844 } })
      const dialog = page.locator('dialog[open]')
      const judged = async (open: () => Promise<void>) => {
        await open()
        await dialog.waitFor()
        const box = (await dialog.boundingBox())!
        expect([box.x >= 0, box.x + box.width <= width, box.y >= 0, box.y + box.height <= 845]).toEqual(
          Array(4).fill(true),
        )
        await inBothThemes(page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      await page.locator('.chart-host canvas').first().waitFor()
      await inBothThemes(page)
      await judged(() => fromMenu(page, 'Crop…'))
      await judged(() => page.getByRole('button', { name: 'Show a.png' }).click())
      await judged(() => page.getByRole('button', { name: 'Street map' }).click())
      await page.goto(`${server.address}/app/shoes`)
      await judged(() => page.getByRole('button', { name: 'Add shoes' }).click())
      await page.goto(`${server.address}/app/settings`)
      await judged(() => page.getByRole('button', { name: 'Recalculate' }).first().click())
    },
  )

  test('holds on to the question for a new login, however often Escape is pressed', async () => {
    const { page, forgive } = await open('/shoes')
    await page.locator('.shoe').waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    const login = page.getByRole('dialog', { name: 'Your login has expired' })
    await login.waitFor()
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('Escape')
    await page.waitForTimeout(100)
    expect(await login.isVisible()).toBe(true)
    forgive()
  })

  test('closes a menu when Tab leaves it', async () => {
    const page = await opened('/shoes')
    await page.getByRole('button', { name: 'Actions for Hoka Clifton 9' }).click()
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('[role=menu]').waitFor({ state: 'detached' })
  })

  test('gives a run another name where it stands, and leaves the focus where Tab took it', async () => {
    const page = await opened(`/runs/${runId}`)
    const focused = () =>
      page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.getAttribute('title')
      })
    await page.getByTitle('Rename').click()
    await page.keyboard.type('Discarded')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Rename')
    expect(await page.getByTitle('Rename').textContent()).not.toContain('Discarded')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Canal')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('More actions')
    const stored = async () => (await server.get<{ name: string | null }>(`/workouts/${runId}`)).name
    for (let tries = 0; tries < 600 && (await stored()) === null; tries += 1) await Bun.sleep(100)
    expect(await stored()).toBe('Canal')
  })

  test('shows a very long run in groups of five splits, each of them or all when asked', async () => {
    const page = await opened(`/runs/${longId}`)
    const rows = page.locator('.splits tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(11)
    await page.getByRole('button', { name: 'Splits 6–10: show each' }).click()
    expect(await rows.count()).toBe(16)
    await noViolations(page)
    await page.getByRole('button', { name: 'Splits 6–10: show as one' }).click()
    await page.getByRole('button', { name: 'Show all 54 splits' }).click()
    expect(await rows.count()).toBe(54)
  })

  test.each([
    ['reduce', 0],
    ['no-preference', 1],
  ] as const)('moves nothing for who wants no motion: %s', async (reducedMotion, least) => {
    const page = await opened('/shoes', { reducedMotion })
    await page.getByRole('button', { name: 'Add shoes' }).click()
    await page.getByRole('dialog').waitFor()
    // told by the styles: the animations themselves may be over when they are looked for
    const seconds = await page.evaluate(() =>
      [...document.querySelectorAll('*')].map((element) => {
        const { animationDuration, animationName, transitionDuration } = getComputedStyle(element)
        const animationS = animationName === 'none' ? 0 : Number.parseFloat(animationDuration)
        return animationS + Math.max(...transitionDuration.split(',').map(Number.parseFloat))
      }),
    )
    expect(Math.min(1, Math.ceil(Math.max(...seconds)))).toBe(least)
  })

  test('follows the theme of the system until one is chosen', async () => {
    const page = await opened('/settings', { colorScheme: 'dark' })
    const theme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await theme()).toBe('dark')
    await preferTheme(page, 'light')
    expect(await theme()).toBe('light')
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await theme()).toBe('dark')
    await page.reload()
    expect(await theme()).toBe('dark')
    await page.getByRole('radio', { name: 'System' }).check()
    expect(await theme()).toBe('light')
  })

  // the last one, since it also ends the session by which the tests import
  test('logs out other devices, and stays logged in itself', async () => {
    const other = await open('/shoes')
    await other.page.locator('.shoe').waitFor()
    const { page, forgive } = await open('/settings#password')
    await page.getByRole('button', { name: 'Log out other devices' }).click()
    await page.getByText('Other devices logged out').waitFor()
    await page.getByRole('link', { name: 'Shoes', exact: true }).click()
    await page.locator('.shoe').waitFor()
    await other.page.getByRole('link', { name: 'Runs', exact: true }).click()
    await other.page.getByRole('dialog', { name: 'Your login has expired' }).waitFor()
    other.forgive()
    // calls that were under way are refused, and sent again
    forgive()
  })

  test('repeats what was sent before other devices were logged out and is refused after it', async () => {
    const { page, forgive } = await open('/settings#password')
    const answer = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const refusal = { status: 401, json: { error: 'Authentication required' } }
    await page.route(
      (url) => url.pathname === '/shoes',
      async (route) => {
        asked.resolve()
        await answer.promise
        await route.fulfill(refusal)
      },
      { times: 1 },
    )
    await page.getByRole('link', { name: 'Shoes', exact: true }).click()
    await asked.promise
    await page.goBack()
    await page.getByRole('button', { name: 'Log out other devices' }).click()
    await page.getByText('Other devices logged out').waitFor()
    const repeated = page.waitForResponse((response) => response.url().endsWith('/shoes') && response.status() === 200)
    answer.resolve()
    await repeated
    expect(await page.getByRole('dialog').count()).toBe(0)
    forgive()
  })
})

/** What can be pressed and is smaller than that; links within sentences and drawn handles are as large as their line. */
function smallTargets(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select, summary, textarea')) {
      if (element.closest('.hidden-text, .skip, [hidden], tr, .highlight-list') !== null) continue
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      if (width > 1 && (width < least || height < least)) {
        found.push(`${element.tagName} ${element.className} ${element.textContent} ${width} x ${height}`)
      }
    }
    // a line of a table is pressed as a whole
    for (const row of document.querySelectorAll<HTMLElement>('tr:has(a, button), .highlight-list li')) {
      if (row.getBoundingClientRect().height < least) found.push(`row ${row.textContent}`)
    }
    return found
  }, leastPx)
}
