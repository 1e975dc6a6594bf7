import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { DAY_MS, pageSuite } from './suite.ts'

describe('the shoes', () => {
  const ids: Record<string, string> = {}
  const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
    const shoe = async (model: string, more: object = {}) => {
      const answer = await server.send('POST', '/shoes', { brand: 'Hoka', model, ...more })
      ids[model] = ((await answer.json()) as { id: string }).id
    }
    await shoe('Mach', { initialMileageM: 400_000, retireAtM: 700_000 })
    await shoe('Rincon', { initialMileageM: 640_000 })
    await shoe('Speedgoat', { initialMileageM: 610_000, retireAtM: 600_000 })
    await shoe('Bondi', { initialMileageM: 800_000, retiredAt: '2025-03-02T08:00:00Z' })
    for (const [place, model] of ['Mach', 'Mach', 'Rincon'].entries()) {
      const bytes = fitRun({ startMs: Date.UTC(2025, 9, 20, 7) - place * DAY_MS, seconds: 2000, speedMps: 3 })
      const runId = await server.importRun(bytes)
      await server.send('PATCH', `/workouts/${runId}`, { shoeId: ids[model] })
    }
    await server.send('PUT', '/settings/default-shoe', { defaultShoeId: ids.Mach })
  })

  test('say how worn they are, and fit every width', async () => {
    await everywhere('/shoes', async (page) => {
      await page.getByText('288 km left · 400 km starting distance').waitFor()
      await page.getByText('Typical life: 500–800 km · 640 km starting distance').waitFor()
      await page.getByText('10 km over its limit · 610 km starting distance').waitFor()
      await page.getByText('Retired 2 Mar 2025').waitFor()
      expect(await page.locator('.shoe h3').allTextContents()).toEqual([
        ...['Hoka Mach', 'Hoka Rincon', 'Hoka Speedgoat', 'Hoka Bondi'],
      ])
    })
  })

  test('lead to their runs, the first and the last', async () => {
    const { page } = await open('/shoes')
    const mach = page.locator('.shoe', { hasText: 'Mach' })
    await mach.waitFor()
    expect(await mach.locator('dd').allTextContents()).toEqual(['2 runs', '5:33/km', '19 Oct 2025', '20 Oct 2025'])
    await mach.getByRole('link', { name: '2 runs' }).click()
    await page.locator('.run-line').nth(1).waitFor()
    expect(await page.locator('.run-line').count()).toBe(2)
    await page.goBack()
    await mach.getByRole('link', { name: '19 Oct 2025' }).click()
    await page.getByLabel('Shoe').waitFor()
    expect(await page.getByLabel('Shoe').inputValue()).toBe(ids.Mach!)
  })

  test('are retired and brought back; the default moves on, and none is offered that is retired', async () => {
    const { page } = await open('/shoes')
    const names = () => page.locator('.shoe.retired h3').allTextContents()
    await page.getByRole('button', { name: 'Actions for Hoka Mach' }).click()
    await page.getByRole('menuitem', { name: 'Retire' }).click()
    await page.locator('.shoe.retired', { hasText: 'Mach' }).waitFor()
    await page.locator('.shoe', { hasText: 'Rincon' }).getByText('Default').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.shoe', { hasText: 'Mach' }).getByText('Default').waitFor()
    expect(await names()).toEqual(['Hoka Bondi'])
    await page.locator('.shoe', { hasText: 'Speedgoat' }).getByRole('button', { name: 'Retire', exact: true }).click()
    await page.locator('.shoe.retired', { hasText: 'Speedgoat' }).waitFor()
    expect(await names()).toEqual(['Hoka Speedgoat', 'Hoka Bondi'])
    await page.getByRole('button', { name: 'Actions for Hoka Bondi' }).click()
    await page.getByRole('menuitem', { name: 'Use again' }).click()
    await page.locator('.shoe:not(.retired)', { hasText: 'Bondi' }).waitFor()
    const all = await server.get<{ model: string; retiredAt: string | null }[]>('/shoes')
    expect(all.filter(({ retiredAt }) => retiredAt !== null).map(({ model }) => model)).toEqual(['Speedgoat'])
    await page.getByRole('button', { name: 'Add a run' }).first().click()
    const offered = page.getByRole('dialog').getByLabel('Shoe')
    if (!(await offered.isVisible())) await page.getByRole('dialog').locator('summary').first().click()
    expect(await offered.locator('option').allTextContents()).not.toContain('Hoka Speedgoat')
    expect(await offered.locator('option').allTextContents()).toContain('Hoka Bondi')
  })

  test('take a limit in the dialog', async () => {
    const { page } = await open('/shoes')
    await page.getByRole('button', { name: 'Actions for Hoka Rincon' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const field = page.getByLabel('Retire at')
    await field.fill('0.5')
    await page.getByText('At least 1.0 km').waitFor()
    await field.fill('720')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.shoe', { hasText: 'Rincon' }).getByText('of 720 km').waitFor()
  })

  test('near the end of their life are proposed to be retired, beside the other proposals', async () => {
    await everywhere('/training', async (page) => {
      await page.getByRole('heading', { name: 'Retire Hoka Bondi' }).waitFor()
      await page.getByText('800 km of 700 km').waitFor()
    })
    const { page } = await open('/training')
    await page.getByRole('button', { name: 'Retire: Hoka Bondi' }).click()
    await page.getByRole('heading', { name: 'Retire Hoka Bondi' }).waitFor({ state: 'detached' })
    const all = await server.get<{ model: string; retiredAt: string | null }[]>('/shoes')
    expect(all.find(({ model }) => model === 'Bondi')?.retiredAt).not.toBeNull()
  })
})
