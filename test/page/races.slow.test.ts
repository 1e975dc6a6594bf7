// Goals and races, planned and run, and the calendar of a month.
import { expect } from 'bun:test'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { act, DAY_MS, pageSuite, reads } from './suite.ts'

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

let race = ''
const { test, server, open } = pageSuite(async ({ server }) => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (const daysAgo of [40, 33, 20, 9, 3]) {
    race = await server.importRun(fitRun({ startMs: today - daysAgo * DAY_MS, seconds: 2520, speedMps: 4, hr: 170 }))
  }
  await server.send('PATCH', `/workouts/${race}`, { runType: 'Race', name: 'City 10K' })
})

type Listed = Readonly<Record<'id' | 'name' | 'workoutId' | 'goalTimeS' | 'date' | 'distanceM', unknown>>
const races = () => server.get<Listed[]>('/races')

test('a race is added, counted down, changed and deleted', async () => {
  const { page, expecting } = await open('/training?view=races')
  const dialog = page.getByRole('dialog')
  await act(page, ['No upcoming races.'], 'Add a race', {
    Name: 'Harbour Half',
    Date: day(-12),
    Distance: 'Half marathon',
    'Goal time': 'fast',
  })
  await dialog.getByLabel('Goal time').blur()
  await reads(dialog, 'Enter a time like 45:00 or 3:30:00')
  await act(page, { 'Goal time': '1:45:00' })
  await dialog.getByText('Enter a time like 45:00 or 3:30:00').waitFor({ state: 'detached' })
  // the form of that day as the screen promises, by three plans that each add up
  await act(page, 'Add a race', ['In 12 days', /^Predicted 1:\d\d:\d0 \(1:\d\d:\d0–/, 'Form that morning'])
  const plan = page.locator('tr', { hasText: 'If you rest' }).locator('td')
  const [fitness = 0, fatigue = 0, form = 0] = (await plan.allTextContents()).map((cell) =>
    Number(cell.replace('−', '-').replace('±', '')),
  )
  expect(form).toBe(fitness - fatigue)
  expect((await races())[0]).toMatchObject({ name: 'Harbour Half', distanceM: 21_097.5, goalTimeS: 6300 })
  await noViolations(page)
  await act(
    page,
    'Home',
    [/ · form [+−±]\d+ if you train as usual/],
    '12 days to Harbour Half',
    'Actions for Harbour Half',
    'Edit…',
    { Distance: 'Other', 'Other distance': '0.01' },
  )
  await expecting(/\/races\//, async () => {
    await act(page, 'Save')
    await dialog.getByRole('alert').waitFor()
  })
  await act(page, { 'Other distance': '12' }, 'Save')
  await dialog.waitFor({ state: 'hidden' })
  expect((await races())[0]).toMatchObject({ distanceM: 12_000 })
  await act(page, 'Actions for Harbour Half', 'Delete race…', 'Delete race', ['No upcoming races.'])
  expect(await races()).toHaveLength(1)
})

test('a race that was run gets details', async () => {
  const { page } = await open('/training?view=races')
  const dialog = page.getByRole('dialog')
  expect(await page.getByRole('link', { name: 'City 10K' }).getAttribute('href')).toBe(`/app/runs/${race}`)
  await act(page, 'Actions for City 10K', 'Add details…')
  expect(await dialog.getByLabel('Date').inputValue()).toBe(day(3))
  await act(page, { 'Goal time': '41:00' }, 'Save', [/1:00 over the goal/])
  expect(await races()).toMatchObject([{ name: 'City 10K', workoutId: race, goalTimeS: 2460 }])
})

