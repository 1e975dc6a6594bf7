// What the training card of one run says beside its numbers.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { chromiumPath, launch, noViolations, preferTheme, type Watched } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'

setDefaultTimeout(60_000)

const chromium = chromiumPath()
const DAY_MS = 86_400_000

let server: RunServer
let browser: Browser

beforeAll(async () => {
  if (chromium === null) return
  server = await startRunServer()
  browser = await launch(chromium)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

interface MadeRun {
  readonly startMs: number
  readonly lowestM?: number
  readonly climbM?: number
  readonly lon?: number
}

/** A run of 40 minutes without heart rate, which climbs evenly. */
async function imported({ startMs, lowestM = 200, climbM = 0, lon = 8 }: MadeRun): Promise<string> {
  const samples = Array.from({ length: 2401 }, (_, t) => ({
    ...{ t, lon, lat: 47 + (t * 3) / 111_170, distanceM: t * 3, speedMps: 3 },
    elevM: lowestM + (climbM * t) / 2400,
  }))
  return await server.importRun(fitFile({ startMs, samples, manufacturer: 1, product: 1967 }))
}

async function looked(path: string, name: string, check: (page: Watched['page']) => Promise<void>) {
  for (const width of [390, 1600]) {
    const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width, height: 900 } })
    await page.goto(server.address + path)
    await check(page)
    for (const theme of ['light', 'dark'] as const) {
      await preferTheme(page, theme)
      await noViolations(page)
      if (process.env.SCREENSHOTS === undefined) continue
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${theme}.png`, fullPage: true })
    }
    expect(faults).toEqual([])
    await page.context().close()
  }
}

test.skipIf(chromium === null)(
  'without a race the card says that easy runs read high, and where to set the pace',
  async () => {
    const run = await imported({ startMs: Date.now() - 3 * DAY_MS })
    await looked(`/app/runs/${run}`, 'guessed', async (page) => {
      const card = page.locator('.run-training')
      await card.locator('dd', { hasText: /^\d+ from pace/ }).waitFor()
      await card.getByText('so that easy runs read high').waitFor()
      await card.getByText('A race, or the pace that you hold for one hour, would make it surer.').waitFor()
      const link = card.getByRole('link', { name: 'Training settings' })
      expect(await link.getAttribute('href')).toBe('/app/settings#training')
    })
  },
)

test.skipIf(chromium === null)('a run above 1,000 m is marked with its altitudes, one below is not', async () => {
  const low = await imported({ startMs: Date.now() - 5 * DAY_MS, lowestM: 800, climbM: 190 })
  const high = await imported({ startMs: Date.now() - 4 * DAY_MS, lowestM: 920, climbM: 310 })
  await looked(`/app/runs/${high}`, 'altitude', async (page) => {
    await page
      .locator('.run-training')
      .getByText(/^Altitude 9\d\d to 1,2[123]\d\sm: above 1,000\sm/)
      .waitFor()
  })
  const { page } = await loggedInPage(browser, server.address)
  await page.goto(`${server.address}/app/runs/${low}`)
  const card = page.locator('.run-training')
  await card.getByText('Training settings').waitFor()
  expect(await card.getByText('Altitude').count()).toBe(0)
  await page.context().close()
})

test.skipIf(chromium === null)('a run near midnight far away says on which day statistics count it', async () => {
  // New York, 23:30 on 10 November 2025; Berlin, 5:30 on the 11th
  const run = await imported({ startMs: Date.UTC(2025, 10, 11, 4, 30), lon: -73.9 })
  const said = 'By your clock it was Tue, Nov 11, where weeks and days of the statistics count it.'
  const near = await imported({ startMs: Date.UTC(2025, 10, 12, 12, 0), lon: -73.9 })
  for (const width of [390, 1600]) {
    const options = { viewport: { width, height: 900 }, timezoneId: 'Europe/Berlin', locale: 'en-US' }
    const { page, faults } = await loggedInPage(browser, server.address, options)
    await page.goto(`${server.address}/app/runs?from=2025-11-01&to=2025-11-30`)
    await page.locator(`a[data-run="${run}"]`).getByText(said).waitFor()
    expect(await page.locator(`a[data-run="${near}"]`).getByText('By your clock').count()).toBe(0)
    await noViolations(page)
    if (process.env.SCREENSHOTS !== undefined) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/midnight-${width}.png` })
    }
    expect(faults).toEqual([])
    await page.context().close()
  }
})

test.skipIf(chromium === null)('the profile says how far a wrong value moves loads', async () => {
  await looked('/app/settings#training', 'sensitivity', async (page) => {
    await page.getByRole('button', { name: 'What is the effect of a wrong value?' }).click()
    await page.getByText('moves every load by 11 to 13 %').waitFor()
  })
})

test.skipIf(chromium === null)('all years of form are shown, more than one answer holds', async () => {
  const years = 13
  for (let k = 0; k <= 4 * years; k += 1) {
    const startedAt = new Date(Date.now() - (k * 365.25 * DAY_MS) / 4 - DAY_MS).toISOString()
    const body = JSON.stringify({ startedAt, distanceM: 10_000, durationS: 3600, name: `Run ${k}` })
    const headers = { 'content-type': 'application/json' }
    const answer = await server.call('/workouts', { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await looked('/app/training', 'all-years', async (page) => {
    await page.getByRole('radio', { name: 'All', exact: true }).check()
    const chart = page.getByRole('slider', { name: 'Fitness, fatigue, form and load by day' })
    await page.getByText('Load by month').waitFor()
    expect(Number(await chart.getAttribute('aria-valuemax'))).toBeGreaterThan(365 * years)
    await chart.focus()
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuetext')).toContain(String(new Date().getFullYear() - years))
  })
})
