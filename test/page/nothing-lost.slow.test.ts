import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { drop, type FileToDrop, noViolations } from './browser.ts'
import { DAY_MS, fromMenu, pageSuite } from './suite.ts'

const SECONDS = 300
/** Two halves of one run, the second a minute and a half after the end of the first. */
const HALVES_MS = [START_MS, START_MS + (SECONDS + 90) * 1000] as const
const TREADMILL_MS = START_MS + DAY_MS
const LONG_MS = START_MS + 2 * DAY_MS

/** Five minutes without a position, as a watch counts them on a treadmill. */
function treadmill(): Uint8Array {
  const samples = Array.from({ length: SECONDS + 1 }, (_, t) => ({ t, distanceM: 3 * t, speedMps: 3, hr: 140 }))
  return fitFile({ startMs: TREADMILL_MS, samples, session: { subSport: 1 } })
}

function thirtyFiles(): FileToDrop[] {
  const days = Array.from({ length: 26 }, (_, day) => START_MS - (day + 1) * DAY_MS)
  return [
    { name: 'long.fit', bytes: fitRun({ startMs: LONG_MS, seconds: 900 }) },
    { name: 'treadmill.fit', bytes: treadmill() },
    ...[...HALVES_MS, ...days].map((startMs, place) => ({
      name: `${place}.fit`,
      bytes: fitRun({ startMs, seconds: SECONDS }),
    })),
  ]
}

interface Stored {
  readonly id: string
  readonly startedAt: string
  readonly loadSource: string | null
}

