// Files that come in: the watch folder, exports of services, many files at once.
import { afterAll, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { butUpdated } from '../fixtures/updated.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { drop, type FileToDrop } from './browser.ts'
import { startRunServer } from './run-server.ts'
import { act, DAY_MS, inBothThemes, PHONE, pageSuite, reads, soon } from './suite.ts'

/** 24 July 2025, 07:00 UTC; what is made here begins so many days before it. */
const FROM_MS = Date.UTC(2025, 6, 24, 7)
const folder = mkdtempSync(join(tmpdir(), 'harrier-watch-page-'))
const runOf = (day: number) => fitRun({ startMs: START_MS - day * DAY_MS })

/** A Strava export of so many runs with gear, and one whose file is missing. */
function strava(runs: number, gear: (place: number) => string, daysBefore = 1): FileToDrop {
  const row = (id: number, name: string, day: number) => ({
    ...{ 'Activity ID': id, 'Activity Date': stravaDate(FROM_MS - day * DAY_MS) },
    ...{ 'Activity Name': name, 'Activity Type': 'Run' },
  })
  const rows = Array.from({ length: runs }, (_, place) => ({
    ...row(daysBefore + place, `Run ${place + 1}`, daysBefore + place),
    ...{ 'Activity Gear': gear(place), 'Elapsed Time': 600, Distance: 1.8 },
  }))
  const missing = { ...row(99_999, 'Morning Run', 0), Filename: 'activities/999.fit.gz' }
  const { bytes } = zipUpload({ 'activities.csv': stravaCsv([missing, ...rows]), 'x.txt': '' })
  return { name: 'export.zip', bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes }
}

function stravaDate(ms: number): string {
  return new Date(ms).toLocaleString('en-US', {
    ...{ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  } as const)
}

const { test, server, open } = pageSuite(undefined, () => {
  mkdirSync(join(folder, '2025'))
  for (let day = 0; day < 12; day += 1) writeFileSync(join(folder, `2025/${day}.fit`), runOf(day))
  writeFileSync(join(folder, 'broken.fit'), 'no run')
  const dirs = `${folder}:${folder}-missing`
  return startRunServer({ WATCH_DIR: dirs, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '86400' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened = async (at: string, options = {}) => {
  const watched = await open(at, { timezoneId: 'UTC', ...options })
  await watched.page.getByRole('heading', { level: 1 }).waitFor()
  return watched
}
const tray = (page: Page) => page.getByRole('region', { name: 'Imports' })
const count = async () => (await server.get<{ totalCount: number }>('/workouts')).totalCount
const receipts = async () => (await server.get<{ items: { id: string; title: string }[] }>('/receipts')).items
/** So many files, one a day. */
const files = (many: number, daysBefore: number): FileToDrop[] =>
  Array.from({ length: many }, (_, place) => {
    return { name: `${place}.fit`, bytes: fitRun({ startMs: FROM_MS - (daysBefore + place) * DAY_MS, seconds: 300 }) }
  })

test('the watch folder: a dot says that a file could not be read; the settings say which, and what to do', async () => {
  const { page, expecting } = await opened('/runs')
  const settings = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Settings/ })
  await settings.and(page.getByRole('link', { name: /couldn’t be read/ })).waitFor()
  await settings.click()
  await act(page, 'Getting runs in')
  const section = page.getByRole('region', { name: 'Watch folder' })
  await reads(section, '12 added, 1 failed', 'Watching', `Can’t reach ${folder}-missing`)
  expect(await settings.textContent()).toBe('Settings')
  const listed = section.getByRole('list', { name: 'Files in the watch folder' }).getByRole('listitem')
  await reads(listed, 'broken.fit')
  await inBothThemes(page)
  await expecting(/\/import$/, async () => {
    await act(page, 'Import broken.fit again')
    await page.getByText(`This file is not a ${FORMAT_NAMES} workout`).nth(1).waitFor()
  })
  writeFileSync(join(folder, 'broken.fit'), runOf(20))
  await act(page, 'Check now')
  await reads(section, '13 added')
  expect(await section.getByText('1 failed').count()).toBe(0)
  // a run that was deleted is imported again from its row
  const run = section.getByRole('link', { name: '2025/3.fit' })
  const id = (await run.getAttribute('href'))?.split('/').at(-1)
  await server.send('DELETE', `/workouts/${id}`)
  await page.reload()
  expect(await settings.textContent()).toBe('Settings')
  await section.getByRole('radio', { name: 'All' }).check()
  await act(page, 'Show more', 'Import 2025/3.fit again')
  await run.waitFor()
  expect((await run.getAttribute('href'))?.split('/').at(-1)).not.toBe(id)
})

test('an export names the runs that failed, counts those that are here apart, and gives shoes to their runs', async () => {
  const { page } = await opened('/shoes')
  const all = { name: 'everything.fit', bytes: fitRun({ startMs: FROM_MS }) }
  await server.importRun(all.bytes)
  const zip = strava(5, (place) => ['Brooks Ghost 7', 'Hoka Clifton 9', 'Bluey', 'brooks ghost 7', ''][place] ?? '')
  await drop(page, [zip])
  await reads(tray(page), '5 imported, 1 failed', '24 Jul 2025 · Morning Run', 'Found 3 pairs of shoes on 4 runs:')
  await inBothThemes(page)
  await act(page, 'Create and assign')
  await reads(tray(page), '3 pairs created, 4 runs assigned.')
  await page.getByRole('heading', { name: 'Brooks Ghost 7' }).waitFor()
  expect(await page.locator('.shoe').count()).toBe(3)
  await act(page, 'Dismiss imports')
  await drop(page, [zip, all])
  await reads(tray(page), '5 duplicates, 1 failed', 'You already have this run', '6 duplicates, 1 failed')
  expect(await page.getByRole('button', { name: 'Create and assign' }).count()).toBe(0)
})

test('an export of a service is described before anything is imported, then imported without being sent again', async () => {
  const takeout = garminTakeout({ runs: 30, seconds: 120 })
  const garmin = { name: 'garmin.zip', bytes: new Uint8Array(buildZip(takeout.entries)) }
  const { page } = await opened('/settings')
  const [before, shoes] = [await count(), (await server.get<object[]>('/shoes')).length]
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/import/archive') && sent.push(request.url()))
  await drop(page, [garmin])
  const described = /^Garmin export: 30 runs from May 2014 to July 2014, 11\.\d\skm, 3 pairs of shoes\.$/
  await reads(tray(page), described)
  expect(await count()).toBe(before)
  await page.getByRole('button', { name: 'Import without new shoes' }).waitFor()
  await tray(page).getByRole('button', { name: 'Import', exact: true }).click()
  const rides = `${takeout.rides} rides, ${takeout.swims} swims skipped`
  // one of the three is here already
  await reads(tray(page), `30 imported, 1 failed, 2 pairs of shoes, ${rides}`)
  const pairs = (await server.get<object[]>('/shoes')).length
  expect([await count(), sent.length, pairs]).toEqual([before + 30, 2, shoes + 2])
  await inBothThemes(page)
  await act(page, 'See import report', [`${rides} (not runs)`])
  // which is not covered by what leads to it
  await tray(page).waitFor({ state: 'detached' })
  await drop(page, [garmin])
  await reads(tray(page), /^30 duplicates, 1 failed/)
})

test('many files leave one receipt, whichever fail, and one press undoes them all, another brings all back', async () => {
  const { page, expecting } = await opened('/runs')
  const before = await count()
  const broken = { name: 'broken.fit', bytes: new TextEncoder().encode('no run') }
  await expecting(/workouts\/import/, async () => {
    await drop(page, [broken, ...files(12, 30)])
    await reads(tray(page), '12 imported, 1 failed')
  })
  /** Once the load of each is counted, which comes a moment after its import. */
  const stored = async () => {
    const range = 'startDate=2025-06-01&endDate=2025-06-26&pageSize=100'
    const { items } = await server.get<{ items: { loadSource: string | null }[] }>(`/workouts?${range}`)
    return butUpdated(items)
  }
  await soon(async () => (await stored()).every(({ loadSource }) => loadSource !== null))
  const all = await stored()
  expect(all.length).toBe(12)
  const [receipt] = await receipts()
  expect(receipt?.title).toBe('13 files')
  const report = tray(page).getByRole('link', { name: 'See import report' })
  expect(await report.getAttribute('href')).toBe(`/app/receipts/${receipt?.id}`)
  await act(page, 'Undo import', ['Undone'])
  expect(await count()).toBe(before)
  await tray(page).waitFor({ state: 'detached' })
  await act(page, 'Redo', ['Redone'])
  await soon(async () => Bun.deepEquals(await stored(), all))
})

test('an import under way leaves a report in view on a phone, with its files a press away', async () => {
  const { page } = await opened('/history', PHONE)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/workouts/import*', async (route) => {
    await held
    await route.continue()
  })
  await drop(page, files(2, 60))
  const listed = tray(page).getByRole('listitem')
  await listed.first().waitFor()
  await page.locator('.row a').first().click()
  await page.waitForURL(/\/receipts\//)
  await listed.first().waitFor({ state: 'detached' })
  await reads(tray(page), 'Importing: 0 of 2 done')
  await act(page, 'Show files')
  await listed.first().waitFor()
  release()
  await reads(tray(page), '2 imported')
})
