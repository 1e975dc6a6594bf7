// Two years of a plausible runner on every screen of training, in both themes. SCREENSHOTS names a
// folder for pictures to look at.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launch, noViolations, preferTheme } from './browser.ts'
import { loggedInPage, type RunServer } from './run-server.ts'
import { startSeasonServer } from './season-server.ts'

setDefaultTimeout(240_000)

const chromium = chromiumPath()
/** Each width with the themes in which axe looks: it finds the same at the others. */
const ALL_WIDTHS = [
  [320, []],
  [390, ['light', 'dark']],
  [1024, ['dark']],
  [1600, ['light']],
] as const
/** The widest ones are for pictures; what is too wide is so at the narrow ones. */
const WIDTHS = process.env.SCREENSHOTS === undefined ? ALL_WIDTHS.slice(0, 2) : ALL_WIDTHS

let server: RunServer
let browser: Browser
let marathon = ''

beforeAll(async () => {
  if (chromium === null) return
  server = await startSeasonServer()
  browser = await launch(chromium)
  const found = (await (await server.call('/workouts?keyword=Marathon&runType=Race')).json()) as {
    items: { id: string }[]
  }
  marathon = found.items[0]?.id ?? ''
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

interface Screen {
  readonly name: string
  readonly path: string
  /** What stands there when all has come. */
  readonly there: (page: Page) => Promise<unknown>
}

const slider = (page: Page, name: RegExp) => page.getByRole('slider', { name }).waitFor()

const screens = (): readonly Screen[] => [
  { name: 'today', path: '/app', there: (page) => slider(page, /^Fitness, fatigue, form and load/) },
  { name: 'form', path: '/app/training', there: (page) => slider(page, /^Fitness, fatigue, form and load/) },
  {
    name: 'fitness',
    path: '/app/training?view=fitness',
    there: async (page) => {
      await slider(page, /^Effective VO2max/)
      await page.locator('.races tbody tr').first().waitFor()
      await page.getByText(/^(Critical pace|It cannot be told)/).waitFor()
    },
  },
  {
    name: 'endurance',
    path: '/app/training?view=endurance',
    there: async (page) => {
      await slider(page, /^Pace at \d+ bpm and decoupling by run/)
      await slider(page, /^Heartbeats per metre/)
      await slider(page, /^Easy, moderate and hard time/)
    },
  },
  {
    name: 'goals',
    path: '/app/training?view=goals',
    there: async (page) => {
      await page.locator('.goal-bar').first().waitFor()
      await slider(page, /^Form until the race/)
      await page.locator('.heat .day').first().waitFor()
    },
  },
  { name: 'run', path: `/app/runs/${marathon}`, there: (page) => page.locator('.run-training dd').first().waitFor() },
  {
    name: 'profile',
    path: '/app/settings#training',
    there: (page) => page.getByRole('button', { name: 'Save profile' }).waitFor(),
  },
]

test.skipIf(chromium === null).each(WIDTHS)('every screen is whole and readable at %d px', async (width, judged) => {
  const axed: readonly string[] = judged
  const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width, height: 900 } })
  for (const { name, path, there } of screens()) {
    await page.goto(server.address + path)
    await there(page)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([name, overflow <= 1]).toEqual([name, true])
    for (const theme of ['light', 'dark'] as const) {
      await preferTheme(page, theme)
      if (axed.includes(theme)) await noViolations(page)
      if (process.env.SCREENSHOTS !== undefined && width > 320) {
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${theme}.png`, fullPage: true })
      }
    }
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test.skipIf(chromium === null)(
  'the charts of endurance can be read by keys, opened by Enter, and shown as tables',
  async () => {
    const { page, faults } = await loggedInPage(browser, server.address)
    await page.goto(`${server.address}/app/training?view=endurance`)
    const chart = page.getByRole('slider', { name: /^Pace at \d+ bpm and decoupling by run/ })
    await chart.waitFor()
    await page.getByText(/^(Faster|Slower) at the same heart rate by .* \(19 in 20 between|^No clear change/).waitFor()
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\w+, .*: .*decoupling/)
    // warm days and their reason
    const warm = page.locator('.tc-dot.hollow title', { hasText: 'left out of the trend' })
    expect(await warm.count()).toBeGreaterThan(0)
    // a log of two years fits one window, so that all of it has a trend
    const dots = await page.locator('.tc-dot').count()
    await page.getByRole('radio', { name: 'All' }).check()
    await page.waitForFunction((before) => document.querySelectorAll('.tc-dot').length > before, dots)
    await page.getByText(/^(Faster|Slower) at the same heart rate by |^No clear change/).waitFor()
    const weeks = page.getByRole('slider', { name: /^Easy, moderate and hard time/ })
    await weeks.focus()
    await page.keyboard.press('Home')
    expect(await weeks.getAttribute('aria-valuetext')).toMatch(/^Week from .*: \d+\s% easy · easy \d/)
    const long = page.getByRole('slider', { name: /^Heartbeats per metre/ })
    await long.focus()
    await page.keyboard.press('Home')
    expect(await long.getAttribute('aria-valuetext')).toBe(
      'The 5 km from 5 km on: A 1.000 · B 1.000 · C 1.000 · D 1.000 · E 1.000 · F 1.000',
    )
    const tables = page.getByText('As a table')
    expect(await tables.count()).toBe(3)
    for (let index = 0; index < 3; index += 1) await tables.nth(index).click()
    await page.locator('.table-view tbody').nth(2).waitFor()
    expect(await page.locator('.table-view tbody').nth(2).locator('tr').count()).toBe(12)
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}$/)
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.skipIf(chromium === null)('both halves of a decoupling are shaded on the charts of their run', async () => {
  const { runs } = (await (await server.call('/training/efficiency')).json()) as {
    runs: { workoutId: string; decouplingPct: number | null }[]
  }
  const id = runs.findLast(({ decouplingPct }) => decouplingPct !== null)?.workoutId
  const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width: 390, height: 844 } })
  await page.goto(`${server.address}/app/runs/${id}`)
  await page.getByRole('button', { name: 'Show both halves on the charts' }).click()
  const halves = page.locator('.chart-half')
  await halves.first().waitFor()
  // of pace and heart rate
  expect(await halves.count()).toBe(4)
  expect(await halves.allTextContents()).toEqual(['First half', 'Second half', '', ''])
  await page.getByText(/^A heartbeat took you \d\.\d\d\sm in the first half, \d\.\d\d\sm in the second\.$/).waitFor()
  const boxes = await Promise.all([0, 1].map((half) => halves.nth(half).boundingBox()))
  expect(boxes[0]!.x + boxes[0]!.width).toBeCloseTo(boxes[1]!.x, 0)
  for (const theme of ['light', 'dark'] as const) {
    await preferTheme(page, theme)
    await noViolations(page)
  }
  await page.getByRole('button', { name: 'Hide the halves' }).click()
  await halves.first().waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await page.context().close()
})

test.skipIf(chromium === null)('the days of a year, another year and another measure', async () => {
  const { page, faults } = await loggedInPage(browser, server.address)
  await page.goto(`${server.address}/app/training?view=goals`)
  // this year may have begun today
  const year = new Date().getUTCFullYear() - 1
  await page.getByRole('slider', { name: `Days of ${year + 1}.` }).waitFor()
  await page.getByLabel('Year', { exact: true }).selectOption(String(year))
  const days = page.getByRole('slider', { name: `Days of ${year}.` })
  await days.waitFor()
  await days.focus()
  await page.keyboard.press('Home')
  expect(await days.getAttribute('aria-valuetext')).toMatch(/ · (no run|1 run · .*\skm · .*\smin · load \d+)/)
  expect(await page.locator('.heat .race').count()).toBeGreaterThan(0)
  const borders = await page.locator('.heat-key').textContent()
  expect(borders).toMatch(/to [\d.]+\skm.*to [\d.]+\skm.*to [\d.]+\skm.*more/)
  await page.getByRole('radio', { name: 'Load' }).check({ force: true })
  await page.locator('.heat-key', { hasText: /to \d+ load/ }).waitFor()
  await page.getByText('Weeks with 3 runs').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
