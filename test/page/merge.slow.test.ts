import { describe, expect } from 'bun:test'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { pageSuite, soon } from './suite.ts'

const START_MS = Date.UTC(2025, 9, 20, 7)

describe('two recordings of one run', () => {
  const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
    await server.importRun(fitRun({ startMs: START_MS, seconds: 1800, hr: 150 }))
    await server.importRun(gpxRun({ startMs: START_MS + 20_000, seconds: 1775, hr: 141 }), 'phone.gpx')
  })

  test('are compared on the dashboard, at every width', async () => {
    await everywhere('/', async (page) => {
      await page.getByRole('heading', { name: 'Two recordings of one run?' }).waitFor()
      await page.locator('.merge-table td').nth(11).waitFor()
      await page
        .getByRole('radio', { name: /^Heart rate of/ })
        .nth(1)
        .waitFor()
    })
  })

  test('are merged, choose their channels, are separated, and not suggested again', async () => {
    const { page } = await open('/')
    const card = page.locator('.merge-card')
    const heartRate = card.getByRole('row', { name: /^Average HR/ })
    const merged = async () => Number.parseInt((await heartRate.getByRole('cell').nth(2).textContent()) ?? '', 10)
    await soon(async () => (await merged()) === 150)
    const go = card.getByRole('button', { name: 'Merge', exact: true })
    const answering = Promise.withResolvers<void>()
    await page.route(/\/merge$/, async (route) => {
      await answering.promise
      await route.continue()
    })
    const others = card.getByRole('radio', { name: /^Heart rate of/, checked: false })
    await others.check()
    // nothing is merged before it is known what that gives
    await soon(() => go.isDisabled())
    answering.resolve()
    await soon(async () => (await merged()) === 141)
    await go.click()
    await page.getByText('Recordings merged').waitFor()
    await card.waitFor({ state: 'detached' })
    const list = await server.get<{ items: { id: string }[] }>('/workouts')
    expect(list.items.length).toBe(1)
    const { avgHeartRateBpm } = await server.get<{ avgHeartRateBpm: number }>(`/workouts/${list.items[0]!.id}`)
    expect(avgHeartRateBpm).toBe(141)
    await page.goto(`${server.address}/app/runs/${list.items[0]!.id}`)
    await page.getByText('Where these numbers come from').click()
    await page.getByText('Based on 2 recordings').waitFor()
    await page.getByRole('combobox', { name: 'Heart rate' }).selectOption({ index: 0 })
    await page.getByText('Changed where the heart rate comes from').waitFor()
    await page.getByRole('button', { name: 'Separate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Separate' }).click()
    await page.getByText('Recordings separated').waitFor()
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor()
    expect(await page.locator('.merge-card').count()).toBe(0)
  })
})
