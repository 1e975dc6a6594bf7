// What was recorded is repaired: sections, values, start, distance, repetitions, two recordings of one run, runs by hand.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { bothFeetFit } from '../fixtures/both-feet.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { madeSession, type Step } from '../fixtures/sessions.ts'
import { noViolations } from './axe.ts'
import { act, DAY_MS, fromMenu, gone, inBothThemes, pageSuite, reads, soon } from './suite.ts'

/** Forty minutes, of which five by bus, and a heart rate that falls off for a minute. */
function withBus(): Uint8Array {
  const samples = Array.from({ length: 2401 }, (_, t) => {
    const bus = Math.min(300, Math.max(0, t - 900))
    const distanceM = 3 * (t - bus) + 12 * bus
    const angle = distanceM / 1500
    return {
      ...{ t, lat: 47.37 + 0.0135 * Math.sin(angle), lon: 8.54 + 0.02 * (1 - Math.cos(angle)), distanceM },
      ...{ elevM: 400 + 20 * Math.sin(angle), hr: t >= 1500 && t < 1560 ? 95 : 150 + (t % 7), cadence: 85 },
      speedMps: bus > 0 && bus < 300 ? 12 : 3,
    }
  })
  return fitFile({ startMs: START_MS, samples, session: { calories: 500 } })
}

/** Three times four minutes, without laps. */
function session(): Uint8Array {
  const [work, rest]: Step[] = [
    { s: 240, mps: 4.3 },
    { s: 120, mps: 2.4 },
  ]
  const steps = [{ s: 600, mps: 2.9 }, work!, rest!, work!, rest!, work!, { s: 600, mps: 2.8 }]
  const { track } = madeSession(steps)
  const samples = Array.from(track.tS, (t, i) => ({ t, distanceM: track.distanceM[i]!, elevM: 400, hr: 150 }))
  return fitFile({ startMs: START_MS - DAY_MS, samples: samples.filter(({ t }) => Number.isInteger(t)) })
}

const ids = { bus: '', session: '', feet: '' }
const { test, server, open } = pageSuite(async ({ server }) => {
  ids.bus = await server.importRun(withBus())
  ids.session = await server.importRun(session())
  ids.feet = await server.importRun(bothFeetFit({ startMs: START_MS - 2 * DAY_MS, seconds: 1200 }))
})

interface Run {
  readonly id: string
  readonly distanceM: number
  readonly startedAt: string
  readonly minHeartRateBpm: number
  readonly avgHeartRateBpm: number
  readonly stated: boolean
}
const stored = (id: string) => server.get<Run>(`/workouts/${id}`)
const list = (query = '') => server.get<{ items: Run[]; totalCount: number }>(`/workouts?${query}`)
const charted = async (id: string, options = {}) => {
  const { page } = await open(`/runs/${id}`, options)
  await page.locator('.chart-host canvas').first().waitFor()
  return page
}
/** Opens the dialog of repairs, at one of them. */
const repairOf = async (page: Page, repair: string) => {
  await fromMenu(page, 'Fix…')
  const dialog = page.getByRole('dialog', { name: 'Fix this run' })
  await dialog.waitFor()
  // nothing is chosen before
  expect(await dialog.getByLabel('What to fix').inputValue()).toBe('')
  await act(page, { 'What to fix': repair })
  return { dialog, row: (name: string | RegExp) => dialog.getByRole('row', { name }) }
}

test('a section is taken out, with the numbers before and after it, and given back', async () => {
  const page = await charted(ids.bus)
  const { distanceM: before } = await stored(ids.bus)
  const { dialog, row } = await repairOf(page, 'Remove a section')
  await reads(dialog, 'Takes out a part in the middle, such as a bus ride.')
  const remove = dialog.getByRole('button', { name: 'Remove' })
  expect(await remove.isDisabled()).toBe(true)
  const [from, to] = ['Start', 'End'].map((end) => dialog.getByRole('slider', { name: `${end} of section` }))
  // typed to the second, and moved by keys
  await act(page, { From: '15:01', To: '20:00' })
  expect(await from!.getAttribute('aria-valuetext')).toBe('15:01')
  await from!.press('ArrowLeft')
  expect(await dialog.getByLabel('From').inputValue()).toBe('15:00')
  expect(await to!.getAttribute('aria-valuetext')).toBe('20:00')
  await row(/^Distance/).waitFor()
  await page.waitForTimeout(500)
  await inBothThemes(page)
  const shown = await row(/^Distance/).textContent()
  await act(page, 'Remove', ['Section removed'])
  const { distanceM: after } = await stored(ids.bus)
  expect(Math.abs(before - after - 3600)).toBeLessThan(200)
  expect(shown).toContain((after / 1000).toFixed(2))
  await act(page, 'Undo', ['Undone'])
  expect((await stored(ids.bus)).distanceM).toBe(before)
})

