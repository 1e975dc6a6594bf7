import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { drop, type FileToDrop } from './browser.ts'
import { DAY_MS, pageSuite } from './suite.ts'

const SECONDS = 300
/** Two halves of one run, the second a minute and a half after the end of the first. */
const HALVES_MS = [START_MS, START_MS + (SECONDS + 90) * 1000] as const
/** Both halves, and a run on each of the days before. */
function thirtyFiles(): FileToDrop[] {
  const days = Array.from({ length: 28 }, (_, day) => START_MS - (day + 1) * DAY_MS)
  return [...HALVES_MS, ...days].map((startMs, place) => {
    return { name: `${place}.fit`, bytes: fitRun({ startMs, seconds: SECONDS }) }
  })
}

interface Stored {
  readonly id: string
  readonly startedAt: string
  readonly loadSource: string | null
}

/** What an import and a join take away comes back; each step begins where the last one ended. */
describe('nothing is lost', () => {
  let page: Page
  const { test, server } = pageSuite(async ({ open }) => {
    page = (await open('')).page
  })

  const runs = async () => {
    const { items } = await server.get<{ items: Stored[] }>('/workouts?pageSize=100')
    return items
  }
  /** Once the load of each is counted, which comes a moment after its import. */
  const scoredRuns = async () => {
    for (;;) {
      const found = await runs()
      if (found.every(({ loadSource }) => loadSource !== null)) return found
      await Bun.sleep(20)
    }
  }
  /** The same, after what is counted in the background. */
  const settlesAt = async (read: () => Promise<unknown>, expected: unknown) => {
    for (let tries = 0; tries < 600 && !Bun.deepEquals(await read(), expected); tries += 1) await Bun.sleep(100)
    expect(await read()).toEqual(expected)
  }
  const idOf = async (startMs: number) => {
    const run = (await runs()).find(({ startedAt }) => Date.parse(startedAt) === startMs)
    if (run === undefined) throw new Error(`No run began at ${new Date(startMs).toISOString()}`)
    return run.id
  }
  const open = async (at: string) => {
    await page.goto(`${server.address}/app${at}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const choose = async (ids: readonly string[]) => {
    const [first, ...rest] = ids.map((id) => page.locator(`.run-line[data-run="${id}"]`))
    await first?.click({ modifiers: ['Shift'] })
    for (const line of rest) await line.click()
    await page.getByText(`${ids.length} runs selected`).waitFor()
  }

  test('thirty files are dropped, undone, and there again', async () => {
    await open('/runs')
    await drop(page, thirtyFiles())
    const tray = page.getByRole('region', { name: 'Imports' })
    await tray.getByText('30 imported', { exact: true }).waitFor({ timeout: 20_000 })
    const before = await scoredRuns()
    expect(before.length).toBe(30)
    await noViolations(page)
    await tray.getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Undone', { exact: true }).waitFor({ timeout: 20_000 })
    await page.getByText('Drop files anywhere').waitFor()
    expect(await runs()).toEqual([])
    await tray.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('30 runs', { exact: true }).waitFor({ timeout: 20_000 })
    await settlesAt(runs, before)
  })

  test('two halves are joined from the list', async () => {
    const ids = await Promise.all(HALVES_MS.map(idOf))
    await open('/runs')
    await choose(ids)
    await page.getByRole('button', { name: 'Join' }).click()
    const question = page.getByRole('dialog', { name: 'Join 2 runs?' })
    await question.getByText(/^One run: 1\.80\skm in 11:30\./).waitFor()
    await noViolations(page)
    await question.getByRole('button', { name: 'Join' }).click()
    await page.getByText('2 runs joined').waitFor()
    expect(await server.get(`/workouts/${ids[0]}`)).toMatchObject({ durationS: 2 * SECONDS + 90 })
    expect((await runs()).length).toBe(29)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect((await runs()).length).toBe(30)
  })

  test('a key that may upload is made, uploads, and reads nothing', async () => {
    await page.goto(`${server.address}/app/settings#keys`)
    await page.getByLabel('Key label').fill('Watch')
    await page.getByLabel('Access').selectOption('Upload only')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('#new-key').textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('· upload only').waitFor()
    const ask = async (at: string, init: RequestInit = {}) =>
      (await fetch(server.address + at, { ...init, headers: { authorization: `Bearer ${key}` } })).status
    const body = fitRun({ startMs: START_MS + DAY_MS, seconds: SECONDS }).slice()
    expect(await ask('/workouts/import/raw?name=watch.fit', { method: 'POST', body })).toBe(200)
    expect((await runs()).length).toBe(31)
    expect(await ask('/workouts')).toBe(403)
  })
})
