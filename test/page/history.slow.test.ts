// Undo, history and trash.
import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { drop } from './browser.ts'
import { act, DAY_MS, fromMenu, inBothThemes, pageSuite, reads } from './suite.ts'

describe('undo, history and trash', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (let day = 0; day < 5; day += 1) {
      const startMs = Date.UTC(2025, 9, 20, 7) - day * 3 * DAY_MS
      await server.importRun(fitRun({ startMs, seconds: 900 + 10 * day }))
    }
  })
  const list = (query = '') => server.get<{ items: { id: string }[]; totalCount: number }>(`/workouts?${query}`)
  const count = async () => (await list()).totalCount

  test('a deleted run comes back by the toast, by Ctrl+Z, and goes again by Redo', async () => {
    const { page, settled } = await open('/runs')
    // the page of a run says "4 runs" too, of its route
    const head = page.locator('.page-head', { has: page.getByRole('heading', { level: 1, name: 'Runs' }) })
    const shows = (runs: number) => head.getByText(`${runs} runs`, { exact: true }).waitFor()
    const remove = async () => {
      await page.locator('.run-line').first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      // what is still asked of the run would find it gone
      await settled()
      await fromMenu(page, 'Delete')
      await shows(4)
      await reads(page.getByRole('status').filter({ has: page.locator('.toast') }), 'Run deleted')
    }
    await shows(5)
    await remove()
    await noViolations(page)
    await page.getByRole('button', { name: 'Undo', exact: true }).focus()
    await page.keyboard.press('Enter')
    await shows(5)
    await act(page, 'Redo')
    await shows(4)
    await reads(page, 'Redone')
    await page.keyboard.press('Control+z')
    await shows(5)
    await remove()
    await page.keyboard.press('Control+z')
    await shows(5)
  })

  test('the history lists what was done by day; a receipt shows the effect of undoing it before it is undone', async () => {
    const { id } = (await list()).items[4]!
    await server.send('PATCH', `/workouts/${id}`, { name: 'Long run', notes: 'warm' })
    const { page } = await open('/settings#history')
    await act(page, 'History')
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await reads(page, 'Edited name, notes')
    // the run that was edited since is kept
    await page.locator('.row', { hasText: '1 added' }).first().getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await reads(dialog, 'There’s nothing left to undo', 'Long run: It was edited later: Edited name, notes')
    await inBothThemes(page)
    await dialog.getByText('Also move runs that were edited later').click()
    await reads(dialog, '1 run will move to the trash')
    await act(page, 'Cancel', 'Edited name, notes')
    await page.getByRole('heading', { name: 'Edited name, notes' }).waitFor()
    await act(page, ['Can be undone until'], 'Undo…')
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await reads(page, 'Undone on')
    expect((await server.get<{ name: string | null }>(`/workouts/${id}`)).name).toBeNull()
  })

  test('the trash has what was deleted, gives it back, and lets go of it permanently', async () => {
    const { items, totalCount } = await list()
    for (const { id } of items.slice(0, 2)) await server.send('DELETE', `/workouts/${id}`)
    const { page } = await open('/trash')
    const shows = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
    await shows('2 runs')
    await page
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click()
    await shows('1 run')
    await act(page, 'Empty trash', 'Delete permanently', ['Trash is empty'])
    // one list with a filter
    await page.getByRole('radio', { name: 'Imports' }).check()
    await page.waitForURL(/history\?show=import$/)
    await reads(page, '1 added')
    expect(await page.getByText('Edited name, notes').count()).toBe(0)
    await page.getByRole('radio', { name: 'Everything' }).check()
    await reads(page, 'Edited name, notes')
    await page.getByRole('radio', { name: 'Trash' }).check()
    await page.waitForURL(/history\?show=trash$/)
    await page.reload()
    await reads(page, 'Trash is empty')
    expect(await count()).toBe(totalCount - 1)
  })

  test('a file of a deleted run offers the old one with its words, and both steps are undone by one press', async () => {
    const bytes = fitRun({ startMs: Date.UTC(2025, 9, 1, 7), seconds: 700 })
    const oldId = await server.importRun(bytes)
    const words = { name: 'Along the canal', notes: 'the one with the heron' }
    await server.send('PATCH', `/workouts/${oldId}`, words)
    await server.send('DELETE', `/workouts/${oldId}`)
    const before = await count()
    const stored = async () => [(await list('keyword=canal')).items.map(({ id }) => id), (await count()) - before]
    const { page } = await open('/runs', { viewport: { width: 390, height: 844 } })
    // files are taken once the page is there
    await page.getByRole('heading', { level: 1 }).waitFor()
    await drop(page, [{ name: 'again.fit', bytes }])
    const tray = page.getByRole('region', { name: 'Imports' })
    const href = () => tray.getByRole('link', { name: 'again.fit' }).getAttribute('href')
    await reads(tray, 'You deleted this run')
    expect(await stored()).toEqual([[], 1])
    await inBothThemes(page)
    await act(page, 'Restore old run instead')
    await reads(tray, 'Old run restored')
    expect(await stored()).toEqual([[oldId], 1])
    expect(await href()).toBe(`/app/runs/${oldId}`)
    await act(page, 'Undo', ['Undone'])
    expect(await stored()).toEqual([[], 1])
    await reads(tray, 'Imported; the old run is back in the trash')
    expect(await href()).not.toContain(oldId)
  })
})
