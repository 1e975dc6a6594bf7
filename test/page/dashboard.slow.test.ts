import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { atAllWidths, pageSuite } from './suite.ts'

describe('the dashboard', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    const now = Date.now()
    for (const hours of [3, 30, 400]) {
      await server.importRun(
        fitRun({ startMs: Math.floor(now / 1000) * 1000 - hours * 3_600_000, seconds: 1500 + hours }),
      )
    }
  })

  test('begins with the latest run, whose type, RPE and notes are entered there', async () => {
    const { page } = await open('')
    const card = page.locator('.latest-card')
    await card.getByLabel('Run type').selectOption('Long Run')
    await card.getByLabel('RPE (perceived effort), 1–10').selectOption('4')
    await card.getByRole('button', { name: 'Notes' }).click()
    await card.getByRole('textbox', { name: 'Notes' }).fill('Along the river')
    await card.getByRole('button', { name: 'Save notes' }).click()
    await card.getByText('Along the river').waitFor()
    const { items } = await server.get<{ items: { id: string; rpe: number; runType: string }[] }>(
      '/workouts?pageSize=1',
    )
    expect(items[0]).toMatchObject({ rpe: 4, runType: 'Long Run' })
    expect(await server.get<object>(`/workouts/${items[0]?.id}`)).toMatchObject({ notes: 'Along the river' })
    await atAllWidths(page)
  })

  test('hides and orders its cards, also after a reload', async () => {
    const { page } = await open('')
    const customise = page.getByRole('button', { name: 'Customise dashboard' })
    await customise.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Latest run', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Move Totals up' }).click()
    await dialog.getByRole('radio', { name: 'Relative effort' }).check()
    await atAllWidths(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.latest-card').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Relative effort' }).waitFor()
    expect(await page.locator('.latest-card').count()).toBe(0)
    const classes = await page.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))
    const at = (name: string) => classes.findIndex((one) => one.includes(name))
    expect(at('totals')).toBeLessThan(at('effort'))
    await customise.click()
    await dialog.getByLabel('Latest run', { exact: true }).check()
    await dialog.getByRole('radio', { name: 'Load' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.latest-card').waitFor()
  })

  test('leads from every total, day and bar to the runs that it counts', async () => {
    const { page } = await open('')
    const totals = page.getByLabel('Totals')
    await totals.getByText('3 runs').first().waitFor()
    for (const index of [0, 1, 2, 3]) {
      const cell = totals.locator(':scope > div').nth(index)
      const [, runs = ''] = /(\d+) runs?/.exec((await cell.textContent()) ?? '') ?? []
      await cell.getByRole('link').click()
      await page
        .locator('.page-head')
        .getByText(`${runs} ${runs === '1' ? 'run' : 'runs'} found`)
        .waitFor()
      await page.goBack()
      await totals.getByText('3 runs').first().waitFor()
    }
    for (const name of [/Enter shows the runs until then$/, /Enter shows the runs until one$/]) {
      await page.getByRole('slider', { name }).focus()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/)
      await page.goBack()
    }
    const bars = page.locator('.year-bars .bars')
    await bars.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/)
    await page.getByText(/runs? found/).waitFor()
    await page.getByRole('button', { name: 'Remove filter: Counted runs' }).click()
    await page.waitForURL(/&to=.{10}$/)
  })

  test('shows the numbers of its charts as tables, whose rows lead to the runs that they count', async () => {
    const { page } = await open('')
    const tables = page.locator('.dashboard .table-view')
    await page.waitForFunction(() => document.querySelectorAll('.dashboard .table-view').length === 4)
    for (const summary of await tables.locator('summary').all()) await summary.click()
    const rows = async (card: string) => await page.locator(`${card} .table-view tbody tr`).count()
    const weekday = ((new Date().getUTCDay() + 6) % 7) + 1
    const days = await page.locator('.strip-days .day:not(.shade-0):is([data-index])').count()
    expect([await rows('.wide'), await rows('.effort'), await rows('.rolling')]).toEqual([days, weekday, 52])
    const month = new Date().getUTCMonth() + 1
    expect(await rows('.year')).toBe(month)
    const year = page.locator('.year .table-view tbody tr').last()
    expect((await year.textContent())?.replace(/\s/g, '')).toContain(
      ((await page.locator('.year .big').textContent()) ?? '').replace(/\s/g, ''),
    )
    await atAllWidths(page)
    await page.locator('.rolling .table-view tbody').getByRole('link').first().click()
    await page.waitForURL(/\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/)
    await page.getByText(/runs? found/).waitFor()
  })

  test('shows bars by time, elevation gain and load', async () => {
    const { page } = await open('')
    const bars = page.locator('.rolling')
    for (const [name, pattern] of [
      ['Time', /min/],
      ['Load', /^\d+\s*$/],
      ['Distance', /km/],
    ] as const) {
      await bars.getByLabel('Bars by').selectOption({ label: name })
      await page.waitForFunction(
        (source) => new RegExp(source).test(document.querySelector('.year-bars strong')?.textContent?.trim() ?? ''),
        pattern.source,
      )
    }
  })
})
