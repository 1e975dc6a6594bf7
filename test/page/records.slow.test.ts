// How an effort ranks, the runner's correction on it, and how records fell, in a real browser.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { DAY_MS, fromMenu, inBothThemes, pageSuite } from './suite.ts'

const WIDTHS = [390, 1600]

const ids: string[] = []
const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
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
    const line = (link: Element) => getComputedStyle(link).textDecorationLine
    expect(await row.getByRole('link', { name: 'All-time best' }).evaluate(line)).toBe('underline')
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
  expect(await medals.first().getAttribute('title')).toContain('record 400 m')
  await noViolations(page)
})

test('a run that is left out holds no record, and comes back', async () => {
  const { page } = await open(`/runs/${ids[3]}`)
  await fromMenu(page, 'Exclude from statistics')
  const notice = page.getByText('This run is excluded from statistics and records.')
  await notice.waitFor()
  // the notice goes before the answer, and closing the page would cut that off
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await fromMenu(page, 'Include in statistics')
  await saved
  await notice.waitFor({ state: 'hidden' })
  await page.locator('.run-best').getByText('All-time best').first().waitFor()
})

test('records of all time, of twelve months and of this year; a distance leads to its bests', async () => {
  for (const width of WIDTHS) {
    const { page } = await open('', { viewport: { width, height: 900 } })
    const card = page.locator('.efforts')
    const distance = card.getByRole('link', { name: '1K: top ten and progression' })
    await card.getByRole('radio', { name: '12 months' }).check()
    await distance.waitFor()
    await card.getByRole('radio', { name: 'All time' }).check()
    await distance.click()
    await page.waitForURL('**/app/bests?distance=1000')
    const progression = page.locator('.card', { hasText: 'Record progression' })
    await progression.getByText('first').waitFor()
    expect(await progression.locator('tbody tr').count()).toBe(4)
  }
})

test('personal bests: a distance shows its top ten, years and progression, and each leads to its run', async () => {
  await everywhere(
    '/bests',
    async (page) => {
      await page.getByRole('heading', { name: 'Personal bests' }).waitFor()
      await page.getByRole('link', { name: '1 mile' }).click()
      await page.waitForURL('**/app/bests?distance=1609.344')
      const top = page.locator('.best-top')
      await top.getByText('Rank').waitFor()
      // 2.6, 2.7, 2.8 and 3.1 m/s
      expect(await top.locator('td strong').allTextContents()).toEqual(['8:39', '9:35', '9:56', '10:19'])
      const years = page.locator('.card', { hasText: 'By year' })
      expect(await years.locator('tbody tr').count()).toBeGreaterThan(1)
    },
    [320, 390, 1024, 1600],
  )
  const { page } = await open('/bests?distance=1000')
  const chart = page.getByRole('slider', { name: /Record progression/ })
  await chart.focus()
  await page.keyboard.press('Home')
  expect(await chart.getAttribute('aria-valuetext')).toEndWith('a record')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/app/runs/${ids[0]}`)
  await page.goBack()
  for (const [card, row, run] of [
    ['Top ten', 0, 3],
    ['By year', 0, 3],
    ['Record progression', 3, 0],
  ] as const) {
    const rows = page.locator('.card', { hasText: card }).locator('tbody tr')
    await rows.nth(row).getByRole('link').click()
    await page.waitForURL(`**/app/runs/${ids[run]}`)
    await page.goBack()
  }
})
