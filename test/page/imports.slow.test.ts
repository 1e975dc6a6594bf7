import { afterEach, beforeEach, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { noViolations } from './axe.ts'
import { drop, type FileToDrop, type Watched } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'
import { DAY_MS, inBothThemes, pageSuite } from './suite.ts'

/** 24 July 2025, 07:00 UTC, and the days before it. */
const FROM_MS = Date.UTC(2025, 6, 24, 7)
const ALL = { name: 'everything.fit', bytes: fitRun({ startMs: FROM_MS }) }

/** A Strava export of so many runs with gear, and one whose file is missing. */
function strava(runs: number, gear: (place: number) => string): FileToDrop {
  const rows = Array.from({ length: runs }, (_, place) => ({
    'Activity ID': place + 1,
    'Activity Date': stravaDate(FROM_MS - (place + 1) * DAY_MS),
    'Activity Name': `Run ${place + 1}`,
    'Activity Type': 'Run',
    'Activity Gear': gear(place),
    'Elapsed Time': 600,
    Distance: 1.8,
  }))
  const missing = {
    'Activity ID': 999,
    'Activity Date': stravaDate(FROM_MS),
    'Activity Name': 'Morning Run',
    'Activity Type': 'Run',
    Filename: 'activities/999.fit.gz',
  }
  const { bytes } = zipUpload({ 'activities.csv': stravaCsv([missing, ...rows]), 'x.txt': '' })
  return { name: 'export.zip', bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes }
}

function stravaDate(ms: number): string {
  return new Date(ms).toLocaleString('en-US', {
    ...{ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  } as const)
}

const tray = (page: Page) => page.getByRole('region', { name: 'Imports' })

describe('imports in the page', () => {
  // each begins with an empty log
  let server: RunServer
  const opened: Watched[] = []
  const { test, browser } = pageSuite()
  beforeEach(async () => {
    server = await startRunServer()
  })
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close()
    await server.stop()
  })

  const open = async (at: string) => {
    const watched = await loggedInPage(browser(), server.address, { timezoneId: 'UTC' })
    opened.push(watched)
    await watched.page.goto(`${server.address}/app${at}`)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
    return watched
  }

  test('name the runs that failed, count those that are here apart, and give shoes to their runs', async () => {
    const { page } = await open('/shoes')
    await page.getByText('No shoes yet').waitFor()
    await server.importRun(ALL.bytes)
    const zip = strava(5, (place) => ['Brooks Ghost 7', 'Hoka Clifton 9', 'Bluey', 'brooks ghost 7', ''][place] ?? '')
    await drop(page, [zip])
    await tray(page).getByText('5 imported, 1 failed').first().waitFor()
    await tray(page).getByText('24 Jul 2025 · Morning Run').waitFor()
    await tray(page).getByText('Found 3 pairs of shoes on 4 runs:').waitFor()
    await inBothThemes(page)
    await tray(page).getByRole('button', { name: 'Create and assign' }).click()
    await tray(page).getByText('3 pairs created, 4 runs assigned.').waitFor()
    await page.getByRole('heading', { name: 'Brooks Ghost 7' }).waitFor()
    expect(await page.locator('.shoe').count()).toBe(3)

    await page.getByRole('button', { name: 'Dismiss imports' }).click()
    await drop(page, [zip, ALL])
    await tray(page).getByText('5 duplicates, 1 failed').first().waitFor()
    await tray(page).getByText('You already have this run').waitFor()
    await tray(page).getByText('6 duplicates, 1 failed').first().waitFor()
    expect(await page.getByRole('button', { name: 'Create and assign' }).count()).toBe(0)
  })

  test('offer the shoes later, too', async () => {
    const { page } = await open('/shoes')
    await drop(page, [strava(3, () => 'Brooks Ghost 7')])
    await tray(page).getByText('Found 1 pair of shoes on 3 runs:').waitFor()
    await page.reload()
    await page.getByText('Found 1 pair of shoes on 3 runs:').waitFor()
    await noViolations(page)
    await page.getByRole('button', { name: 'Create and assign' }).click()
    await page.getByText('1 pair created, 3 runs assigned.').waitFor()
    await page.getByRole('heading', { name: 'Brooks Ghost 7' }).waitFor()
  })

  test('offer no shoes that the runner does not want to be asked about', async () => {
    const { page } = await open('/shoes')
    await drop(page, [strava(2, () => 'Brooks Ghost 7')])
    await tray(page)
      .getByText(/^Found/)
      .waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Don’t ask again' }).click()
    expect(await page.locator('.gear').count()).toBe(0)
    await page.reload()
    await page.getByText('No shoes yet').waitFor()
    await page.waitForTimeout(300)
    expect(await page.locator('.gear').count()).toBe(0)
    await drop(page, [strava(3, () => 'Hoka Clifton 9')])
    await tray(page).getByText('1 imported, 2 duplicates, 1 failed').first().waitFor()
    await page.reload()
    await page.getByText('Found 1 pair of shoes on 1 run:').waitFor()
  })

  test('of many files leave one receipt, whichever fail, and one press undoes them all', async () => {
    const { page, expecting } = await open('/runs')
    const broken = { name: 'broken.fit', bytes: new TextEncoder().encode('no run') }
    const files = Array.from({ length: 12 }, (_, place) => {
      return { name: `${place}.fit`, bytes: fitRun({ startMs: FROM_MS - place * DAY_MS, seconds: 300 + place }) }
    })
    await expecting(/workouts\/import/, async () => {
      await drop(page, [broken, ...files])
      await tray(page).getByText('12 imported, 1 failed').first().waitFor()
    })
    const receipts = await server.get<{ items: { id: string; title: string }[] }>('/receipts')
    expect(receipts.items.map(({ title }) => title)).toEqual(['13 files'])
    const report = tray(page).getByRole('link', { name: 'See import report' })
    expect(await report.getAttribute('href')).toBe(`/app/receipts/${receipts.items[0]?.id}`)
    await tray(page).getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect((await server.get<{ totalCount: number }>('/workouts')).totalCount).toBe(0)
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('Redone').waitFor()
    expect((await server.get<{ totalCount: number }>('/workouts')).totalCount).toBe(12)
  })

  test('into a receipt that was undone meanwhile get a new one', async () => {
    const { page, expecting } = await open('/runs')
    let undoing: Promise<unknown> | null = null
    await page.route(/receiptId=/, async (route) => {
      const id = new URL(route.request().url()).searchParams.get('receiptId')
      undoing ??= server.send('POST', `/receipts/${id}/undo`, {})
      await undoing
      await route.continue()
    })
    await expecting(/workouts\/import/, async () => {
      await drop(
        page,
        [0, 1, 2, 3].map((place) => {
          return { name: `${place}.fit`, bytes: fitRun({ startMs: FROM_MS - place * DAY_MS, seconds: 300 }) }
        }),
      )
      await tray(page).getByText('4 imported', { exact: true }).waitFor()
    })
    const { items } = await server.get<{ items: { title: string; counts: object }[] }>('/receipts')
    expect(items.map(({ title }) => title).toSorted()).toEqual(['0.fit', '3 files', 'Undid: 0.fit'])
    expect((await server.get<{ totalCount: number }>('/workouts')).totalCount).toBe(3)
  })

  test('are seen in every window, also in one that is opened or loaded again meanwhile', async () => {
    const one = await open('/runs')
    const other = await open('/settings')
    // so many that the import outlasts loading the page again
    const { bytes } = strava(2000, () => '')
    const form = new FormData()
    form.append('file', new File([bytes.slice()], 'export.zip'))
    const answer = server.call('/workouts/import/bulk', { method: 'POST', body: form })
    await tray(one.page).getByText('Export', { exact: true }).waitFor()
    await other.page.reload()
    await tray(other.page)
      .getByText(/^[\d,]+ of 2,001 runs$/)
      .waitFor()
    await noViolations(other.page)
    expect((await answer).status).toBe(200)
    for (const { page } of [one, other]) {
      await tray(page).getByText('2,000 imported, 1 failed').first().waitFor()
      await tray(page).getByText('2,000 imported, 1 failed').first().waitFor()
    }
    await one.page.getByRole('button', { name: 'Dismiss imports' }).click()
    expect(await tray(one.page).count()).toBe(0)
  })

  test('of single files elsewhere are seen when there are several, and settle', async () => {
    const { page } = await open('/settings')
    await server.importRun(fitRun({ startMs: FROM_MS }))
    await page.waitForTimeout(500)
    expect(await tray(page).count()).toBe(0)
    for (const days of [1, 2]) await server.importRun(fitRun({ startMs: FROM_MS + days * DAY_MS }))
    await server.importRun(fitRun({ startMs: FROM_MS }))
    await tray(page).getByText('3 imported, 1 duplicate').first().waitFor()
    await tray(page).getByText('3 imported, 1 duplicate').first().waitFor()
  })

  test('that end because their page is loaded again say so', async () => {
    const { page, forgive } = await open('/runs')
    page.on('dialog', (dialog) => void dialog.accept())
    // a hand on the page, without which a browser asks nobody
    await page.getByRole('heading', { level: 1 }).click()
    await drop(page, [strava(2000, () => ''), { name: 'a.fit', bytes: new Uint8Array(8) }])
    await tray(page)
      .getByText(/^[\d,]+ of 2,001 runs$/)
      .waitFor()
    await page.reload()
    await tray(page).getByText('Stopped when you left this page.').waitFor()
    await tray(page).getByText('export.zip').waitFor()
    expect(await page.getByRole('button', { name: 'Retry failed files' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await tray(page).getByText('Stopped when you left this page.').count()).toBe(0)
    forgive()
  })
})
