// The pages of the settings, their addresses, and the one list of what was changed and deleted.
import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { act, pageSuite, reads } from './suite.ts'

const PAGES = ['you', 'runs-in', 'data', 'access', 'about']
/** Two screens at 1280 × 800. */
const MOST_PX = 1600

describe('the settings', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    await server.importRun(fitRun())
  })
  const desk = { viewport: { width: 1280, height: 800 } }

  test('are five pages, each of at most two screens', async () => {
    const { page } = await open('/settings', desk)
    const names = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await names.first().waitFor()
    expect(await names.allTextContents()).toEqual([
      'You',
      'Getting runs in',
      'Your data',
      'Access and privacy',
      'About',
    ])
    for (const name of PAGES) {
      await page.goto(`${server.address}/app/settings/${name}`)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(MOST_PX)
    }
  })

  test('have an address for each section of the page that they were', async () => {
    const { page } = await open('/shoes', desk)
    for (const [anchor, at] of [
      ['zones', '/settings#zones'],
      ['training', '/settings#training'],
      ['phone', '/settings/runs-in#phone'],
      ['archive', '/settings/data#archive'],
      ['keys', '/settings/access#keys'],
      ['about', '/settings/about#about'],
    ]) {
      await page.goto(`${server.address}/app/settings#${anchor}`)
      await page.waitForURL(`${server.address}/app${at}`)
      await page.locator(`#${anchor}`).waitFor()
      await page.goto(`${server.address}/app/shoes`)
    }
  })

  test('keep older values of the profile when newer ones begin later', async () => {
    const { page } = await open('/settings/you', desk)
    await act(page, { 'Max HR': '188' }, 'Save profile')
    await reads(page, 'Profile saved')
    await act(page, { 'Max HR': '186', 'Valid from': '2025-06-01' }, 'Save profile')
    await reads(page, 'From the start', 'From 1 Jun 2025')
    await act(page, 'Remove values: From the start')
    type Profile = { readonly entries: readonly { readonly maxHeartRateBpm: number | null }[] }
    await reads(page, '186')
    const { entries } = await server.get<Profile>('/settings/training')
    expect(entries.map((entry) => entry.maxHeartRateBpm).at(-1)).toBe(186)
  })
})
