// Goals and races, planned and run, and the calendar of a month.
import { expect } from 'bun:test'
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
  await act(page, ['No upcoming races.'], 'Add race', {
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
  await act(page, 'Add race', ['In 12 days', /^Predicted 1:\d\d:\d0 \(1:\d\d:\d0–/, 'Form that morning'])
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

test('a goal is set, changed and deleted', async () => {
  for (const { id } of await server.get<{ id: string }[]>('/training/goals'))
    await server.send('DELETE', `/training/goals/${id}`)
  const { page, expecting } = await open('/training?view=goals')
  const dialog = page.getByRole('dialog')
  const goals = () => server.get<{ metric: string; target: number; period: string }[]>('/training/goals')
  await act(page, ['No goals yet.'], 'New goal', { Goal: 'Time', Target: '12,5', Name: 'Half a day' }, 'Set goal')
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
