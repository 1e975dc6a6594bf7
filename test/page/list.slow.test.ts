import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { startServer, watchedPage } from './browser.ts'
import { DAY_MS, fromMenu, inBothThemes, pageSuite } from './suite.ts'

/** More than a page of the list. */
const RUNS = 30

describe('the list of runs, and the way to a run and back', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (let index = 0; index < RUNS; index += 1) {
      const startMs = Date.UTC(2025, 9, 20, 7) - index * 3 * DAY_MS
      await server.importRun(fitRun({ startMs, seconds: 600 + 10 * index }))
    }
  })

  const opened = async (at: string, options = {}) => {
    const watched = await open(at, options)
    await watched.page.locator('.run-line').first().waitFor()
    return watched
  }
  const focusedRun = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.run ?? null)
  const runsOn = (page: Page) =>
    page.locator('.run-line').evaluateAll((lines) => lines.map((line) => (line as HTMLElement).dataset.run ?? ''))

  test('sums up what is found, below the months when it is in the order of days', async () => {
    const { page } = await opened('/runs')
    // 600 to 890 s at 3 m/s
    expect(await page.locator('.page-head [role=status]').textContent()).toBe('30 runs · 67.1\u00a0km · 6 h 13 min')
    expect((await page.locator('.run-month').allTextContents())[0]).toBe('October 2025')
    await page.getByRole('button', { name: 'Sort by pace' }).click()
    await page.waitForURL(/sort=pace$/)
    await page.locator('.run-month').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Race', exact: true }).click()
    await page.getByText('No matching runs').waitFor()
    await page.getByRole('button', { name: 'No type' }).click()
    await page.getByText('30 runs found').waitFor()
  })

  test('the mark of a race is readable in both themes', async () => {
    const { page } = await opened('/runs')
    const [id] = await runsOn(page)
    const type = (runType: string | null) => server.send('PATCH', `/workouts/${id}`, { runType })
    await type('Race')
    await page.locator('.tag.race').waitFor()
    await inBothThemes(page)
    await type(null)
    await page.locator('.tag.race').waitFor({ state: 'detached' })
  })

  test('a page that is not there leads to the last one', async () => {
    const { page, expecting } = await open('/shoes')
    await expecting(/page=99/, async () => {
      await page.goto(`${server.address}/app/runs?page=99`)
      await page.waitForURL(/\/app\/runs\?page=2$/)
      await page.locator('.run-line').first().waitFor()
    })
    expect(await page.locator('.run-line').count()).toBe(5)
  })

  test('a run knows its neighbours in the list, and the way back leads to its row', async () => {
    const { page } = await opened('/runs?sort=distance')
    const first = await runsOn(page)
    await page.locator('.run-line').nth(23).click()
    await page.waitForURL(new RegExp(`${first[23]}\\?sort=distance$`))
    await page.getByText('24 of 30').waitFor()
    await page.getByRole('link', { name: 'Next run' }).click()
    await page.waitForURL(new RegExp(`${first[24]}\\?sort=distance$`))
    await page.getByText('25 of 30').waitFor()
    await noViolations(page)
    // Back leads over all neighbours to the list
    await page.goBack()
    await page.waitForURL(/\/app\/runs\?sort=distance$/)
    await page.locator('.run-line:focus').waitFor()
    expect(await focusedRun(page)).toBe(first[24] ?? '')
    await page.locator('.run-line').nth(24).click()
    await page.getByText('25 of 30').waitFor()
    await page.keyboard.press('j')
    await page.getByText('26 of 30').waitFor()
    // the run is on the second page
    await page.getByRole('link', { name: 'Runs', exact: true }).last().click()
    await page.waitForURL(/\/app\/runs\?sort=distance&page=2$/)
    await page.locator('.run-line:focus').waitFor()
    expect(await focusedRun(page)).toBe((await runsOn(page))[0] ?? '')
  })

  test('several runs are chosen with Shift and a click, and changed or deleted together', async () => {
    const { page, settled } = await opened('/runs')
    const ids = await runsOn(page)
    await page
      .locator('.run-line')
      .nth(1)
      .click({ modifiers: ['Shift'] })
    await page
      .locator('.run-line')
      .nth(3)
      .click({ modifiers: ['Shift'] })
    await page.getByText('3 runs selected').waitFor()
    // a press takes one out again
    await page.locator('.run-line').nth(2).click()
    await page.getByText('2 runs selected').waitFor()
    await inBothThemes(page)
    // first what it would do, then at a press
    const trial = page.getByRole('dialog', { name: '2 runs: Workout' })
    await page.getByLabel('Type of the selected runs').selectOption('Workout')
    await trial.getByText('2 runs change.').waitFor()
    await noViolations(page)
    const workouts = async () => (await server.get<{ totalCount: number }>('/workouts?runType=Workout')).totalCount
    expect(await workouts()).toBe(0)
    await trial.getByRole('button', { name: 'Cancel' }).click()
    expect(await workouts()).toBe(0)
    await server.send('PATCH', `/workouts/${ids[1]}`, { runType: 'Workout' })
    await page.getByLabel('Type of the selected runs').selectOption('Workout')
    await trial.getByText('1 changes, 1 already set.').waitFor()
    await trial.getByRole('button', { name: 'Change' }).click()
    await page.getByText('1 run changed').waitFor()
    await page.getByRole('button', { name: 'More…' }).click()
    const words = page.getByRole('dialog', { name: 'Change 2 runs' })
    await words.getByLabel('RPE').fill('4')
    await words.getByText('2 runs change.').waitFor()
    await noViolations(page)
    await words.getByRole('button', { name: 'Change 2 runs' }).click()
    await page.getByText('2 runs changed').waitFor()
    const { items } = await server.get<{ items: { id: string }[] }>('/workouts?runType=Workout')
    expect(items.map(({ id }) => id)).toEqual([ids[1] ?? '', ids[3] ?? ''])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete 2 runs?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 runs deleted').waitFor()
    await page.getByText('28 runs', { exact: true }).waitFor()
    expect((await runsOn(page)).slice(0, 2)).toEqual([ids[0] ?? '', ids[2] ?? ''])
    // a run that is deleted on its page leads back to the list it was found in
    await page.getByRole('button', { name: 'Sort by distance' }).click()
    await page.locator('.run-line').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    // what is still asked of the run would find it gone
    await settled()
    await fromMenu(page, 'Delete run')
    await page.waitForURL(/\/app\/runs\?sort=distance$/, { timeout: 15_000 })
    await page.getByText('27 runs', { exact: true }).waitFor()
  })

  test('several runs are chosen with the keyboard alone, or with a finger', async () => {
    const { page } = await opened('/runs')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('3 runs selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('3 runs selected').waitFor({ state: 'detached' })
    await page.context().close()
    const phone = await opened('/runs', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await phone.page.getByRole('button', { name: 'Select runs' }).tap()
    await phone.page.locator('.run-line').nth(0).tap()
    await phone.page.locator('.run-check').nth(1).tap()
    await phone.page.getByText('2 runs selected').waitFor()
    expect(new URL(phone.page.url()).pathname).toBe('/app/runs')
  })

  test('theme and unit are the same in another window at once', async () => {
    const { page } = await opened('/runs')
    const other = await page.context().newPage()
    await other.goto(`${server.address}/app/settings`)
    await other.getByRole('radio', { name: 'Dark' }).check()
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    await other.getByRole('radio', { name: 'Miles' }).check()
    await page.locator('.run-distance', { hasText: 'mi' }).first().waitFor()
    await other.getByRole('radio', { name: 'Kilometres' }).check()
    await page.locator('.run-distance', { hasText: 'km' }).first().waitFor()
  })
})

