// Load, form and what follows from them, in a real browser.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { loggedInPage, startRunServer } from './run-server.ts'
import { DAY_MS, pageSuite } from './suite.ts'

let lastRun = ''
let weekAgoRun = ''
const { test, server, open, everywhere, browser } = pageSuite(async ({ server }) => {
  await setProfile({ maxHeartRateBpm: 185, restingHeartRateBpm: 50 })
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // every second day of twelve weeks, each fourth run faster; without scatter a load by pace would have no range
  for (let daysAgo = 84; daysAgo >= 0; daysAgo -= 2) {
    const isFast = daysAgo % 8 === 0
    const scatter = 2 * (daysAgo % 5) - 4
    const effort = isFast
      ? { speedMps: 3.8, hr: 168 + scatter, seconds: 1500 }
      : { speedMps: 2.8, hr: 138 + scatter, seconds: 2700 }
    lastRun = await server.importRun(fitRun({ startMs: today - daysAgo * DAY_MS, ...effort }))
    if (daysAgo === 8) weekAgoRun = lastRun
  }
})

/** The profile since ever. */
async function setProfile(entry: Readonly<Record<string, number>>): Promise<void> {
  await server.send('PUT', '/settings/training', { entries: [{ from: null, ...entry }] })
}

test('form of today, its course and the days ahead', async () => {
  await everywhere('/training', async (page) => {
    await page.getByRole('heading', { name: 'Training', level: 1 }).waitFor()
    const chart = page.getByRole('slider', { name: 'Fitness, fatigue, form and load by day' })
    await chart.waitFor()
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toContain('fitness')
    // the day after today is ahead
    await page.keyboard.press('ArrowRight')
    expect(await chart.getAttribute('aria-valuetext')).toContain('if you rest')
    await page.getByText('As a table').first().click()
    const rows = page.locator('.table-view tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(85)
    expect(await rows.first().locator('td').count()).toBe(4)
    await page.getByText('As a table').first().click()
  })
})

test('a day of the chart opens its runs, a rest day opens nothing', async () => {
  const { page } = await open('')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Training' }).click()
  const chart = page.getByRole('slider', { name: 'Fitness, fatigue, form and load by day' })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).pathname).toBe('/app/training')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const runs = page.getByRole('region', { name: /^Runs of / })
  await runs.locator(`a[href*="${lastRun}"]`).waitFor()
  await runs.getByText(/load \d+/).waitFor()
  const source = runs.getByLabel(/^Load source of /)
  await source.selectOption('pace')
  await runs.getByText(/\(\d+–\d+\)/).waitFor()
  await source.selectOption('auto')
  await noViolations(page)
  await runs.getByRole('link', { name: 'Show in list' }).click()
  await page.waitForURL(/\/app\/runs\?from=/)
  await page.locator(`a[href*="${lastRun}"]`).first().waitFor()
})

test('a log without runs says what is missing', async () => {
  const empty = await startRunServer()
  try {
    const { page, close } = await loggedInPage(browser(), empty.address)
    await page.goto(`${empty.address}/app/training`)
    await page.getByText('Fitness is based on the load of your runs.').waitFor()
    await noViolations(page)
    await close()
  } finally {
    await empty.stop()
  }
})

test('the dashboard shows form today', async () => {
  await everywhere('', async (page) => {
    const card = page.locator('.today-card')
    await card.getByRole('heading', { name: 'Form today' }).waitFor()
    await card.getByRole('slider').waitFor()
    await card.getByText(/keeps you in the building range/).waitFor()
    expect(await card.locator('.today-form').textContent()).toMatch(/^[+−±]\d+ (heavy|building|steady|fresh|rested)$/)
  })
})

test('race times with their bands, VDOT by week, pace zones', async () => {
  await everywhere('/training?view=fitness', async (page) => {
    const races = page.locator('.races tbody tr')
    await races.first().waitFor()
    expect(await races.locator('th').allTextContents()).toEqual(['5K', '10K', 'Half marathon', 'Marathon'])
    expect(await races.first().textContent()).toMatch(/\d:\d\d–\d\d:\d\d/)
    const chart = page.getByRole('slider', { name: 'VDOT by week' })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^Week of .*: \d+ \(\d+–\d+\), \d+ runs$/)
    await page.getByText('As a table').click()
    await page.locator('.table-view tbody tr').first().waitFor()
    await page.getByText(/^Races and hard efforts that count: \d+$/).click()
    await page.getByRole('rowheader', { name: 'Repetition' }).waitFor()
  })
})

test('a run shows its load, and its source can be chosen', async () => {
  await everywhere(`/runs/${lastRun}`, async (page) => {
    const card = page.locator('.run-training')
    await card.getByText('from heart rate', { exact: false }).first().waitFor()
    await card.getByText('run too short').waitFor()
    const choice = card.getByLabel('Load source')
    await choice.selectOption('pace')
    await card.locator('dd', { hasText: /^\d+ from pace/ }).waitFor()
    await choice.selectOption('auto')
    await card.locator('dd', { hasText: /^\d+ from heart rate/ }).waitFor()
  })
})

test('a proposal changes nothing until it is accepted', async () => {
  const slow = 400
  // only a race proposes a threshold pace
  await server.send('PATCH', `/workouts/${weekAgoRun}`, { runType: 'Race' })
  await setProfile({ maxHeartRateBpm: 185, restingHeartRateBpm: 50, thresholdPaceS: slow })
  const paces = async () => {
    const { entries } = await server.get<{ entries: { thresholdPaceS: number | null }[] }>('/settings/training')
    return entries.map(({ thresholdPaceS }) => thresholdPaceS)
  }
  await everywhere('/training', async (page) => {
    await page.getByText('Nothing changes unless you accept.').waitFor()
    await page.getByRole('button', { name: 'Accept: Threshold pace' }).waitFor()
    // the run that it rests on, with the effort marked
    const run = page.locator('.proposal-run')
    await run.locator('.proposal-window').waitFor()
    expect(await run.locator('figcaption').textContent()).toMatch(/\d (1 mile|2 miles|5K) in \d+:\d\d$/)
  })
  expect(await paces()).toEqual([slow])
  const { page } = await open('/training')
  const day = page.getByLabel('Effective from')
  await day.waitFor()
  const [, ofRun] = await day.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
  await day.selectOption(ofRun ?? '')
  await page.getByRole('button', { name: 'Accept: Threshold pace' }).click()
  await page.getByText('Nothing changes unless you accept.').waitFor({ state: 'hidden' })
  const [before, now] = await paces()
  expect(before).toBe(slow)
  expect(now).toBeLessThan(slow)
  const { entries } = await server.get<{ entries: { from: string | null }[] }>('/settings/training')
  expect(entries.map(({ from }) => from)).toEqual([null, ofRun ?? ''])
})

test('with easy runs the room of today is shown as minutes, with how they are computed', async () => {
  const { items } = await server.get<{ items: { id: string; avgPaceS: number }[] }>('/workouts?pageSize=100')
  const ids = items.filter(({ avgPaceS }) => avgPaceS > 300).map(({ id }) => id)
  await server.send('POST', '/workouts/bulk-edit', { ids, set: { runType: 'Easy Run' } })
  for (const at of ['', '/training']) {
    const { page } = await open(at, { viewport: { width: 390, height: 844 } })
    await page.getByText(/min easy keeps you building\./).waitFor()
    await page.getByRole('button', { name: 'What is this range?' }).click()
    await page.getByText(/median load per minute of your easy runs/).waitFor()
    await noViolations(page)
  }
})
