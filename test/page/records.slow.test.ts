// How an effort ranks, the runner's correction on it, and how records fell, in a real browser.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './browser.ts'
import { DAY_MS, fromMenu, inBothThemes, pageSuite } from './suite.ts'

const WIDTHS = [390, 1600]

const ids: string[] = []
const { test, server, open } = pageSuite(async ({ server }) => {
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

test('a run shows the ranks of its efforts, the runner decides which count', async () => {
  for (const width of WIDTHS) {
    const { page } = await open(`/runs/${ids[3]}`, { viewport: { width, height: 900 } })
    const row = page.locator('.run-best tbody tr', { hasText: '1K' }).first()
    await row.getByText('All-time best').waitFor()
    await row.scrollIntoViewIfNeeded()
    await inBothThemes(page)
    await row.getByRole('button', { name: 'Your correction for 1K' }).click()
    await page.getByRole('menuitem', { name: 'Not a record' }).click()
    await row.getByText('Not a record (your correction').waitFor()
    await row.getByRole('button', { name: 'Your correction for 1K' }).click()
    await page.getByRole('menuitem', { name: 'Remove correction' }).click()
    await row.getByText('All-time best').waitFor()
    await page.goto(`${server.address}/app/runs/${ids[2]}`)
    await page.locator('.run-best tbody tr', { hasText: '1K' }).first().getByText('2nd of all time').waitFor()
  }
})

test('the list shows who holds a place among the first three', async () => {
  const { page } = await open('/runs', { viewport: { width: 390, height: 900 } })
  const medals = page.locator('.run-medals')
  await medals.first().waitFor()
  // the first three of four runs at each distance
  expect(await medals.count()).toBe(3)
  expect(await medals.first().getAttribute('title')).toContain('record 400m')
  await noViolations(page)
})

test('a run that is left out holds no record, and comes back', async () => {
  const { page } = await open(`/runs/${ids[3]}`)
  await fromMenu(page, 'Exclude from statistics')
  const notice = page.getByText('This run is excluded from statistics and records.')
  await notice.waitFor()
  await fromMenu(page, 'Include in statistics')
  // the answer is there: closing the page cuts nothing off
  await notice.waitFor({ state: 'hidden' })
  await page.locator('.run-best').getByText('All-time best').first().waitFor()
})

test('records of all time, of twelve months and of this year; a distance opens how its record fell', async () => {
  for (const width of WIDTHS) {
    const { page } = await open('', { viewport: { width, height: 900 } })
    const card = page.locator('.efforts')
    await card.getByRole('radio', { name: '12 months' }).check()
    await card.getByRole('button', { name: '1K: record progression' }).waitFor()
    await card.getByRole('radio', { name: 'All time' }).check()
    await card.getByRole('button', { name: '1K: record progression' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('first').waitFor()
    expect(await dialog.locator('.progress-table').first().locator('tbody tr').count()).toBe(4)
    await inBothThemes(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
})
