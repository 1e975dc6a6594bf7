// The list of runs: sums, the way to a run and back, choosing several, and types that are suggested.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { act, DAY_MS, fromMenu, inBothThemes, PHONE, pageSuite, reads, saved, soon } from './suite.ts'

/** More than a page of the list. */
const RUNS = 60

const { test, server, open } = pageSuite(async ({ server }) => {
  for (let index = 0; index < RUNS; index += 1) {
    const startMs = Date.UTC(2025, 9, 20, 7) - index * 3 * DAY_MS
    await server.importRun(fitRun({ startMs, seconds: 600 + 10 * index }))
  }
})

const opened = async (at: string, options = {}) => {
  const watched = await open(at, options)
  await watched.page.locator('.run-line').first().waitFor()
  return watched
}
const count = async (query = '') => (await server.get<{ totalCount: number }>(`/workouts${query}`)).totalCount
const focusedRun = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.run ?? null)
const runsOn = (page: Page) =>
  page.locator('.run-line').evaluateAll((lines) => lines.map((line) => (line as HTMLElement).dataset.run ?? ''))
/** Chooses lines of the list by their places, the first and what is between it and the last with Shift. */
const choose = async (page: Page, ...places: readonly number[]) => {
  for (const place of places) {
    await page
      .locator('.run-line')
      .nth(place)
      .click({ modifiers: ['Shift'] })
  }
}

test('sums up what is found, below the months when it is in the order of days', async () => {
  const { page } = await opened('/runs')
  // 600 to 1190 s at 3 m/s
  expect(await page.locator('.page-head [role=status]').textContent()).toBe('60 runs · 161\u00a0km · 15 h')
  expect((await page.locator('.run-month').allTextContents())[0]).toBe('October 2025')
  await act(page, 'Sort by pace')
  await page.waitForURL(/sort=pace$/)
  await page.locator('.run-month').first().waitFor({ state: 'detached' })
  await act(page, 'Race', ['No matching runs'], 'No type', ['60 runs found'])
  // the mark of a race is readable in both themes
  const [id] = await runsOn(page)
  for (const runType of ['Race', null]) {
    await server.send('PATCH', `/workouts/${id}`, { runType })
    await page.goto(`${server.address}/app/runs`)
    await page.locator('.run-line').first().waitFor()
    expect(await page.locator('.tag.race').count()).toBe(runType === null ? 0 : 1)
    if (runType !== null) await inBothThemes(page)
  }
})

test('a run knows its neighbours in the list, and the way back leads to its row', async () => {
  const { page } = await opened('/runs?sort=distance')
  const first = await runsOn(page)
  await page.locator('.run-line').nth(23).click()
  await page.waitForURL(new RegExp(`${first[23]}\\?sort=distance$`))
  await act(page, ['24 of 60'], 'Next run')
  await page.waitForURL(new RegExp(`${first[24]}\\?sort=distance$`))
  await reads(page, '25 of 60')
  // Back leads over all neighbours to the list
  await page.goBack()
  await page.waitForURL(/\/app\/runs\?sort=distance$/)
  await page.locator('.run-line:focus').waitFor()
  expect(await focusedRun(page)).toBe(first[24] ?? '')
})

test('several runs are chosen with the keyboard alone, or with a finger', async () => {
  const { page } = await opened('/runs')
  for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await reads(page, '3 runs selected')
  await page.keyboard.press('Escape')
  await page.getByText('3 runs selected').waitFor({ state: 'detached' })
  const { page: phone } = await opened('/runs', PHONE)
  await phone.getByRole('button', { name: 'Select runs' }).tap()
  await phone.locator('.run-line').nth(0).tap()
  await phone.locator('.run-check').nth(1).tap()
  await reads(phone, '2 runs selected')
  expect(new URL(phone.url()).pathname).toBe('/app/runs')
})

test('two chosen runs are joined, and given back as two', async () => {
  const startMs = Date.UTC(2024, 4, 1, 7)
  for (const at of [0, 390_000]) await server.importRun(fitRun({ startMs: startMs + at, seconds: 300 }))
  const { page } = await opened('/runs?to=2024-06-01')
  await choose(page, 0, 1)
  await act(page, 'Join')
  await reads(page.getByRole('dialog', { name: 'Join 2 runs?' }), /^One run: 1\.80\skm in 11:30\./)
  await noViolations(page)
  await act(page, 'Join', ['2 runs joined'])
  const { items } = await server.get<{ items: object[] }>('/workouts?endDate=2024-06-01')
  expect([items, await count()]).toMatchObject([[{ durationS: 690 }], RUNS + 1])
  await act(page, 'Undo', ['Undone'])
  expect(await count()).toBe(RUNS + 2)
})

