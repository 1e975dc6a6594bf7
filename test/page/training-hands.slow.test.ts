// What a runner sets by hand: goals, the profile, the load of a run, and what has no part in estimates.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { DAY_MS, pageSuite } from './suite.ts'

let run = ''
const { test, server, open } = pageSuite(async ({ server }) => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (const daysAgo of [9, 6, 3, 1]) {
    run = await server.importRun(fitRun({ startMs: today - daysAgo * DAY_MS, seconds: 2400, hr: 138 }))
  }
})

test('a goal is set, changed and deleted', async () => {
  const { page, expecting } = await open('/training?view=goals')
  await page.getByText('No goals yet.').waitFor()
  await page.getByRole('button', { name: 'New goal' }).click()
  const dialog = page.getByRole('dialog')
  await noViolations(page)
  await dialog.getByLabel('Goal').selectOption('Time')
  await dialog.getByLabel('Target').fill('12,5')
  await dialog.getByLabel('Name').fill('Half a day')
  await dialog.getByRole('button', { name: 'Set goal' }).click()
  await page.getByRole('heading', { name: 'Half a day' }).waitFor()
  const goals = () => server.get<{ metric: string; target: number; period: string }[]>('/training/goals')
  expect(await goals()).toMatchObject([{ metric: 'movingTimeS', target: 45_000, period: 'month' }])

  const actions = page.getByRole('button', { name: 'Actions for Half a day' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await dialog.getByLabel('Period').selectOption('Date range')
  await dialog.getByLabel('First day').fill('2026-03-02')
  await dialog.getByLabel('Last day').fill('2026-03-01')
  await expecting(/\/training\/goals\//, async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('From must not be after to').waitFor()
  })
  await dialog.getByLabel('Last day').fill('2099-03-01')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await goals()).toMatchObject([{ target: 45_000, period: 'dates', from: '2026-03-02', to: '2099-03-01' }])

  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete goal…' }).click()
  await page.getByRole('button', { name: 'Delete goal' }).click()
  await page.getByText('No goals yet.').waitFor()
  expect(await goals()).toEqual([])
})

test('a profile has values from days on, and keeps what was set', async () => {
  const { page, expecting } = await open('/settings#training')
  const section = page.locator('#training')
  const since = section.getByRole('group', { name: 'From the start' })
  await since.getByLabel('Max HR').fill('300')
  await section.getByText('Enter 100–240 bpm').waitFor()
  expect(await section.getByRole('button', { name: 'Save profile' }).isDisabled()).toBe(true)
  await since.getByLabel('Max HR').fill('188')
  await since.getByLabel('Resting HR').fill('52')
  await section.getByRole('button', { name: 'Add values from a later date' }).click()
  const later = section.getByRole('group').nth(1)
  await later.getByLabel('Effective from').fill('2026-02-01')
  await later.getByLabel('Threshold pace').fill('4:40')
  await later.getByLabel('Threshold heart rate (LTHR').fill('200')
  await expecting(/\/settings\/training/, async () => {
    await section.getByRole('button', { name: 'Save profile' }).click()
    await section.getByRole('alert').waitFor()
  })
  await later.getByLabel('Threshold heart rate (LTHR').fill('171')
  await section.getByText('Advanced', { exact: true }).click()
  await section.getByLabel('Runs in a full week').fill('4')
  await noViolations(page)
  await section.getByRole('button', { name: 'Save profile' }).click()
  await section.getByText('4:40/km').waitFor()
  expect(await server.get('/settings/training')).toMatchObject({
    minRunsPerWeek: 4,
    entries: [
      { from: null, maxHeartRateBpm: 188, restingHeartRateBpm: 52, thresholdPaceS: null },
      { from: '2026-02-01', thresholdPaceS: 280, lthrBpm: 171, maxHeartRateBpm: null },
    ],
  })
})

test('the load of a run is set by hand, and the run is taken out of estimates', async () => {
  const { page } = await open(`/runs/${run}`)
  const card = page.locator('.run-training')
  await card.getByText('from heart rate', { exact: false }).first().waitFor()
  await card.getByText(/Load: (low|medium|high) confidence/).waitFor()
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Load…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Load source').selectOption('Enter a value')
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Load', { exact: true }).fill('77')
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.locator('dd', { hasText: '77 from you' }).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Exclude from predictions' }).click()
  await card.getByText('You excluded this run from predictions').waitFor()
  expect(await server.get(`/workouts/${run}/training`)).toMatchObject({ chosen: 'manual', excludeFromEstimates: true })
  await more.click()
  await page.getByRole('menuitem', { name: 'Include in predictions' }).click()
  await card.getByText('You excluded this run from predictions').waitFor({ state: 'hidden' })
})

test('a view whose styles cannot be fetched is not shown without them', async () => {
  const { page, forgive } = await open('')
  await page.route(/part-goals-view-\w+\.css$/, (route) => route.abort())
  await page.goto(`${server.address}/app/training?view=goals`)
  await page.getByText('Couldn’t load this part of the page.').waitFor()
  expect(await page.getByRole('button', { name: 'New goal' }).count()).toBe(0)
  await page.unroute(/part-goals-view-\w+\.css$/)
  await page.getByRole('link', { name: 'Form', exact: true }).click()
  await page.getByRole('link', { name: 'Goals' }).click()
  await page.getByRole('button', { name: 'New goal' }).waitFor()
  // beside the first styles, once
  const sheets = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
  expect(sheets.filter((href) => href.includes('part-goals-view')).length).toBe(1)
  forgive()
})
