// Races, planned and run, and the calendar of a month.
import { expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { DAY_MS, PHONE, pageSuite } from './suite.ts'

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

let race = ''
const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
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
  await page.getByText('No upcoming races.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Add race' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Harbour Half')
  await dialog.getByLabel('Date').fill(day(-12))
  await dialog.getByLabel('Distance').selectOption('Half marathon')
  await dialog.getByLabel('Goal time').fill('fast')
  await dialog.getByLabel('Goal time').blur()
  await dialog.getByText('Enter a time like 45:00 or 3:30:00').waitFor()
  await dialog.getByLabel('Goal time').fill('1:45:00')
  await dialog.getByText('Enter a time like 45:00 or 3:30:00').waitFor({ state: 'detached' })
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Add race' }).click()
  await page.getByText('In 12 days', { exact: true }).waitFor()
  await page.getByText(/^Predicted 1:\d\d:\d0 \(1:\d\d:\d0–/).waitFor()
  await page.getByRole('slider', { name: /^Form until the race by plan/ }).waitFor()
  expect((await races())[0]).toMatchObject({ name: 'Harbour Half', distanceM: 21_097.5, goalTimeS: 6300 })
  await noViolations(page)

  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('link', { name: '12 days to Harbour Half' }).waitFor()
  await page.getByText(/ · form [+−±]\d+ if you train as usual/).waitFor()
  await page.getByRole('link', { name: '12 days to Harbour Half' }).click()

  await page.getByRole('button', { name: 'Actions for Harbour Half' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await dialog.getByLabel('Distance', { exact: true }).selectOption('Other')
  await dialog.getByLabel('Other distance').fill('0.01')
  await expecting(/\/races\//, async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
  })
  await dialog.getByLabel('Other distance').fill('12')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await races())[0]).toMatchObject({ distanceM: 12_000 })

  await page.getByRole('button', { name: 'Actions for Harbour Half' }).click()
  await page.getByRole('menuitem', { name: 'Delete race…' }).click()
  await page.getByRole('button', { name: 'Delete race' }).click()
  await page.getByText('No upcoming races.', { exact: false }).waitFor()
  expect(await races()).toHaveLength(1)
})

test('a race that was run gets details, and another run as its result', async () => {
  const { page } = await open('/training?view=races')
  const link = page.getByRole('link', { name: 'City 10K' })
  expect(await link.getAttribute('href')).toBe(`/app/runs/${race}`)
  await page.getByRole('button', { name: 'Actions for City 10K' }).click()
  await page.getByRole('menuitem', { name: 'Add details…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Date').inputValue()).toBe(day(3))
  await dialog.getByLabel('Goal time').fill('41:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/1:00 over the goal/).waitFor()
  expect(await races()).toMatchObject([{ name: 'City 10K', workoutId: race, goalTimeS: 2460 }])

  const choose = async (result: string) => {
    // the race without a result is before its run
    await page.getByRole('button', { name: 'Actions for City 10K' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    await dialog.getByLabel('Result').selectOption(result)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await choose('No run')
  await page.getByText('No result').waitFor()
  await choose('Race of that day and distance')
  await page.getByText('No result').waitFor({ state: 'hidden' })
  expect(await races()).toMatchObject([{ workoutId: race }])
})

test('a race that this browser keeps is offered once', async () => {
  for (const answer of ['Add to races', 'Discard']) {
    const { page, close } = await open('')
    const kept = JSON.stringify({ day: day(-30), distance: 'Half-Marathon' })
    await page.evaluate((text) => localStorage.setItem('harrier.race-day', text), kept)
    await page.goto(`${server.address}/app/training?view=races`)
    await page.getByText('A race is saved only in this browser: Half marathon on', { exact: false }).waitFor()
    await noViolations(page)
    await page.getByRole('button', { name: answer }).click()
    await page.getByText('A race is saved only in this browser', { exact: false }).waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => localStorage.getItem('harrier.race-day'))).toBeNull()
    const found = (await races()).filter(({ date }) => date === day(-30))
    expect(found).toMatchObject([{ name: 'Half marathon', distanceM: 21_097.5 }])
    await close()
  }
})

test('a month of runs, its weeks and races; keys, links and a finger turn the page', async () => {
  const month = day(20).slice(0, 7)
  const { page } = await open(`/training?view=calendar&month=${month}`)
  const title = page.locator('.month h2')
  const days = page.locator('.month-days')
  const shown = await title.textContent()
  await days
    .getByRole('link', { name: /^10\.1 1 run/ })
    .first()
    .waitFor()
  expect(
    await days
      .getByRole('link', { name: /^10\.1 1 run/ })
      .first()
      .getAttribute('href'),
  ).toMatch(/^\/app\/runs\?from=/)
  await days
    .getByRole('link', { name: /km in this week$/ })
    .first()
    .waitFor()
  await noViolations(page)
  const other = new Date(Date.parse(`${month}-15`) + 30 * DAY_MS).toISOString().slice(0, 7)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**month=${other}`)
  expect(await title.textContent()).not.toBe(shown)
  await page.getByRole('link', { name: 'Previous month' }).click()
  await page.waitForURL(`**month=${month}`)
  // keys of the days of the year stay theirs
  await page.getByRole('slider', { name: /^Days of \d{4}/ }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  expect(page.url()).toContain(`month=${month}`)

  const phone = await open(`/training?view=calendar&month=${month}`, PHONE)
  await phone.page.locator('.month-days').waitFor()
  const swipe = async (toX: number) => {
    await phone.page.locator('.month-days').evaluate((table, x) => {
      const touch = (at: number) => new Touch({ identifier: 1, target: table, clientX: at, clientY: 400 })
      const send = (type: string, at: number, isDown: boolean) => {
        const init = { touches: isDown ? [touch(at)] : [], changedTouches: [touch(at)], bubbles: true }
        table.dispatchEvent(new TouchEvent(type, init))
      }
      send('touchstart', 200, true)
      send('touchend', x, false)
    }, toX)
  }
  await swipe(100)
  await phone.page.waitForURL(`**month=${other}`)
  await swipe(300)
  await phone.page.waitForURL(`**month=${month}`)
  await swipe(220)
  expect(phone.page.url()).toContain(`month=${month}`)
})

test.each(['/training?view=races', '/training?view=calendar'])('%s fits every window, in both themes', async (at) => {
  await everywhere(at, (page) => page.locator('.race-list li, .month-days .month-week').first().waitFor())
})
