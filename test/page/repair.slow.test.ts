import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { START_MS } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { fromMenu, inBothThemes, pageSuite, soon } from './suite.ts'

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

describe('what was recorded can be repaired', () => {
  let page: Page
  let runId: string
  const { test, server } = pageSuite(async ({ server, open }) => {
    runId = await server.importRun(withBus())
    page = (await open(`/runs/${runId}`)).page
    await page.locator('.chart-host canvas').first().waitFor()
  })

  const distanceM = async () => (await server.get<{ distanceM: number }>(`/workouts/${runId}`)).distanceM
  const opened = async () => {
    await fromMenu(page, 'Repair…')
    const dialog = page.getByRole('dialog', { name: 'Repair run' })
    await dialog.waitFor()
    return dialog
  }

  test('a section is taken out, with the numbers before and after it, and given back', async () => {
    const before = await distanceM()
    const dialog = await opened()
    const [from, to] = [
      dialog.getByRole('slider', { name: 'Start of section' }),
      dialog.getByRole('slider', { name: 'End of section' }),
    ]
    // 800 to 900, and 1600 to 1200
    await from.press('PageUp')
    for (let k = 0; k < 4; k += 1) await from.press('Shift+ArrowRight')
    for (let k = 0; k < 7; k += 1) await to.press('PageDown')
    await to.press('Shift+ArrowRight')
    await dialog.getByRole('row', { name: /^Distance/ }).waitFor()
    const { promise: isLet, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/\/cut/, async (route) => {
      await isLet
      await route.continue()
    })
    await to.press('Shift+ArrowRight')
    // what is shown is of the section before
    await soon(() => dialog.getByRole('button', { name: 'Remove' }).isDisabled())
    answer()
    await soon(() => dialog.getByRole('button', { name: 'Remove' }).isEnabled())
    await page.unroute(/\/cut/)
    await page.waitForTimeout(500)
    await inBothThemes(page)
    const row = await dialog.getByRole('row', { name: /^Distance/ }).textContent()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Section removed').waitFor()
    const after = await distanceM()
    expect(Math.abs(before - after - 3600)).toBeLessThan(200)
    expect(row).toContain((after / 1000).toFixed(2))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await distanceM()).toBe(before)
  })

  test('what looks wrong is offered, and fixed', async () => {
    const dialog = await opened()
    const choice = dialog.getByLabel('Choose a repair')
    await choice.focus()
    for (const name of ['Fix bad', 'Correct start', 'Fix bad']) {
      await page.keyboard.type(name)
      expect(await choice.evaluate((select) => select === document.activeElement)).toBe(true)
    }
    await dialog.getByRole('button', { name: /^25:00: From/ }).click()
    await dialog.getByRole('row', { name: 'Min HR' }).waitFor()
    await noViolations(page)
    await dialog.getByRole('button', { name: 'Fix', exact: true }).click()
    await page.getByText('Data fixed').waitFor()
    const { minHeartRateBpm } = await server.get<{ minHeartRateBpm: number }>(`/workouts/${runId}`)
    expect(minHeartRateBpm).toBe(150)
  })

  test('its start, its distance, and all of it undone', async () => {
    let dialog = await opened()
    await dialog.getByLabel('Choose a repair').selectOption('Correct start time')
    await dialog.getByLabel('Start (local time').fill('2025-10-31T18:30')
    await dialog.getByRole('row', { name: /^Start/ }).waitFor()
    await noViolations(page)
    await dialog.getByRole('button', { name: 'Move run' }).click()
    await page.getByText('Run moved').waitFor()
    dialog = await opened()
    await dialog.getByLabel('Choose a repair').selectOption('Correct distance')
    await dialog.getByLabel('Distance').fill('10')
    await dialog.getByRole('row', { name: /^Pace/ }).waitFor()
    await dialog.getByRole('button', { name: 'Set distance' }).click()
    await page.getByText('Distance set').waitFor()
    const run = await server.get<{ distanceM: number; startedAt: string }>(`/workouts/${runId}`)
    expect([run.distanceM, run.startedAt]).toEqual([10_000, '2025-10-31T17:30:00Z'])
    await page.getByText('Where these numbers come from').click()
    const card = page.locator('.run-sources')
    await card.getByText(/^Moved on .*: 13:30:00 earlier$/).waitFor()
    await card.getByText(/^Fixed on .*: heart rate 25:00–25:59 replaced by a straight line$/).waitFor()
    dialog = await opened()
    await dialog.getByLabel('Choose a repair').selectOption('Revert all changes')
    await dialog.getByRole('row', { name: /^Start/ }).waitFor()
    await dialog.getByRole('button', { name: 'Revert' }).click()
    await page.getByText('All changes reverted').waitFor()
    expect((await server.get<{ startedAt: string }>(`/workouts/${runId}`)).startedAt).toBe('2025-11-01T07:00:00Z')
  })

  test('a run by hand: date, time, distance and duration first, the rest folded', async () => {
    await page.goto(`${server.address}/app`)
    await page.getByRole('button', { name: 'Add a run' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a run' })
    const add = dialog.getByRole('button', { name: 'Add run' })
    expect(await add.isDisabled()).toBe(true)
    await dialog.getByLabel('Date').fill('2025-11-08')
    await dialog.getByLabel('Start').fill('18:30')
    await dialog.getByLabel('Distance').fill('8,1')
    await dialog.getByLabel('Time', { exact: true }).fill('45:30')
    await noViolations(page)
    await dialog.getByText('Treadmill run').click()
    await dialog.getByText('More details').click()
    await dialog.getByLabel('Name').fill('Treadmill')
    await dialog.getByLabel('Average HR').fill('148')
    await inBothThemes(page)
    await add.click()
    await page.getByText('Run added').waitFor()
    await page.getByRole('heading', { name: 'Treadmill' }).waitFor()
    const { items } = await server.get<{ items: object[] }>('/workouts?keyword=treadmill')
    expect(items).toMatchObject([{ distanceM: 8100, durationS: 2730, avgHeartRateBpm: 148, source: 'manual' }])

    await fromMenu(page, 'Repair…')
    const repair = page.getByRole('dialog', { name: 'Repair run' })
    await repair.getByLabel('Distance').fill('8.4')
    await repair.getByRole('row', { name: /^Pace/ }).waitFor()
    await noViolations(page)
    await repair.getByRole('button', { name: 'Save numbers' }).click()
    await page.getByText('Numbers saved').waitFor()
  })

  test('a run is split at several places, and given back as one', async () => {
    await page.goto(`${server.address}/app/runs/${runId}`)
    await page.locator('.chart-host canvas').first().waitFor()
    const dialog = await opened()
    await dialog.getByLabel('Choose a repair').selectOption('Split into several runs')
    const place = (run: number) => dialog.getByRole('slider', { name: `Where run ${run} begins` })
    const parts = dialog.getByRole('list', { name: 'Resulting runs' }).getByRole('listitem')
    await place(2).press('PageUp')
    expect(await parts.allTextContents()).toEqual(['Run 1 0:00–21:00', 'Run 2 21:00–40:00'])
    // the longest part is cut in the middle
    await dialog.getByRole('button', { name: 'Add split point' }).click()
    expect(await parts.first().textContent()).toBe('Run 1 0:00–10:30')
    await place(2).press('End')
    // ten seconds are left at least
    expect(await place(2).getAttribute('aria-valuetext')).toBe('20:50')
    await place(2).press('Home')
    expect(await place(2).getAttribute('aria-valuetext')).toBe('0:10')
    for (let minutes = 0; minutes < 10; minutes += 1) await place(2).press('PageUp')
    for (let places = 2; places < 9; places += 1) {
      await dialog.getByRole('button', { name: 'Add split point' }).click()
    }
    await parts.nth(9).waitFor()
    expect(await parts.count()).toBe(10)
    expect(await dialog.getByRole('button', { name: 'Add split point' }).isDisabled()).toBe(true)
    await dialog.getByRole('columnheader', { name: 'Run 10' }).waitFor()
    await inBothThemes(page)
    for (let run = 10; run > 3; run -= 1) {
      await dialog.getByRole('button', { name: `Merge run ${run} into the previous one` }).click()
    }
    await dialog.getByRole('columnheader', { name: 'Run 10' }).waitFor({ state: 'detached' })
    expect(await parts.count()).toBe(3)
    await dialog.getByRole('row', { name: /^Distance/ }).waitFor()
    await dialog.getByRole('button', { name: 'Split', exact: true }).click()
    await page.getByText('Run split').waitFor()
    const count = async () => (await server.get<{ totalCount: number }>('/workouts')).totalCount
    expect(await count()).toBe(4)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect(await count()).toBe(2)
  })
})
