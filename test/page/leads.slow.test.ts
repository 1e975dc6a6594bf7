import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { drop, startServer, watchedPage, welcome } from './browser.ts'
import { atAllWidths, DAY_MS, pageSuite, soon } from './suite.ts'

const START_MS = Date.UTC(2025, 9, 20, 7)

describe('where the page leads', () => {
  const { test, server, browser, open } = pageSuite(async ({ server }) => {
    await server.importRun(fitRun({ startMs: START_MS, seconds: 900 }))
  })

  test('a report of the set-up opens by its link, and the set-up is over', async () => {
    const fresh = await startServer()
    const { page, faults, close } = await watchedPage(browser(), fresh.address)
    await welcome(page, fresh.address)
    await drop(page, [{ name: 'first.fit', bytes: fitRun({ startMs: START_MS, seconds: 900 }) }])
    await page.locator('a[href*="/receipts/"]').click()
    await page.getByRole('heading', { name: 'first.fit' }).waitFor()
    await noViolations(page)
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(faults).toEqual([])
    await close()
    await fresh.stop()
  })

  test('the page of History is in its address: it survives a reload and Back', async () => {
    for (let day = 1; day <= 55; day += 1) {
      await server.importRun(fitRun({ startMs: START_MS - day * DAY_MS, seconds: 60 }))
    }
    const { page } = await open('/history')
    const shows = (text: string) => page.getByText(text, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await shows('Page 2 of 2')
    expect(new URL(page.url()).search).toBe('?page=2')
    await page.reload()
    await shows('Page 2 of 2')
    await page.locator('.row').last().getByRole('link').click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
    await page.goBack()
    await shows('Page 2 of 2')
    await page.goBack()
    await shows('Page 1 of 2')
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    await page.goto(`${server.address}/app/history?page=none`)
    await shows('Page 1 of 2')
  })

  test('an unknown address is the page that says so, with a way out', async () => {
    const { page, expecting } = await open('')
    await expecting(/nowhere$/, async () => {
      expect((await page.goto(`${server.address}/nowhere`))?.status()).toBe(404)
    })
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await soon(async () => (await page.title()) === 'Page not found · Harrier')
    await atAllWidths(page)
    await page.getByRole('link', { name: 'Go to dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})