test('what looks wrong is offered, and fixed; its start, its distance, and all of it undone', async () => {
  const page = await charted(ids.bus)
  const first = await repairOf(page, 'Fix bad data')
  const choice = first.dialog.getByLabel('What to fix')
  await choice.focus()
  for (const name of ['Fix bad', 'Correct start', 'Fix bad']) {
    await page.keyboard.type(name)
    expect(await choice.evaluate((select) => select === document.activeElement)).toBe(true)
  }
  await act(page, /^25:00: From/)
  await first.row('Min HR').waitFor()
  await noViolations(page)
  await act(page, 'Fix', ['Data fixed'])
  expect((await stored(ids.bus)).minHeartRateBpm).toBe(150)
  for (const [repair, values, name, go, done] of [
    ['Correct start time', { 'Start (local time': '2025-10-31T18:30' }, /^Start/, 'Move run', 'Run moved'],
    ['Correct distance', { Distance: '10' }, /^Pace/, 'Set distance', 'Distance set'],
  ] as const) {
    const { row } = await repairOf(page, repair)
    await act(page, values)
    await row(name).waitFor()
    await noViolations(page)
    await act(page, go, [done])
  }
  expect(await stored(ids.bus)).toMatchObject({ distanceM: 10_000, startedAt: '2025-10-31T17:30:00Z' })
  await page.getByText('Where these numbers come from').click()
  const card = page.locator('.run-sources')
  await reads(card, /^Moved on .*: 13:30:00 earlier$/)
  await reads(card, /^Fixed on .*: heart rate 25:00–25:59 replaced by a straight line$/)
  const { row } = await repairOf(page, 'Revert all changes')
  await row(/^Start/).waitFor()
  await act(page, 'Revert', ['All changes reverted'])
  expect((await stored(ids.bus)).startedAt).toBe('2025-11-01T07:00:00Z')
})

test('a run is split at several places, and given back as one', async () => {
  const page = await charted(ids.bus)
  const { totalCount } = await list()
  const { dialog, row } = await repairOf(page, 'Split into several runs')
  const place = dialog.getByRole('slider', { name: 'Where run 2 begins' })
  expect(await place.count()).toBe(0)
  await act(page, 'Add split point')
  const parts = dialog.getByRole('list', { name: 'Resulting runs' }).getByRole('listitem')
  await place.press('PageUp')
  expect(await parts.allTextContents()).toEqual(['Run 1 0:00–21:00', expect.stringContaining('Run 2 21:00–40:00')])
  // the longest part is cut in the middle
  await act(page, 'Add split point')
  expect(await parts.first().textContent()).toBe('Run 1 0:00–10:30')
  await act(page, 'Add split point')
  await inBothThemes(page)
  await act(page, 'Merge run 4 into the previous one')
  expect(await parts.count()).toBe(3)
  await row(/^Distance/).waitFor()
  await act(page, 'Split', ['Run split'])
  expect((await list()).totalCount).toBe(totalCount + 2)
  await act(page, 'Undo', ['Undone'])
  expect((await list()).totalCount).toBe(totalCount)
})

