// The dashboard of a log that grows: who paused, a run without heart rate, a high pulse, and what leads where.
import { expect } from 'bun:test'
import type { Locator } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { act, DAY_MS, pageSuite, reads } from './suite.ts'

const LIST_OF_DAYS = /\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/
const { test, server, open } = pageSuite(async ({ server }) => {
  for (const days of [400, 403, 500]) {
    await server.importRun(fitRun({ startMs: Date.now() - days * DAY_MS, seconds: 1000, hr: 150 }))
  }
})

const opened = async (options = {}) => {
  const { page } = await open('', options)
  await page.locator('.totals:not(.blank)').waitFor()
  return page
}

test('shows a runner who paused the last run, not zeros', async () => {
  const page = await opened()
  const totals = page.locator('.totals.paused')
  await reads(totals, 'Last run', /your last active year$/)
  // 3 runs of 3 km
  expect(await totals.locator('div').last().textContent()).toBe('All time9.0km3 runs · 50 min')
  expect(await page.locator('.week').count()).toBe(0)
  await noViolations(page)
})

test('counts runs without heart rate, explains its words, and sums up week, month, year and all time', async () => {
  const startMs = Date.now() - 60_000
  const points = Array.from({ length: 601 }, (_, t) => {
    return { lat: 47 + (t * 3) / 111_170, lon: 8, timeMs: startMs + t * 1000 }
  })
  await server.importRun(gpxFile({ points, creator: null }), 'run.gpx')
  await server.send('PUT', '/settings/page', { effort: 'relative' })
  const page = await opened()
  const effort = page.locator('.effort')
  await reads(effort, '1 run without heart rate')
  expect(await effort.locator('strong').textContent()).toBe('–')
  await act(page, 'What is easy-run hr?')
  await page.locator('.help-text:popover-open', { hasText: 'runs of type Easy Run' }).waitFor()
  await noViolations(page)
  await page.keyboard.press('Escape')
  expect((await page.locator('.totals dd').allTextContents())[0]).toBe('1.8km1 run · 10 min')
  await page.getByRole('radio', { name: 'Months', exact: true }).check()
  const bars = page.locator('.year-bars')
  await reads(bars, 'per month on average')
  await bars.locator('.bars').focus()
  await page.keyboard.press('End')
  expect(await bars.locator('figcaption strong').textContent()).toBe('1.8\u00a0km')
})

test('points at zones that end below the highest pulse, and changes nothing automatically', async () => {
  await server.importRun(fitRun({ startMs: Date.now() - 3 * DAY_MS, seconds: 1000, hr: 199 }))
  const zones = async () => await (await server.call('/settings/heart-rate-zones')).text()
  const before = await zones()
  const page = await opened()
  await reads(page, 'Your heart reached 199 bpm')
  await noViolations(page)
  await act(page, 'Review zones')
  await page.waitForURL(/\/app\/settings#zones$/)
  expect(await page.locator('#zones').evaluate((section) => section.getBoundingClientRect().top)).toBeLessThan(200)
  await page.goBack()
  await act(page, 'Keep zones')
  await page.reload()
  await page.locator('.highlights p, .highlights li').first().waitFor()
  expect(await page.locator('.pulse').count()).toBe(0)
  expect(await zones()).toBe(before)
})

test('hides and orders its cards, also after a reload', async () => {
  const page = await opened()
  const dialog = page.getByRole('dialog')
  const latest = page.locator('.latest-card')
  await act(page, 'Customise dashboard')
  await dialog.getByLabel('Latest run', { exact: true }).uncheck()
  await act(page, 'Move Totals up')
  await dialog.getByRole('radio', { name: 'Load' }).check()
  await act(page, 'Save')
  await latest.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Load', exact: true }).waitFor()
  expect(await latest.count()).toBe(0)
  const classes = await page.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))
  const at = (name: string) => classes.findIndex((one) => one.includes(name))
  expect(at('totals')).toBeLessThan(at('effort'))
  await act(page, 'Customise dashboard')
  await dialog.getByLabel('Latest run', { exact: true }).check()
  await act(page, 'Save')
  await latest.waitFor()
})

test('leads from every total, day and bar to the runs that it counts', async () => {
  const page = await opened()
  for (const index of [0, 1, 2, 3]) {
    const cell = page.locator('.totals > div').nth(index)
    const [, runs = ''] = /(\d+) runs?/.exec((await cell.textContent()) ?? '') ?? []
    await cell.getByRole('link').click()
    await reads(page.locator('.page-head'), `${runs} ${runs === '1' ? 'run' : 'runs'} found`)
    await page.goBack()
    await page.locator('.totals:not(.blank)').waitFor()
  }
  for (const name of [/Enter shows the runs until then$/, /Enter shows the runs until one$/]) {
    await page.getByRole('slider', { name }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(LIST_OF_DAYS)
    await page.goBack()
  }
  await page.locator('.year-bars .bars').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForURL(LIST_OF_DAYS)
  await act(page, [/runs? found/], 'Remove filter: Counted runs')
  await page.waitForURL(/&to=.{10}$/)
})

test('its charts are walked with the arrow keys, which announce each place', async () => {
  const page = await opened()
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
})