/** What an import, a deletion and a repair take away comes back; each step begins where the last one ended. */
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
  const detail = async (id: string) => await server.get<{ distanceM: number; durationS: number }>(`/workouts/${id}`)
  const open = async (at: string) => {
    await page.goto(`${server.address}/app${at}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const choose = async (ids: readonly string[]) => {
    const [first, ...rest] = ids.map((id) => page.locator(`.run-line[data-run="${id}"]`))
    await first?.click({ modifiers: ['Shift'] })
    for (const line of rest) await line.click()
    await page.getByText(`${ids.length} runs chosen`).waitFor()
  }

  test('thirty files are dropped, taken back, and there again', async () => {
    await open('/runs')
    await drop(page, thirtyFiles())
    const tray = page.getByRole('region', { name: 'Imports' })
    await tray.getByText('30 done', { exact: true }).waitFor({ timeout: 20_000 })
    const before = await scoredRuns()
    expect(before.length).toBe(30)
    await noViolations(page)
    await tray.getByRole('button', { name: 'Undo the import' }).click()
    await page.getByText('Undone', { exact: true }).waitFor({ timeout: 20_000 })
    await page.getByText('Drop files anywhere').waitFor()
    expect(await runs()).toEqual([])
    await tray.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('30 runs', { exact: true }).waitFor({ timeout: 20_000 })
    await settlesAt(runs, before)
  })

  test('three are deleted, and one of them comes back from the trash', async () => {
    const [a = '', b = '', c = ''] = (await runs()).slice(5).map(({ id }) => id)
    await open('/runs')
    await choose([a, b, c])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete 3 runs?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('27 runs', { exact: true }).waitFor()
    await open('/trash')
    await page.getByRole('heading', { name: '3 runs' }).waitFor()
    const bring = page.getByRole('button', { name: /^Bring/ })
    await bring.first().click()
    await page.getByRole('heading', { name: '2 runs' }).waitFor()
    expect((await runs()).length).toBe(28)
  })

  test('a run is cropped by its dialog, and is as it was when that is taken back', async () => {
    const id = await idOf(LONG_MS)
    const before = await detail(id)
    await open(`/runs/${id}`)
    const figure = page.locator('.run-figure dd').first()
    const whole = (await figure.textContent()) ?? ''
    await page.locator('.chart-host canvas').first().waitFor()
    await fromMenu(page, 'Crop…')
    const dialog = page.getByRole('dialog', { name: 'Crop run' })
    await dialog.getByRole('slider', { name: 'New start' }).focus()
    for (const key of ['PageUp', 'PageUp']) await page.keyboard.press(key)
    const left = Number.parseFloat((await dialog.locator('dd').last().textContent()) ?? '')
    await dialog.getByRole('button', { name: 'Crop…' }).click()
    await dialog.getByRole('button', { name: 'Crop now' }).click()
    await page.getByText('Run cropped').waitFor()
    await page.waitForFunction((text) => document.querySelector('.run-figure dd')?.textContent !== text, whole)
    const { distanceM } = await detail(id)
    // two minutes at 3 m/s
    expect(before.distanceM - distanceM).toBeWithin(355, 365)
    expect(Number.parseFloat((await figure.textContent()) ?? '')).toBeCloseTo(left, 1)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    await settlesAt(() => detail(id), before)
  })

  test('two halves are joined from the list', async () => {
    const ids = await Promise.all(HALVES_MS.map(idOf))
    await open('/runs')
    await choose(ids)
    await page.getByRole('button', { name: 'Join' }).click()
    const question = page.getByRole('dialog', { name: 'Join 2 runs?' })
    await question.getByText(/^One run of 1\.80\skm in 11:30\./).waitFor()
    await noViolations(page)
    await question.getByRole('button', { name: 'Join' }).click()
    await page.getByText('2 runs joined').waitFor()
    expect(await detail(ids[0] ?? '')).toMatchObject({ durationS: 2 * SECONDS + 90 })
    expect((await runs()).length).toBe(27)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect((await runs()).length).toBe(28)
  })

  test('a treadmill is told what it said', async () => {
    const id = await idOf(TREADMILL_MS)
    await open(`/runs/${id}`)
    await fromMenu(page, 'Repair…')
    const dialog = page.getByRole('dialog', { name: 'Repair run' })
    await dialog.getByLabel('What is to be done').selectOption('Correct the distance')
    await dialog.getByLabel('Distance').fill('1.2')
    await dialog.getByRole('row', { name: /^Distance/ }).waitFor()
    await dialog.getByRole('button', { name: 'Set distance' }).click()
    await page.getByText('Distance set').waitFor()
    expect((await detail(id)).distanceM).toBe(1200)
  })

  test('a run that nothing recorded is added by hand', async () => {
    await open('')
    await page.getByRole('button', { name: 'Add a run' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a run' })
    await dialog.getByLabel('Date').fill('2025-11-08')
    await dialog.getByLabel('Start').fill('18:30')
    await dialog.getByLabel('Distance').fill('8.1')
    await dialog.getByLabel('Time', { exact: true }).fill('45:30')
    await dialog.getByRole('button', { name: 'Add run' }).click()
    await page.getByText('Run added').waitFor()
    expect((await runs())[0]).toMatchObject({ distanceM: 8100, durationS: 2730, source: 'manual' })
  })

  test('an Android shares a run with the installed page, and nobody else does', async () => {
    // the system opens /share for the runner, so no page is behind it; a browser lets no page say so
    const shared = (site: string, seconds: number) =>
      page.context().request.post(`${server.address}/share`, {
        headers: { origin: 'null', 'sec-fetch-site': site },
        multipart: {
          title: 'Evening run',
          text: '',
          file: {
            name: 'shared.fit',
            mimeType: 'application/octet-stream',
            buffer: Buffer.from(fitRun({ startMs: LONG_MS + DAY_MS, seconds })),
          },
        },
        maxRedirects: 0,
      })
    const refused = await shared('cross-site', 400)
    expect([refused.status(), (await runs()).length]).toEqual([403, 29])
    const answer = await shared('none', 400)
    expect(answer.status()).toBe(303)
    await page.goto(new URL(answer.headers().location ?? '', server.address).href)
    await page.waitForURL(/\/app\/receipts\/[0-9a-f-]{36}$/)
    await page.getByText('1 added').waitFor()
    expect((await runs()).map(({ startedAt }) => Date.parse(startedAt))).toContain(LONG_MS + DAY_MS)
  })

  test('a key that may upload is made, uploads, and reads nothing', async () => {
    const id = await idOf(LONG_MS)
    await page.goto(`${server.address}/app/settings#keys`)
    await page.getByLabel('Label of a new key').fill('Watch')
    await page.getByLabel('It may do').selectOption('Uploads only')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('#new-key').textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('· uploads only').waitFor()
    const ask = async (at: string, init: RequestInit = {}) =>
      (await fetch(server.address + at, { ...init, headers: { authorization: `Bearer ${key}` } })).status
    const body = fitRun({ startMs: LONG_MS + 2 * DAY_MS, seconds: SECONDS }).slice()
    expect(await ask('/workouts/import/raw?name=watch.fit', { method: 'POST', body })).toBe(200)
    expect((await runs()).length).toBe(31)
    const reads = [
      '/workouts',
      `/workouts/${id}`,
      `/workouts/${id}/file`,
      '/stats/insights',
      '/receipts',
      '/trash',
      '/share',
    ]
    expect(await Promise.all(reads.map((at) => ask(at)))).toEqual(reads.map(() => 401))
    expect(await ask(`/workouts/${id}`, { method: 'DELETE' })).toBe(401)
  })
})