test('a run by hand: date, time, distance and duration first, the rest folded; it says which run it overlaps', async () => {
  const { page } = await open('')
  const dialog = page.getByRole('dialog', { name: 'Add a run' })
  await act(page, 'Add a run')
  expect(await dialog.getByRole('button', { name: 'Add run' }).isDisabled()).toBe(true)
  await act(page, { Date: '2025-11-08', Start: '18:30', Distance: '8,1', Time: '45:30' })
  await dialog.getByText('Treadmill run').click()
  await dialog.getByText('More details').click()
  await act(page, { Name: 'Treadmill', 'Average HR': '148' })
  await inBothThemes(page)
  await act(page, 'Add run', ['Run added'])
  await page.getByRole('heading', { name: 'Treadmill' }).waitFor()
  const byHand = { distanceM: 8100, durationS: 2730, avgHeartRateBpm: 148, source: 'manual' }
  expect((await list('keyword=treadmill')).items).toMatchObject([byHand])
  const { row } = await repairOf(page, 'Correct numbers')
  await act(page, { Distance: '8.4' })
  await row(/^Pace/).waitFor()
  await noViolations(page)
  await act(page, 'Save numbers', ['Numbers saved'])

  const [date, start] = await page.evaluate((ms) => {
    const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString()
    return [at.slice(0, 10), at.slice(11, 16)]
  }, START_MS - DAY_MS)
  await act(page, 'Add a run', { Date: date!, Start: start!, Distance: '5', Time: '25:00' })
  await reads(dialog, /^Overlaps/)
  await act(page, 'Add run')
  const overlaps = page.getByText(/^Overlaps/)
  await overlaps.getByRole('link').click()
  await page.waitForURL(`**/runs/${ids.session}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await soon(async () => (await overlaps.count()) === 0)
})

test('a run whose file was corrected says so in one line, which leads to the choice and the way back; others say nothing', async () => {
  const { page } = await open(`/runs/${ids.feet}`)
  await act(page, '1 value of the file was corrected')
  const sentence = page.getByRole('list', { name: 'Corrections' })
  await reads(sentence, 'The cadence of 172 a minute counts both feet; one foot is 86')
  await inBothThemes(page)
  await act(page, 'Use the file’s values')
  for (const name of ['Use the corrected values', 'The file’s values count, without corrections']) {
    await page.getByRole('button', { name }).waitFor()
  }
  expect((await stored(ids.feet)).stated).toBe(true)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await soon(async () => !(await stored(ids.feet)).stated)
  await page.getByRole('button', { name: 'Use the file’s values' }).waitFor()
  await page.goto(`${server.address}/app/runs/${ids.session}`)
  await page.locator('.run-sources > summary').click()
  await page.getByRole('list', { name: 'Recordings' }).waitFor()
  expect(await page.getByText('corrected').count()).toBe(0)
})

const found = () =>
  server.get<{ source: string; sets: { repetitions: { startElapsedS: number; endElapsedS: number }[] }[] }>(
    `/workouts/${ids.session}/intervals`,
  )
const spans = async () =>
  (await found()).sets.flatMap((set) => set.repetitions.map((one) => [one.startElapsedS, one.endElapsedS]))

test('repetitions are moved, added and removed by keyboard alone, saved and undone', async () => {
  const page = await charted(ids.session)
  const before = await spans()
  const dialog = page.getByRole('dialog', { name: 'Fix this run' })
  const button = (name: string | RegExp) => dialog.getByRole('button', { name })
  const slider = (name: string) => dialog.getByRole('slider', { name })
  const isFocused = (element: Element) => element === document.activeElement
  await page.getByRole('tab', { name: 'Intervals' }).press('Enter')
  await page.getByRole('button', { name: 'Edit reps' }).press('Enter')
  const listed = dialog.getByRole('list', { name: 'Reps' }).getByRole('listitem')
  await soon(async () => (await listed.count()) === 3)
  await button(/^Rep 2,/).press('Enter')
  for (const key of ['Shift+ArrowRight', 'ArrowRight']) await slider('Start of rep 2').press(key)
  // no further than its neighbour
  await slider('End of rep 2').press('End')
  await button('Remove rep 1').press('Enter')
  await soon(() => button(/^Rep 1,/).evaluate(isFocused))
  await button('Add rep').press('Enter')
  // the new one, before the others, has the focus
  await soon(() => slider('Start of rep 1').evaluate(isFocused))
  await slider('Start of rep 1').press('Home')
  await inBothThemes(page)
  await button('Save reps').press('Enter')
  await reads(page, 'Reps saved', 'Corrected by you')
  const [first, second, ...others] = await spans()
  const moved = [before[1]![0]! + 11, before[2]![0]! - 1]
  expect([first![0], second, others]).toEqual([0, moved, [before[2]!]])
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await reads(page, 'Undone')
  await soon(async () => (await found()).source === 'pace')
  expect(await spans()).toEqual(before)
})

test('two recordings of one run are compared, merged by channel, separated, and not suggested again', async () => {
  const startMs = START_MS + 20 * DAY_MS
  await server.importRun(fitRun({ startMs, seconds: 1800, hr: 150 }))
  await server.importRun(gpxRun({ startMs: startMs + 20_000, seconds: 1775, hr: 141 }), 'phone.gpx')
  const { totalCount } = await list()
  const { page } = await open('/')
  const card = page.locator('.merge-card')
  const cell = card.getByRole('row', { name: /^Average HR/ }).getByRole('cell')
  const merged = async () => Number.parseInt((await cell.nth(2).textContent()) ?? '', 10)
  await act(page, /^\d+ suggestions?$/)
  await reads(card, 'Two recordings of one run?')
  await soon(async () => (await merged()) === 150)
  await inBothThemes(page)
  const answering = Promise.withResolvers<void>()
  await page.route(/\/merge$/, async (route) => {
    await answering.promise
    await route.continue()
  })
  await card.getByRole('radio', { name: /^Heart rate of/, checked: false }).check()
  // nothing is merged before it is known what that gives
  await soon(() => card.getByRole('button', { name: 'Merge', exact: true }).isDisabled())
  answering.resolve()
  await soon(async () => (await merged()) === 141)
  await act(page, 'Merge', ['Recordings merged'])
  await card.waitFor({ state: 'detached' })
  const { items } = await list()
  expect([items.length, items[0]!.avgHeartRateBpm]).toEqual([totalCount - 1, 141])
  await page.goto(`${server.address}/app/runs/${items[0]!.id}`)
  await page.getByText('Where these numbers come from').click()
  await reads(page, 'Based on 2 recordings')
  await page.getByRole('combobox', { name: 'Heart rate' }).selectOption({ index: 0 })
  await act(page, ['Changed where the heart rate comes from'], 'Separate')
  await page.getByRole('dialog').getByRole('button', { name: 'Separate' }).click()
  await act(page, ['Recordings separated'], 'Home')
  await page.locator('.latest-card h2').waitFor()
  await gone(page, /^\d+ suggestions?$/)
})
