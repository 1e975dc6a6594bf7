import { describe, expect } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { atAllWidths, pageSuite } from './suite.ts'

const START_MS = Date.UTC(2025, 9, 20, 7)

describe('small things of every day', () => {
  const { test, server, open } = pageSuite()

  test('? lists the shortcuts on every screen, but not while one types', async () => {
    await server.importRun(fitRun({ startMs: START_MS - 86_400_000, seconds: 60 }))
    const { page } = await open('/runs')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Show this list').waitFor()
    await atAllWidths(page)
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('is it?')
    await page.keyboard.press('?')
    expect(await list.count()).toBe(0)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await list.waitFor()
  })

  test('the menu of a run has three groups, and addresses in its notes are links', async () => {
    const id = await server.importRun(fitRun({ startMs: START_MS, seconds: 900 }))
    const notes = 'Results: https://race.example/2025?bib=7(b). Not javascript:alert(1), nor <b>'
    await server.send('PATCH', `/workouts/${id}`, { notes })
    const { page } = await open(`/runs/${id}`)
    const link = page.getByRole('link', { name: 'https://race.example' })
    expect(await link.getAttribute('href')).toBe('https://race.example/2025?bib=7(b)')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await page.locator('.run-notes a').count()).toBe(1)
    expect(await page.locator('.run-notes').textContent()).toBe(notes)
    await page.getByRole('button', { name: 'More actions' }).click()
    const groups = page.getByRole('menu').getByRole('group')
    expect(await groups.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      ...['Edit', 'Statistics', 'Files'],
    ])
    await page.keyboard.press('End')
    expect(await page.locator(':focus').textContent()).toBe('Download as TCX')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit notes' }).click()
    await page.getByLabel('Notes').fill('Done')
    await page.getByRole('button', { name: 'Save notes' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
  })

  test('a run by hand says which run it overlaps, before it is added and on its page', async () => {
    const startedAt = new Date(START_MS + 86_400_000)
    const recorded = await server.importRun(fitRun({ startMs: startedAt.getTime(), seconds: 1800 }))
    const { page } = await open('/runs')
    await page.getByRole('button', { name: 'Add a run' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a run' })
    const local = await page.evaluate((ms) => {
      const at = new Date(ms)
      const two = (value: number) => String(value).padStart(2, '0')
      return [
        `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
        `${two(at.getHours())}:${two(at.getMinutes())}`,
      ]
    }, startedAt.getTime())
    await dialog.getByLabel('Date').fill(local[0]!)
    await dialog.getByLabel('Start').fill(local[1]!)
    await dialog.getByLabel('Distance').fill('5')
    await dialog.getByLabel('Time').first().fill('25:00')
    await dialog.getByText(/^Overlaps/).waitFor()
    await dialog.getByRole('button', { name: 'Add run' }).click()
    await page
      .getByText(/^Overlaps/)
      .getByRole('link')
      .click()
    await page.waitForURL(`**/runs/${recorded}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText(/^Overlaps/).count()).toBe(0)
  })
})