test('a month of runs, its weeks and races; keys and links turn the page', async () => {
  const month = day(20).slice(0, 7)
  const at = `/training?view=calendar&month=${month}`
  await server.send('POST', '/training/goals', {
    metric: 'distanceM',
    period: 'week',
    target: 20_000,
    activeFrom: day(60),
  })
  const { page } = await open(at)
  const title = page.locator('.month h2')
  const link = (name: RegExp) => page.locator('.month-days').getByRole('link', { name }).first()
  await link(/km in this week$/).waitFor()
  // one run of a day is named, with its distance and load, and opens at once
  expect(await link(/run 10\.1 load \d+/i).getAttribute('href')).toMatch(/^\/app\/runs\/[0-9a-f-]{36}$/)
  await reads(page.locator('.month-days'), /km of 20.* km/)
  const shown = await title.textContent()
  const other = new Date(Date.parse(`${month}-15`) + 30 * DAY_MS).toISOString().slice(0, 7)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**month=${other}`)
  expect(await title.textContent()).not.toBe(shown)
  await act(page, 'Previous month')
  await page.waitForURL(`**month=${month}`)
})

test('a day of the calendar names each of its runs; one that is left out is there and counts nowhere', async () => {
  // in two different months, so that other tests see none of them
  const startMs = Date.UTC(2025, 4, 13, 7)
  const point = (t: number) => ({ lat: 48.1 + t * 0.00003, lon: 11.5, timeMs: startMs + t * 1000, eleM: 500 + t / 10 })
  const walk = Array.from({ length: 1500 }, (_, t) => point(t))
  // the same way with ten minutes of rest in the middle
  const rested = walk.map((at, t) => (t < 750 ? at : { ...at, timeMs: at.timeMs + 600_000 }))
  const day = async (points: typeof walk, name: string, hours: number) => {
    const moved = points.map(({ timeMs, ...at }) => ({ ...at, timeMs: timeMs + hours * 3_600_000 }))
    const id = await server.importRun(gpxFile({ points: moved, name }), `${name}.gpx`)
    return id
  }
  const [first, second] = [await day(rested, 'First', 0), await day(walk, 'Second', 8)]
  const third = await day(walk, 'Third', 10)
  await server.send('PATCH', `/workouts/${third}`, { leftOut: true })
  for (const metric of ['elevGainM', 'movingTimeS'])
    await server.send('POST', '/training/goals', { metric, period: 'month', target: 7200, activeFrom: '2025-01-01' })
  const { page } = await open('/training?view=calendar&month=2025-05')
  const cell = page.locator('.month-days td', { hasText: '13' }).filter({ has: page.getByRole('link') })
  await cell.getByRole('link').nth(2).waitFor()
  const links = await cell.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual([first, second, third].map((id) => `/app/runs/${id}`))
  expect(await cell.getByRole('link').last().textContent()).toMatch(/^Third.*not counted/)
  const sum = page.locator('.month [aria-live]')
  await reads(sum, '2 runs', /50 min · load/, /[\d,]+ m of 7,200 m elevation/, /50 min of 2 h 00 min moving/)
  await page.evaluate(() => localStorage.setItem('harrier.pace', 'elapsed'))
  await page.reload()
  // elapsed time, beside which the goal of moving time stays what it is
  await reads(sum, '2 runs', /1 h 00 min · load/, /50 min of 2 h 00 min moving/)
})

test('races and the calendar have the day of the runner’s place, whatever the browser’s', async () => {
  // 9:00 on 27 February in Sydney is 17:00 on the 26th in New York
  const points = Array.from({ length: 900 }, (_, t) => ({
    ...{ lat: -33.87 + t * 0.00003, lon: 151.21 },
    timeMs: Date.UTC(2025, 1, 26, 22) + t * 1000,
  }))
  const id = await server.importRun(gpxFile({ points }), 'sydney.gpx')
  await server.send('PATCH', `/workouts/${id}`, { runType: 'Race' })
  const { page } = await open('/training?view=calendar&month=2025-02', { timezoneId: 'America/New_York' })
  const cell = page.locator('.month-days td').filter({ has: page.locator(`a[href="/app/runs/${id}"]`) })
  await reads(cell, '27 Feb 2025', 'Morning run')
  await reads(page.locator('.month-races'), /27 Feb/)
  await page.goto(`${server.address}/app/training?view=goals`)
  const race = page.locator('.race-list li').filter({ has: page.locator(`a[href="/app/runs/${id}"]`) })
  await reads(race, /27 Feb 2025/)
  await server.send('DELETE', `/workouts/${id}`)
})

test('a goal is set, changed and deleted', async () => {
  for (const { id } of await server.get<{ id: string }[]>('/training/goals'))
    await server.send('DELETE', `/training/goals/${id}`)
  const { page, expecting } = await open('/training?view=goals')
  const dialog = page.getByRole('dialog')
  const goals = () => server.get<{ metric: string; target: number; period: string }[]>('/training/goals')
  await act(
    page,
    ['No goals yet.'],
    'Set a goal',
    { Goal: 'Moving time', Target: '12,5', Name: 'Half a day' },
    'Set a goal',
  )
  await page.getByRole('heading', { name: 'Half a day' }).waitFor()
  expect(await goals()).toMatchObject([{ metric: 'movingTimeS', target: 45_000, period: 'month' }])
  await act(page, 'Actions for Half a day', 'Edit…', {
    Period: 'Date range',
    'First day': '2026-03-02',
    'Last day': '2026-03-01',
  })
  await expecting(/\/training\/goals\//, async () => {
    await act(page, 'Save')
    await reads(dialog, 'From must not be after to')
  })
  await act(page, { 'Last day': '2099-03-01' }, 'Save')
  await dialog.waitFor({ state: 'hidden' })
  expect(await goals()).toMatchObject([{ target: 45_000, period: 'dates', from: '2026-03-02', to: '2099-03-01' }])
  await act(page, 'Actions for Half a day', 'Delete goal…', 'Delete goal', ['No goals yet.'])
  expect(await goals()).toEqual([])
})
