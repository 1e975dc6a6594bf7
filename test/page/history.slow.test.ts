import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { drop } from './browser.ts'
import { startRunServer } from './run-server.ts'
import { atAllWidths, DAY_MS, fromMenu, inBothThemes, pageSuite, soon } from './suite.ts'

describe('undo, history and trash', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (let day = 0; day < 5; day += 1) {
      const startMs = Date.UTC(2025, 9, 20, 7) - day * 3 * DAY_MS
      await server.importRun(fitRun({ startMs, seconds: 900 + 10 * day }))
    }
  })

  test('a deleted run comes back by the toast, by Ctrl+Z, and goes again by Redo', async () => {
    const { page, settled } = await open('/runs')
    const remove = async () => {
      await page.locator('.run-line').first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      // what is still asked of the run would find it gone
      await settled()
      await fromMenu(page, 'Delete run')
      await page.getByText('4 runs', { exact: true }).waitFor()
      await toasts.getByText('Run deleted').waitFor()
    }
    const toasts = page.getByRole('status').filter({ has: page.locator('.toast') })
    await page.getByText('5 runs', { exact: true }).waitFor()
    await remove()
    await noViolations(page)
    await page.getByRole('button', { name: 'Undo', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('5 runs', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('4 runs', { exact: true }).waitFor()
    await page.getByText('Redone').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('5 runs', { exact: true }).waitFor()
    await remove()
    await page.keyboard.press('Control+z')
    await page.getByText('5 runs', { exact: true }).waitFor()
  })

  test('the history lists what was done by day; a receipt shows the effect of undoing it before it is undone', async () => {
    const { items } = await server.get<{ items: { id: string }[] }>('/workouts')
    await server.send('PATCH', `/workouts/${items[4]!.id}`, { name: 'Long run', notes: 'warm' })
    const { page } = await open('/settings#history')
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.getByText('Edited name, notes').waitFor()
    await atAllWidths(page)
    // the run that was edited since is kept
    await page.locator('.row', { hasText: '1 added' }).first().getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('There’s nothing left to undo').waitFor()
    await dialog.getByText('Long run: It was edited later: Edited name, notes').waitFor()
    await noViolations(page)
    await dialog.getByText('Also move runs that were edited later').click()
    await dialog.getByText('1 run will move to the trash').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Edited name, notes' }).click()
    await page.getByRole('heading', { name: 'Edited name, notes' }).waitFor()
    await page.getByText('Can be undone until').waitFor()
    await noViolations(page)
    await page.getByRole('button', { name: 'Undo…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone on').waitFor()
    expect((await server.get<{ name: string | null }>(`/workouts/${items[4]!.id}`)).name).toBeNull()
  })

  test('an import that changed nothing has nothing to undo', async () => {
    const form = new FormData()
    form.append('file', new File([new TextEncoder().encode('no run')], 'broken.fit'))
    expect((await server.call('/workouts/import', { method: 'POST', body: form })).status).toBe(400)
    const { page } = await open('/history')
    const line = page.locator('.row', { hasText: 'broken.fit' })
    await line.getByText('1 failed').waitFor()
    expect(await line.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await line.getByRole('link', { name: 'broken.fit' }).click()
    await page.getByText('Nothing changed.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0)
  })

  test('a receipt has its runs and files by the result of them, and shows only one kind on request', async () => {
    const run = (day: number) => fitRun({ startMs: Date.UTC(2025, 8, 20, 7) - day * DAY_MS, seconds: 640 })
    const form = new FormData()
    const files = [
      ['first.fit', run(0)],
      ['broken.fit', new TextEncoder().encode('no run')],
      ['again.fit', run(0)],
      ['second.fit', run(1)],
    ] as const
    for (const [name, bytes] of files) form.append('files', new Blob([bytes.slice()]), name)
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    const { receiptId } = (await answer.json()) as { receiptId: string }
    const { page } = await open(`/receipts/${receiptId}`)
    const rowsOf = (name: string) => page.getByRole('region', { name, exact: true }).locator('.row').allTextContents()
    await page.getByRole('heading', { name: 'Failed: 1' }).waitFor()
    await page.getByRole('heading', { name: 'Added: 2' }).waitFor()
    await page.getByRole('heading', { name: 'Duplicates: 1' }).waitFor()
    const headings = await page.getByRole('heading', { level: 3 }).allTextContents()
    expect(headings).toEqual(['Added: 2', 'Duplicates: 1', 'Failed: 1'])
    expect(await rowsOf('Added: 2')).toEqual([
      expect.stringContaining('first.fit'),
      expect.stringContaining('second.fit'),
    ])
    expect(await rowsOf('Failed: 1')).toEqual([expect.stringContaining('broken.fit')])
    await atAllWidths(page)
    await page.getByLabel('Show').selectOption('Duplicates')
    await page.getByRole('heading', { name: 'Added: 2' }).waitFor({ state: 'detached' })
    expect(await rowsOf('Duplicates: 1')).toEqual([expect.stringContaining('again.fit')])
  })

  test('the trash has what was deleted, gives it back, and lets go of it permanently', async () => {
    const { items } = await server.get<{ items: { id: string }[] }>('/workouts')
    for (const { id } of items.slice(0, 2)) await server.send('DELETE', `/workouts/${id}`)
    const { page, expecting } = await open('/trash')
    await page.getByRole('heading', { name: '2 runs' }).waitFor()
    await atAllWidths(page)
    const restore = page.getByRole('button', { name: /^Restore/ }).first()
    await page.route(/\/trash\?/, (route) => route.fulfill({ status: 500, json: {} }))
    await expecting(/\/trash\?/, async () => {
      await restore.click()
      await page.getByRole('alert').waitFor()
    })
    await page.getByRole('heading', { name: '2 runs' }).waitFor()
    await page.unroute(/\/trash\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: '1 run' }).waitFor()
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Trash is empty').waitFor()
    expect((await server.get<{ totalCount: number }>('/workouts')).totalCount).toBe(items.length - 1)
  })

  test('every view says when it could not be loaded again, until it could or another is shown', async () => {
    const { page, expecting } = await open('/runs')
    const lines = page.locator('.run-line')
    await lines.first().waitFor()
    const before = await lines.count()
    await page.route(/\/workouts\?/, (route) => route.fulfill({ status: 500, json: {} }))
    const failed = page.getByText('Some of this may be out of date.')
    await expecting(/\/workouts\?/, async () => {
      await server.importRun(fitRun({ startMs: Date.UTC(2025, 7, 1, 7), seconds: 700 }))
      await failed.waitFor()
    })
    expect(await lines.count()).toBe(before)
    await atAllWidths(page)
    await page.getByRole('link', { name: 'Shoes', exact: true }).click()
    await page.getByRole('heading', { name: 'Shoes', exact: true }).waitFor()
    await failed.waitFor({ state: 'detached' })
    await page.unroute(/\/workouts\?/)
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await soon(async () => (await lines.count()) === before + 1)
    expect(await failed.count()).toBe(0)
  })

  test('a file of a deleted run offers the old one with its words, and both steps are undone by one press', async () => {
    const bytes = fitRun({ startMs: Date.UTC(2025, 9, 1, 7), seconds: 700 })
    const oldId = await server.importRun(bytes)
    const words = { name: 'Along the canal', notes: 'the one with the heron' }
    await server.send('PATCH', `/workouts/${oldId}`, words)
    await server.send('DELETE', `/workouts/${oldId}`)
    const runs = async () =>
      (await server.get<{ items: { id: string }[] }>('/workouts?keyword=canal')).items.map(({ id }) => id)
    const count = async () => (await server.get<{ totalCount: number }>('/workouts')).totalCount
    const before = await count()
    const { page } = await open('/runs', { viewport: { width: 390, height: 844 } })
    // files are taken once the page is there
    await page.getByRole('heading', { level: 1 }).waitFor()
    await drop(page, [{ name: 'again.fit', bytes }])
    const tray = page.getByRole('region', { name: 'Imports' })
    await tray.getByText('You deleted this run').waitFor()
    expect([await runs(), await count()]).toEqual([[], before + 1])
    await inBothThemes(page)
    await tray.getByRole('button', { name: 'Restore old run instead' }).click()
    await tray.getByText('Old run restored').waitFor()
    expect([await runs(), await count()]).toEqual([[oldId], before + 1])
    expect(await tray.getByRole('link', { name: 'again.fit' }).getAttribute('href')).toBe(`/app/runs/${oldId}`)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect([await runs(), await count()]).toEqual([[], before + 1])
    await tray.getByText('Imported; the old run is back in the trash').waitFor()
    expect(await tray.getByRole('link', { name: 'again.fit' }).getAttribute('href')).not.toContain(oldId)
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('Redone').waitFor()
    await tray.getByText('Old run restored').waitFor()
    expect([await runs(), await count()]).toEqual([[oldId], before + 1])
    await tray.getByRole('link', { name: 'again.fit' }).click()
    await page.getByText(words.notes).waitFor()
  })

  test('the history of a run, and the result of an import, are a step away', async () => {
    const { page } = await open('/runs')
    const bytes = fitRun({ startMs: Date.UTC(2025, 10, 2, 7), seconds: 800 })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        ...{ name: 'evening.fit', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
      })
    await page.getByRole('link', { name: 'See import report' }).click()
    await page.getByRole('heading', { name: 'evening.fit' }).waitFor()
    await page.getByRole('heading', { name: 'Added: 1' }).waitFor()
    await page.locator('.row .key-text a').last().click()
    await fromMenu(page, 'Run history')
    await page.getByRole('heading', { name: 'Run history' }).waitFor()
    await page.locator('.row').first().waitFor()
    expect(await page.locator('.row').count()).toBe(1)
  })

  test('what is offered to be undone is beside the actions on chosen runs, not over them', async () => {
    const { page } = await open('/runs')
    for (const place of [0, 1]) {
      await page
        .locator('.run-line')
        .nth(place)
        .click({ modifiers: ['Shift'] })
    }
    const trial = page.getByRole('dialog', { name: '2 runs: Workout' })
    await page.getByLabel('Type of the selected runs').selectOption('Workout')
    await trial.getByRole('button', { name: 'Change' }).click()
    const toast = page.locator('.toast', { hasText: '2 runs changed' })
    await toast.hover()
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
      [1024, 768],
      [1600, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      const over = await toast.boundingBox()
      const bar = await page.locator('.run-actions-bar').boundingBox()
      expect([width, over !== null && bar !== null && over.y + over.height <= bar.y]).toEqual([width, true])
    }
    await noViolations(page)
  })
})

describe('where nothing is kept', () => {
  const { test, open } = pageSuite(undefined, () => startRunServer({ UNDO_DAYS: '0' }))

  test('neither an import nor a deletion offers an undo', async () => {
    const { page, settled } = await open('/shoes')
    await page.getByRole('button', { name: 'Add shoes' }).waitFor()
    await drop(page, [{ name: 'morning.fit', bytes: fitRun() }])
    await page.getByRole('region', { name: 'Imports' }).getByText('Done').waitFor()
    await settled()
    expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Dismiss imports' }).click()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.locator('.run-line').click()
    // what the run still asks for would be answered with 404
    await settled()
    await fromMenu(page, 'Delete run')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Run deleted').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })
})
