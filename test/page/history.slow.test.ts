// Undo, history and trash.
import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { drop } from './browser.ts'
import { startRunServer } from './run-server.ts'
import { act, DAY_MS, fromMenu, inBothThemes, pageSuite, reads, soon } from './suite.ts'

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
    const shows = (runs: number) => page.getByText(`${runs} runs`, { exact: true }).waitFor()
    const remove = async () => {
      await page.locator('.run-line').first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      // what is still asked of the run would find it gone
      await settled()
      await fromMenu(page, 'Delete run')
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

  test('a receipt has its runs and files by the result of them, one kind on request; of nothing there is no undo', async () => {
    const run = (day: number) => fitRun({ startMs: Date.UTC(2025, 8, 20, 7) - day * DAY_MS, seconds: 640 })
    const form = new FormData()
    for (const [name, bytes] of [
      ['first.fit', run(0)],
      ['broken.fit', new TextEncoder().encode('no run')],
      ['again.fit', run(0)],
      ['second.fit', run(1)],
    ] as const)
      form.append('files', new Blob([bytes.slice()]), name)
    const answer = await server.call('/workouts/import', { method: 'POST', body: form })
    const { receiptId } = (await answer.json()) as { receiptId: string }
    const { page } = await open(`/receipts/${receiptId}`)
    const rowsOf = (name: string) => page.getByRole('region', { name, exact: true }).locator('.row').allTextContents()
    const containing = (...names: string[]) => names.map((name) => expect.stringContaining(name))
    await page.getByRole('heading', { name: 'Failed: 1' }).waitFor()
    const headings = await page.getByRole('heading', { level: 3 }).allTextContents()
    expect(headings).toEqual(['Added: 2', 'Duplicates: 1', 'Failed: 1'])
    expect(await rowsOf('Added: 2')).toEqual(containing('first.fit', 'second.fit'))
    expect(await rowsOf('Failed: 1')).toEqual(containing('broken.fit'))
    await inBothThemes(page)
    await act(page, { Show: 'Duplicates' })
    await page.getByRole('heading', { name: 'Added: 2' }).waitFor({ state: 'detached' })
    expect(await rowsOf('Duplicates: 1')).toEqual(containing('again.fit'))

    const nothing = new FormData()
    nothing.append('file', new File(['no run'], 'nothing.fit'))
    expect((await server.call('/workouts/import', { method: 'POST', body: nothing })).status).toBe(400)
    await page.goto(`${server.address}/app/history`)
    const line = page.locator('.row', { hasText: 'nothing.fit' })
    await reads(line, '1 failed')
    expect(await line.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await act(page, 'nothing.fit', ['Nothing changed.'])
    expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0)
  })

  test('the trash has what was deleted, gives it back, says when it could not, and lets go of it permanently', async () => {
    const { items, totalCount } = await list()
    for (const { id } of items.slice(0, 2)) await server.send('DELETE', `/workouts/${id}`)
    const { page, expecting } = await open('/trash')
    const shows = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
    await shows('2 runs')
    await page.route(/\/trash\?/, (route) => route.fulfill({ status: 500, json: {} }))
    await expecting(/\/trash\?/, async () => {
      await page
        .getByRole('button', { name: /^Restore/ })
        .first()
        .click()
      await page.getByRole('alert').waitFor()
    })
    await shows('2 runs')
    await page.unroute(/\/trash\?/)
    await act(page, 'Try again')
    await shows('1 run')
    await act(page, 'Empty trash', 'Delete permanently', ['Trash is empty'])
    expect(await count()).toBe(totalCount - 1)
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
    await inBothThemes(page)
    await act(page, 'Shoes')
    await page.getByRole('heading', { name: 'Shoes', exact: true }).waitFor()
    await failed.waitFor({ state: 'detached' })
    await page.unroute(/\/workouts\?/)
    await act(page, 'Runs')
    await soon(async () => (await lines.count()) === before + 1)
    expect(await failed.count()).toBe(0)
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
    await act(page, 'Redo', ['Redone'])
    await reads(tray, 'Old run restored')
    expect(await stored()).toEqual([[oldId], 1])
    await tray.getByRole('link', { name: 'again.fit' }).click()
    await reads(page, words.notes)
  })

  test('the page of History is in its address: it survives a reload and Back; that of a run has its own', async () => {
    for (let day = 1; day <= 55; day += 1) {
      await server.importRun(fitRun({ startMs: Date.UTC(2024, 9, 20, 7) - day * DAY_MS, seconds: 60 }))
    }
    const { page } = await open('/history')
    await act(page, 'Next', ['Page 2 of 2'])
    expect(new URL(page.url()).search).toBe('?page=2')
    await page.reload()
    await reads(page, 'Page 2 of 2')
    await page.locator('.row').last().getByRole('link').click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
    await page.goBack()
    await reads(page, 'Page 2 of 2')
    await page.goBack()
    await reads(page, 'Page 1 of 2')
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    await page.goto(`${server.address}/app/history?page=none`)
    await reads(page, 'Page 1 of 2')
    await page.goto(`${server.address}/app/runs/${(await list('sortOrder=asc')).items[0]!.id}`)
    await fromMenu(page, 'Run history')
    await page.getByRole('heading', { name: 'Run history' }).waitFor()
    await soon(async () => (await page.locator('.row').count()) === 1)
  })
})

describe('where nothing is kept', () => {
  const { test, open } = pageSuite(undefined, () => startRunServer({ UNDO_DAYS: '0' }))

  test('neither an import nor a deletion offers an undo', async () => {
    const { page, settled } = await open('/shoes')
    await page.getByRole('button', { name: 'Add shoes' }).waitFor()
    await drop(page, [{ name: 'morning.fit', bytes: fitRun() }])
    await reads(page.getByRole('region', { name: 'Imports' }), 'Done')
    await settled()
    expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0)
    await act(page, 'Dismiss imports', 'Runs')
    await page.locator('.run-line').click()
    // what the run still asks for would be answered with 404
    await settled()
    await act(page, 'More actions', 'Delete run', 'Delete', ['Run deleted'])
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })
})
