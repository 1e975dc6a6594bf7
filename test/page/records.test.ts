// How an effort stands, the runner's word on it, and how records fell, in a real browser.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { fitRun } from '../fixtures/runs.ts'
import { chromiumPath, launch, noViolations, preferTheme } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'

setDefaultTimeout(120_000)

const chromium = chromiumPath()
const DAY_MS = 86_400_000
const WIDTHS = process.env.SCREENSHOTS === undefined ? [390, 1600] : [390, 1024, 1600]

let server: RunServer
let browser: Browser
const ids: string[] = []

beforeAll(async () => {
  if (chromium === null) return
  server = await startRunServer()
  browser = await launch(chromium)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // each faster than the one before, the last two of this year's last days
  for (const [daysAgo, speedMps] of [
    [800, 2.6],
    [430, 2.7],
    [20, 2.8],
    [5, 3.1],
  ] as const) {
    ids.push(await server.importRun(fitRun({ startMs: today - daysAgo * DAY_MS, seconds: 900, speedMps })))
  }
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function shown(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== undefined) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` })
}

test.skipIf(chromium === null)('a run shows the ranks of its efforts, the runner decides which count', async () => {
  for (const width of WIDTHS) {
    const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width, height: 900 } })
    await page.goto(`${server.address}/app/runs/${ids[3]}`)
    const row = page.locator('.run-best tbody tr', { hasText: '1K' }).first()
    await row.getByText('Best ever').waitFor()
    await row.scrollIntoViewIfNeeded()
    for (const theme of ['light', 'dark'] as const) {
      await preferTheme(page, theme)
      await noViolations(page)
      await shown(page, `efforts-${width}-${theme}`)
    }
    await row.getByRole('button', { name: 'Your word on 1K' }).click()
    await page.getByRole('menuitem', { name: 'Not a record' }).click()
    await row.getByText('You said: not a record').waitFor()
    await row.getByRole('button', { name: 'Your word on 1K' }).click()
    await page.getByRole('menuitem', { name: 'Take your word back' }).click()
    await row.getByText('Best ever').waitFor()
    await page.goto(`${server.address}/app/runs/${ids[2]}`)
    await page.locator('.run-best tbody tr', { hasText: '1K' }).first().getByText('2nd ever').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }
})

test.skipIf(chromium === null)('the list shows who holds a place among the first three', async () => {
  const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width: 390, height: 900 } })
  await page.goto(`${server.address}/app/runs`)
  const medals = page.locator('.run-medals')
  await medals.first().waitFor()
  // the first three of four runs at each distance
  expect(await medals.count()).toBe(3)
  expect(await medals.first().getAttribute('title')).toContain('record 400m')
  await noViolations(page)
  await shown(page, 'medals')
  expect(faults).toEqual([])
  await page.context().close()
})

test.skipIf(chromium === null)('a run that is left out holds no record, and comes back', async () => {
  const { page, faults } = await loggedInPage(browser, server.address)
  await page.goto(`${server.address}/app/runs/${ids[3]}`)
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Leave out of statistics')
  const notice = page.getByText('This run is left out of statistics and records.')
  await notice.waitFor()
  await choose('Count in statistics')
  // the answer is there: closing the page cuts nothing off
  await notice.waitFor({ state: 'hidden' })
  await page.locator('.run-best').getByText('Best ever').first().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.skipIf(chromium === null)(
  'records of all time, of twelve months and of this year; a distance opens how its record fell',
  async () => {
    for (const width of WIDTHS) {
      const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width, height: 900 } })
      await page.goto(`${server.address}/app`)
      const card = page.locator('.efforts')
      await card.getByRole('radio', { name: '12 months' }).check()
      await card.getByRole('button', { name: '1K: your record over time' }).waitFor()
      await card.getByRole('radio', { name: 'Ever' }).check()
      await card.getByRole('button', { name: '1K: your record over time' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('the first').waitFor()
      expect(await dialog.locator('.progress-table').first().locator('tbody tr').count()).toBe(4)
      for (const theme of ['light', 'dark'] as const) {
        await preferTheme(page, theme)
        await noViolations(page)
        await shown(page, `progress-${width}-${theme}`)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(faults).toEqual([])
      await page.context().close()
    }
  },
)
