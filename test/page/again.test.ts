import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { chromiumPath, launch, noViolations, type Watched } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'

const DAY_MS = 86_400_000
const path = chromiumPath()

describe.skipIf(path === null)('the same ground again, on the page of a run', () => {
  let browser: Browser
  let server: RunServer
  let watched: Watched
  let page: Page

  beforeAll(async () => {
    server = await startRunServer()
    await server.importRun(fitRun({ startMs: START_MS - 3 * DAY_MS, speedMps: 3.2 }), 'a.fit')
    await server.importRun(fitRun({ startMs: START_MS - 2 * DAY_MS, speedMps: 2.8 }), 'b.fit')
    const id = await server.importRun(fitRun({ startMs: START_MS }), 'c.fit')
    browser = await launch(path ?? '')
    watched = await loggedInPage(browser, server.address)
    page = watched.page
    await page.goto(`${server.address}/app/runs/${id}`)
    await page.locator('.chart-host canvas').first().waitFor()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('a stretch that is selected on a chart lists every time it was run', async () => {
    const box = (await page.locator('.chart-host .u-over').first().boundingBox())!
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 6 })
    await page.mouse.up()
    const card = page.getByRole('region', { name: 'You have been here before' })
    await card.getByText('3 times here; this run 2nd').waitFor()
    expect(await card.locator('tbody tr').count()).toBe(3)
    await card.getByRole('rowheader', { name: 'This run' }).waitFor()
    expect(await card.getByRole('link').count()).toBe(2)
    await noViolations(page)
    await page.getByRole('button', { name: 'Show all' }).click()
    await card.waitFor({ state: 'detached' })
  }, 30_000)

  test('a stretch that is selected along the route on the map as well', async () => {
    const box = (await page.locator('.map-frame').boundingBox())!
    // the route goes straight up in the middle
    const at = (share: number) => [box.x + box.width / 2, box.y + box.height * share] as const
    await page.keyboard.down('Shift')
    await page.mouse.move(...at(0.6))
    await page.mouse.down()
    await page.mouse.move(...at(0.4), { steps: 6 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    const card = page.getByRole('region', { name: 'You have been here before' })
    await card.getByText('3 times here; this run 2nd').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await card.waitFor({ state: 'detached' })
  }, 30_000)

  test('"Race it" shows the gap to an earlier run, and ends again', async () => {
    const race = page.getByRole('button', { name: /^Race it/ })
    await race.first().click()
    const card = page.getByRole('region', { name: 'Against the ghost' })
    await card.getByText(/ahead of the run of/).waitFor()
    await card.locator('.gap-path').waitFor()
    await card.locator('.gap-line svg').hover()
    await card.getByText(/ahead at \d/).waitFor()
    await noViolations(page)
    await card.getByRole('button', { name: 'End the race' }).click()
    await card.waitFor({ state: 'detached' })
    expect(watched.faults).toEqual([])
  }, 30_000)
})
