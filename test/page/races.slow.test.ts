// Goals and races, planned and run, and the calendar of a month.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { act, DAY_MS, PHONE, pageSuite, reads } from './suite.ts'

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
  await act(page, 'Add race', ['In 12 days', /^Predicted 1:\d\d:\d0 \(1:\d\d:\d0–/])
  await page.getByRole('slider', { name: /^Form until the race by plan/ }).waitFor()
  expect((await races())[0]).toMatchObject({ name: 'Harbour Half', distanceM: 21_097.5, goalTimeS: 6300 })
  await noViolations(page)
  await act(
    page,
    'Dashboard',
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

test('a race that was run gets details, and another run as its result', async () => {
  const { page } = await open('/training?view=races')
  const dialog = page.getByRole('dialog')
  expect(await page.getByRole('link', { name: 'City 10K' }).getAttribute('href')).toBe(`/app/runs/${race}`)
  await act(page, 'Actions for City 10K', 'Add details…')
  expect(await dialog.getByLabel('Date').inputValue()).toBe(day(3))
  await act(page, { 'Goal time': '41:00' }, 'Save', [/1:00 over the goal/])
  expect(await races()).toMatchObject([{ name: 'City 10K', workoutId: race, goalTimeS: 2460 }])
  for (const [result, state] of [
    ['No run', 'visible'],
    ['Race of that day and distance', 'hidden'],
  ] as const) {
    // the race without a result is before its run
    await act(page, 'Actions for City 10K', 'Edit…', { Result: result }, 'Save')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('No result').waitFor({ state })
  }
  expect(await races()).toMatchObject([{ workoutId: race }])
})

test('a race that this browser keeps is offered once', async () => {
  for (const answer of ['Add to races', 'Discard']) {
    const { page, close } = await open('')
    const kept = JSON.stringify({ day: day(-30), distance: 'Half-Marathon' })
    await page.evaluate((text) => localStorage.setItem('harrier.race-day', text), kept)
    await page.goto(`${server.address}/app/training?view=races`)
    await reads(page, 'A race is saved only in this browser: Half marathon on')
    await noViolations(page)
    await act(page, answer)
    await page.getByText('A race is saved only in this browser', { exact: false }).waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => localStorage.getItem('harrier.race-day'))).toBeNull()
    const found = (await races()).filter(({ date }) => date === day(-30))
    expect(found).toMatchObject([{ name: 'Half marathon', distanceM: 21_097.5 }])
    await close()
  }
})

test('a month of runs, its weeks and races; keys, links and a finger turn the page', async () => {
  const month = day(20).slice(0, 7)
  const at = `/training?view=calendar&month=${month}`
  const { page } = await open(at)
  const title = page.locator('.month h2')
  const link = (name: RegExp) => page.locator('.month-days').getByRole('link', { name }).first()
  await link(/km in this week$/).waitFor()
  expect(await link(/^10\.1 1 run/).getAttribute('href')).toMatch(/^\/app\/runs\?from=/)
  const shown = await title.textContent()
  const other = new Date(Date.parse(`${month}-15`) + 30 * DAY_MS).toISOString().slice(0, 7)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**month=${other}`)
  expect(await title.textContent()).not.toBe(shown)
  await act(page, 'Previous month')
  await page.waitForURL(`**month=${month}`)
  // keys of the days of the year stay theirs
  await page.getByRole('slider', { name: /^Days of \d{4}/ }).focus()
  for (const key of ['ArrowLeft', 'ArrowRight']) await page.keyboard.press(key)
  expect(page.url()).toContain(`month=${month}`)

  const { page: phone } = await open(at, PHONE)
  await phone.locator('.month-days').waitFor()
  for (const [toX, turned] of [
    [100, other],
    [300, month],
    [220, month],
  ] as const) {
    await phone.locator('.month-days').evaluate((table, x) => {
      const touch = (at: number) => new Touch({ identifier: 1, target: table, clientX: at, clientY: 400 })
      const send = (type: string, at: number, isDown: boolean) => {
        const init = { touches: isDown ? [touch(at)] : [], changedTouches: [touch(at)], bubbles: true }
        table.dispatchEvent(new TouchEvent(type, init))
      }
      send('touchstart', 200, true)
      send('touchend', x, false)
    }, toX)
    await phone.waitForURL(`**month=${turned}`)
  }
})

test('a goal is set, changed and deleted', async () => {
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

test('a view whose styles cannot be fetched is not shown without them', async () => {
  const { page, forgive } = await open('')
  await page.route(/part-goals-view-\w+\.css$/, (route) => route.abort())
  await page.goto(`${server.address}/app/training?view=goals`)
  await reads(page, 'Couldn’t load this part of the page.')
  expect(await page.getByRole('button', { name: 'New goal' }).count()).toBe(0)
  await page.unroute(/part-goals-view-\w+\.css$/)
  await act(page, 'Form', 'Goals')
  await page.getByRole('button', { name: 'New goal' }).waitFor()
  // beside the first styles, once
  const sheets = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
  expect(sheets.filter((href) => href.includes('part-goals-view')).length).toBe(1)
  forgive()
})