test('several runs are chosen with Shift and a click, and changed after a trial', async () => {
  const { page } = await opened('/runs')
  const ids = await runsOn(page)
  await choose(page, 1, 3)
  await reads(page, '3 runs selected')
  // a press takes one out again
  await page.locator('.run-line').nth(2).click()
  await reads(page, '2 runs selected')
  await inBothThemes(page)
  // first what it would do, then at a press
  const type = () => act(page, { 'Type of the selected runs': 'Workout' })
  await type()
  await reads(page.getByRole('dialog', { name: '2 runs: Workout' }), '2 runs change.')
  await noViolations(page)
  await act(page, 'Cancel')
  expect(await count('?runType=Workout')).toBe(0)
  await server.send('PATCH', `/workouts/${ids[1]}`, { runType: 'Workout' })
  await type()
  await act(page, ['1 changes, 1 already set.'], 'Change', ['1 run changed'], 'More…', { RPE: '4' }, ['2 runs change.'])
  await noViolations(page)
  await act(page, 'Change 2 runs')
  await reads(page, '2 runs changed')
  const { items } = await server.get<{ items: { id: string }[] }>('/workouts?runType=Workout')
  expect(items.map(({ id }) => id)).toEqual([ids[1] ?? '', ids[3] ?? ''])
})

test('chosen runs are downloaded as files, and deleted; a run that is deleted on its page leads back to its list', async () => {
  const { page, settled } = await opened('/runs')
  const ids = await runsOn(page)
  await choose(page, 1)
  await page.locator('.run-line').nth(3).click()
  const zip = await saved(page, () => act(page, { 'Download of the selected runs': 'GPX' }))
  expect(zip.name).toMatch(/^harrier-files-\d{8}-\d{6}\.zip$/)
  const names = Buffer.from(zip.bytes).toString('latin1')
  // each stands in its head and in the directory
  expect(names.match(/2025\/2025-10-[\w-]+\.gpx/g)?.length).toBeGreaterThan(3)
  await act(page, 'Delete')
  await page.getByRole('dialog', { name: 'Delete 2 runs?' }).waitFor()
  await act(page, 'Delete', ['2 runs deleted', '60 runs'])
  expect((await runsOn(page)).slice(0, 2)).toEqual([ids[0] ?? '', ids[2] ?? ''])
  await act(page, 'Sort by distance')
  // the list of before is shown until the sorted one is there
  await page.locator('.run-line[href*="sort=distance"]').first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  // what is still asked of the run would find it gone
  await settled()
  await fromMenu(page, 'Delete')
  await page.waitForURL(/\/app\/runs\?sort=distance$/, { timeout: 15_000 })
  await page.getByText('59 runs', { exact: true }).waitFor()
})

test('runs that are unusually fast are asked about once', async () => {
  const fast = await server.importRun(
    fitRun({ startMs: Date.now() - 0.4 * DAY_MS, seconds: 1500, speedMps: 4, hr: 180 }),
  )
  const { page } = await open(`/runs/${fast}`)
  const hasText = '400 m in 1:40, 33 s better than ever; 1/2 mile in 3:21, 1:07 better'
  const question = page.locator('.notice', { hasText })
  await question.waitFor()
  await inBothThemes(page)
  await act(page, 'Count them')
  await question.waitFor({ state: 'detached' })
  await act(page, 'Undo')
  await question.waitFor()
  await act(page, 'Don’t count')
  await question.waitFor({ state: 'detached' })
})

test('types are suggested in one line for all runs, and set at once; one is refused on the page of the run', async () => {
  const ids: string[] = []
  for (let daysAgo = 1; daysAgo < 11; daysAgo += 1) {
    ids.push(await server.importRun(fitRun({ startMs: Date.now() - daysAgo * DAY_MS, seconds: 1500, hr: 120 })))
  }
  // suggested once the load of each is counted, which comes a moment after its import
  const loads = async () => (await server.get<{ items: { loadSource: string | null }[] }>('/workouts')).items
  await soon(async () => (await loads()).every(({ loadSource }) => loadSource !== null))
  const { page } = await open(`/runs/${ids[5]}`)
  const suggestion = page.locator('.suggested-type')
  await suggestion.getByRole('button', { name: 'Set to Easy Run: 100% easy' }).waitFor()
  await suggestion.getByRole('button', { name: /^Not Easy Run/ }).click()
  await suggestion.waitFor({ state: 'detached' })
  await page.goto(`${server.address}/app/runs`)
  const banner = page.locator('.suggested-types')
  await reads(banner, /\d+ runs look like Easy Runs/)
  expect(await page.getByRole('button', { name: /^Set to/ }).count()).toBe(0)
  await inBothThemes(page)
  const typed = () => count('?runType=Easy%20Run')
  const before = await typed()
  await act(page, 'Set types')
  await page.locator('.run-title .tag', { hasText: 'Easy Run' }).first().waitFor()
  await banner.waitFor({ state: 'detached' })
  expect(await typed()).toBeGreaterThan(before + 5)
})