describe('the dashboard', () => {
  const { test, server, open } = pageSuite()

  const opened = async () => {
    const watched = await open('')
    await watched.page.locator('.totals:not(.blank)').waitFor()
    return watched
  }

  test('shows a runner who paused the last run, not zeros', async () => {
    for (const days of [400, 403, 500]) {
      await server.importRun(fitRun({ startMs: Date.now() - days * DAY_MS, seconds: 1000, hr: 150 }))
    }
    const { page } = await opened()
    const totals = page.locator('.totals.paused')
    await totals.getByText('Last run').waitFor()
    expect(await totals.getByText(/your last active year$/).count()).toBe(1)
    // 3 runs of 3 km
    expect(await totals.locator('div').last().textContent()).toBe('All time9.0km3 runs · 50 min')
    expect(await page.locator('.week').count()).toBe(0)
    await noViolations(page)
  })

  test('counts runs without heart rate, and sums up week, month, year and all time', async () => {
    const startMs = Date.now() - 60_000
    const points = Array.from({ length: 601 }, (_, t) => ({
      lat: 47 + (t * 3) / 111_170,
      lon: 8,
      timeMs: startMs + t * 1000,
    }))
    await server.importRun(gpxFile({ points, creator: null }), 'run.gpx')
    await server.send('PUT', '/settings/page', { effort: 'relative' })
    const { page } = await opened()
    const effort = page.locator('.effort')
    await effort.getByText('1 run without heart rate').waitFor()
    expect(await effort.locator('strong').textContent()).toBe('–')
    for (const [card, term, explanation] of [
      ['.week', 'relative effort', 'total of this week’s runs. How hard a run was for your heart'],
      ['.week', 'easy-run hr', 'runs of type Easy Run'],
      ['.effort', 'relative effort', 'How hard a run was for your heart'],
    ] as const) {
      await page
        .locator(card)
        .getByRole('button', { name: `What is ${term}?` })
        .click()
      await page.locator('.help-text:popover-open', { hasText: explanation }).waitFor()
      await noViolations(page)
      await page.keyboard.press('Escape')
    }
    // a window that becomes narrow takes its charts along
    await page.locator('.today-card .chart').first().waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 390)
    await page.setViewportSize({ width: 1100, height: 900 })
    const [week] = await page.locator('.totals dd').allTextContents()
    expect(week).toBe('1.8km1 run · 10 min')
    expect(await page.locator('.totals dt').last().textContent()).toBe('All time')
    await page.getByRole('radio', { name: 'Months', exact: true }).check()
    await page.locator('.year-bars', { hasText: 'per month on average' }).waitFor()
    await page.locator('.year-bars .bars').focus()
    await page.keyboard.press('End')
    expect(await page.locator('.year-bars figcaption strong').textContent()).toBe('1.8\u00a0km')
    await noViolations(page)
  })

  test('points at zones that end below the highest pulse, and changes nothing automatically', async () => {
    await server.importRun(fitRun({ startMs: Date.now() - 3 * DAY_MS, seconds: 1000, hr: 199 }))
    const zones = async () => await (await server.call('/settings/heart-rate-zones')).text()
    const before = await zones()
    const { page } = await opened()
    await page.getByText('Your heart reached 199 bpm').waitFor()
    await noViolations(page)
    await page.getByRole('link', { name: 'Review zones' }).click()
    await page.waitForURL(/\/app\/settings#zones$/)
    expect(await page.locator('#zones').evaluate((section) => section.getBoundingClientRect().top)).toBeLessThan(200)
    await page.goBack()
    await page.getByRole('button', { name: 'Keep zones' }).click()
    await page.reload()
    await page.locator('.totals:not(.blank)').waitFor()
    await page.locator('.highlights p, .highlights li').first().waitFor()
    expect(await page.locator('.pulse').count()).toBe(0)
    expect(await zones()).toBe(before)
  })
})

describe('a new log', () => {
  const { test, browser } = pageSuite()

  test('continues after a reload, and announces each step to a screen reader', async () => {
    const server = await startServer()
    const { page, close } = await watchedPage(browser(), server.address)
    const focused = (text: string) => page.locator('h1:focus', { hasText: text }).waitFor()
    await page.goto(server.address)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').first().fill('correct-horse-battery-staple')
    await page.getByRole('button', { name: 'Create account' }).click()
    await focused('Units and zones')
    await page.reload()
    await page.getByRole('heading', { name: 'Units and zones' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await focused('Import your runs')
    await page.getByRole('button', { name: 'Go to dashboard' }).click()
    await page.getByText('No runs yet').waitFor()
    await page.reload()
    await page.getByText('No runs yet').waitFor()
    await close()
    await server.stop()
  })
})
