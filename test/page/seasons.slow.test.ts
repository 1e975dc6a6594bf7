// Two years of a plausible runner on every screen of training.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { startSeasonServer } from './season-server.ts'
import { inBothThemes, pageSuite } from './suite.ts'

let marathon = ''
const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
  const found = await server.get<{ items: { id: string }[] }>('/workouts?keyword=Marathon&runType=Race')
  marathon = found.items[0]?.id ?? ''
}, startSeasonServer)

const slider = (page: Page, name: RegExp) => page.getByRole('slider', { name }).waitFor()

/** Addresses, and what is there when all has come. */
const SCREENS: readonly (readonly [at: string, there: (page: Page) => Promise<unknown>])[] = [
  ['', (page) => slider(page, /^Fitness, fatigue, form and load/)],
  ['/training', (page) => slider(page, /^Fitness, fatigue, form and load/)],
  [
    '/training?view=fitness',
    async (page) => {
      await slider(page, /^VDOT by week/)
      await page.locator('.races tbody tr').first().waitFor()
      await page.getByText(/^From \d+ races? and \d+ runs?\.$/).waitFor()
      expect(await page.getByText('Critical').count()).toBe(0)
    },
  ],
  [
    '/training?view=endurance',
    async (page) => {
      await slider(page, /^Pace at \d+ bpm and decoupling by run/)
      await slider(page, /^Heartbeats per metre/)
      await slider(page, /^Easy, moderate and hard time/)
    },
  ],
  [
    '/training?view=goals',
    async (page) => {
      await page.locator('.goal-bar').first().waitFor()
    },
  ],
  ['/training?view=races', (page) => page.locator('.race-range').first().waitFor()],
  [
    '/training?view=calendar',
    async (page) => {
      await page.locator('.month-bar').first().waitFor()
      await page.locator('.heat .day').first().waitFor()
    },
  ],
  ['/runs/{marathon}', (page) => page.locator('.run-training dd').first().waitFor()],
  ['/settings#training', (page) => page.getByRole('button', { name: 'Save profile' }).waitFor()],
]

test.each(SCREENS)('%s is whole and readable', async (at, there) => {
  await everywhere(at.replace('{marathon}', marathon), there, [320, 390])
})

test('the charts of endurance can be read by keys, opened by Enter, and shown as tables', async () => {
  const { page } = await open('/training?view=endurance')
  const chart = page.getByRole('slider', { name: /^Pace at \d+ bpm and decoupling by run/ })
  await chart.waitFor()
  await page.getByText(/^(Faster|Slower) at the same heart rate by .* \(95% range|^No clear change/).waitFor()
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\w+, .*: .*decoupling/)
  // warm days and their reason
  const warm = page.locator('.tc-dot.hollow title', { hasText: 'excluded from the trend' })
  expect(await warm.count()).toBeGreaterThan(0)
  // a log of two years fits one window, so that all of it has a trend
  const dots = await page.locator('.tc-dot').count()
  await page.getByRole('radio', { name: 'All' }).check()
  await page.waitForFunction((before) => document.querySelectorAll('.tc-dot').length > before, dots)
  await page.getByText(/^(Faster|Slower) at the same heart rate by |^No clear change/).waitFor()
  const weeks = page.getByRole('slider', { name: /^Easy, moderate and hard time/ })
  await weeks.focus()
  await page.keyboard.press('Home')
  expect(await weeks.getAttribute('aria-valuetext')).toMatch(/^Week of .*: \d+% easy · easy \d/)
  const long = page.getByRole('slider', { name: /^Heartbeats per metre/ })
  await long.focus()
  await page.keyboard.press('Home')
  expect(await long.getAttribute('aria-valuetext')).toBe(
    '5 km from 5 km: A 1.000 · B 1.000 · C 1.000 · D 1.000 · E 1.000 · F 1.000',
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
})

test('both halves of a decoupling are shaded on the charts of their run', async () => {
  const { runs } = await server.get<{ runs: { workoutId: string; decouplingPct: number | null }[] }>(
    '/training/efficiency',
  )
  const id = runs.findLast(({ decouplingPct }) => decouplingPct !== null)?.workoutId
  const { page } = await open(`/runs/${id}`, { viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Show halves on charts' }).click()
  const halves = page.locator('.chart-half')
  await halves.first().waitFor()
  // of pace and heart rate
  expect(await halves.count()).toBe(4)
  expect(await halves.allTextContents()).toEqual(['First half', 'Second half', '', ''])
  await page.getByText(/^A heartbeat took you \d\.\d\d\sm in the first half, \d\.\d\d\sm in the second\.$/).waitFor()
  const boxes = await Promise.all([0, 1].map((half) => halves.nth(half).boundingBox()))
  expect(boxes[0]!.x + boxes[0]!.width).toBeCloseTo(boxes[1]!.x, 0)
  await inBothThemes(page)
  await page.getByRole('button', { name: 'Hide halves' }).click()
  await halves.first().waitFor({ state: 'detached' })
})

test('the days of a year, another year and another measure', async () => {
  const { page } = await open('/training?view=calendar')
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
  await page.locator('.heat-key', { hasText: /up to \d+ load/ }).waitFor()
  await page.getByText('Weeks with 3 runs').waitFor()
})

test('the progress of a goal and each of its past periods lead to their runs', async () => {
  const { page } = await open('/training?view=goals')
  await page.locator('.goal').first().locator('p a').first().click()
  await page.waitForURL(/\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/)
  await page.goBack()
  const past = page.getByRole('slider', { name: /^Past periods/ }).first()
  await past.focus()
  await page.keyboard.press('Home')
  expect(await past.getAttribute('aria-valuetext')).toMatch(/: .+ (reached|not reached)$/)
  await page.getByRole('link', { name: 'Show runs' }).waitFor()
  await inBothThemes(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/)
})