test('more runs come while scrolling, by keys and by a button; the address keeps how many', async () => {
  const { page } = await opened('/runs?to=2025-12-31')
  const shown = (runs: number) => page.waitForFunction((n) => document.querySelectorAll('.run-line').length === n, runs)
  const all = await count('?endDate=2025-12-31')
  await shown(50)
  await page.getByRole('button', { name: 'Show more runs' }).focus()
  await shown(all)
  await page.waitForURL(/page=2$/)
  await page.reload()
  await shown(all)
  await page.waitForFunction(() => window.scrollY > 1000)
  await page.goto(`${server.address}/app/runs?to=2025-12-31`)
  await shown(50)
  for (let press = 0; press < 52; press += 1) await page.keyboard.press('j')
  await shown(all)
})

test('a page that does not come says so, and comes once it is tried again', async () => {
  const watched = await opened('/runs?to=2025-12-31')
  const { page } = watched
  const isSecond = (url: URL) => url.searchParams.get('page') === '2'
  await watched.expecting(/page=2/, async () => {
    await page.route(isSecond, (route) => route.fulfill({ status: 500, json: { error: 'The disk is tired' } }))
    await page.getByRole('button', { name: 'Show more runs' }).focus()
    await reads(page.getByRole('alert'), 'The disk is tired')
  })
  expect(await page.locator('.run-line').count()).toBe(50)
  await page.unroute(isSecond)
  await act(page, 'Try again')
  await page.waitForFunction(
    (n) => document.querySelectorAll('.run-line').length === n,
    await count('?endDate=2025-12-31'),
  )
})

test('the search finds notes and shoes; a year is one choice; load is a column; a pace is bounded as it is shown', async () => {
  const { id: shoeId } = (await (
    await server.send('POST', '/shoes', { brand: 'Saucony', model: 'Kinvara' })
  ).json()) as { id: string }
  const { items } = await server.get<{ items: { id: string }[] }>('/workouts?endDate=2025-12-31&pageSize=3')
  await server.send('PATCH', `/workouts/${items[0]?.id}`, { notes: 'A heron at the weir' })
  await server.send('PATCH', `/workouts/${items[1]?.id}`, { shoeId })
  const { page } = await opened('/runs')
  await page.locator('.run-headings').getByRole('button', { name: 'Sort by load' }).waitFor()
  const search = page.getByRole('searchbox')
  for (const word of ['heron', 'kinvara']) {
    await search.fill(word)
    await reads(page, '1 run found')
  }
  await search.fill('')
  await act(page, { Year: '2025' })
  await page.waitForURL(/from=2025-01-01&to=2025-12-31/)
  await act(page, 'Filters')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Slowest pace').waitFor()
  await act(page, { 'Fastest pace': '4:00' }, 'Show runs')
  await page.waitForURL(/minPace=4%3A00/)
})

test('a list that is opened at a later page asks for what is shown there alone, and stays where it is', async () => {
  for (let day = 0; day < 110; day += 1) {
    const startedAt = new Date(Date.UTC(2023, 0, 1, 7) + day * DAY_MS).toISOString()
    await server.send('POST', '/workouts', { startedAt, distanceM: 5000 + day, durationS: 1500 })
  }
  const { page, settled } = await open('/shoes')
  const pages: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/workouts' && searchParams.has('sortBy')) pages.push(searchParams.get('page') ?? '')
  })
  const list = async (last: number) => {
    const { items } = await server.get<{ items: { id: string }[] }>(
      `/workouts?endDate=2025-12-31&page=${last}&pageSize=50`,
    )
    return items.map(({ id }) => id)
  }
  await page.goto(`${server.address}/app/runs?to=2025-12-31&page=3`)
  const [first] = await list(3)
  const row = page.locator(`.run-line[data-run="${first}"]`)
  await row.waitFor()
  await settled()
  // that one, and the one before, which is nearly in view
  expect(pages).toEqual(['3', '2'])
  expect(await runsOn(page)).toEqual([...(await list(2)), ...(await list(3))])
  expect((await row.boundingBox())?.y).toBeWithin(0, 900)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForFunction(() => document.querySelectorAll('.run-line').length === 150)
  expect(await page.getByRole('button', { name: 'Show earlier runs' }).count()).toBe(0)
})
