// What the training card of one run says beside its numbers.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { DAY_MS, pageSuite } from './suite.ts'

const { test, server, open, everywhere } = pageSuite(async () => {
  // a threshold, and so a load by pace, needs four runs
  for (let daysAgo = 6; daysAgo < 10; daysAgo += 1) await imported({ startMs: Date.now() - daysAgo * DAY_MS })
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

const looked = (at: string, check: (page: Page) => Promise<unknown>) => everywhere(at, check, [390, 1600])

test('without heart rate the card says how loads by pace are scaled, and where to set the pace', async () => {
  const run = await imported({ startMs: Date.now() - 3 * DAY_MS })
  await looked(`/runs/${run}`, async (page) => {
    const card = page.locator('.run-training')
    // 40 minutes at 50 an hour, and 1.2816 times the spread of 0.20 to either side
    await card.locator('dd', { hasText: '33 from pace (26–43)' }).waitFor()
    await card.getByText('your typical run counts as a load of 50 an hour').waitFor()
    await card.getByText('Your threshold pace, or eight runs with heart rate, would make it more accurate.').waitFor()
    const link = card.getByRole('link', { name: 'Training settings' })
    expect(await link.getAttribute('href')).toBe('/app/settings#training')
  })
})

test('a run above 1,000 m is marked with its altitudes, one below is not', async () => {
  const low = await imported({ startMs: Date.now() - 5 * DAY_MS, lowestM: 800, climbM: 190 })
  const high = await imported({ startMs: Date.now() - 4 * DAY_MS, lowestM: 920, climbM: 310 })
  await looked(`/runs/${high}`, async (page) => {
    await page
      .locator('.run-training')
      .getByText(/^Altitude 9\d\d–1,2[123]\d\sm: above 1,000\sm/)
      .waitFor()
  })
  const { page } = await open(`/runs/${low}`)
  const card = page.locator('.run-training')
  await card.getByText('Training settings').waitFor()
  expect(await card.getByText('Altitude').count()).toBe(0)
})

test('the profile says how far a wrong value moves loads', async () => {
  await looked('/settings#training', async (page) => {
    await page.getByRole('button', { name: 'What is the effect of a wrong value?' }).click()
    await page.getByText('every load is off by 11–13%').waitFor()
  })
})

test('all years of form are shown, more than one answer holds', async () => {
  const years = 13
  for (let k = 0; k <= 4 * years; k += 1) {
    const startedAt = new Date(Date.now() - (k * 365.25 * DAY_MS) / 4 - DAY_MS).toISOString()
    await server.send('POST', '/workouts', { startedAt, distanceM: 10_000, durationS: 3600, name: `Run ${k}` })
  }
  await looked('/training', async (page) => {
    await page.getByRole('radio', { name: 'All', exact: true }).check()
    const chart = page.getByRole('slider', { name: 'Fitness, fatigue, form and load by day' })
    await page.getByText('Load by month').waitFor()
    expect(Number(await chart.getAttribute('aria-valuemax'))).toBeGreaterThan(365 * years)
    await chart.focus()
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuetext')).toContain(String(new Date().getFullYear() - years))
  })
})
