// Two years of a plausible runner: what the page asks for, the charts of training, records, and whether somebody is better.
import { afterAll, describe, expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDb } from '../../src/db/open.ts'
import { fitRun } from '../fixtures/runs.ts'
import { madeRuns, storeRuns } from '../library/made-library.ts'
import { startRunServer } from './run-server.ts'
import { addSeasons } from './season-server.ts'
import { act, DAY_MS, fromMenu, inBothThemes, pageSuite, reads, soon, tooWide } from './suite.ts'

const slider = (page: Page, name: RegExp) => page.getByRole('slider', { name })
const FORM = /^Form by day/
const RUNS_OF_DAYS = /\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/
/** Puts the focus on a chart and presses keys. @returns what it says then */
async function keys(page: Page, name: RegExp, ...pressed: readonly string[]): Promise<string> {
  await slider(page, name).first().focus()
  for (const key of pressed) await page.keyboard.press(key)
  return (await slider(page, name).first().getAttribute('aria-valuetext')) ?? ''
}

describe('two years', () => {
  const RUNS_A_YEAR = 260
  const NIGHT_MS = 23 * 3_600_000
  let lastId = ''
  const { test, server, open } = pageSuite(async ({ server }) => {
    await addSeasons(server)
    // the season has 180 runs a year
    const { totalCount } = await server.get<{ totalCount: number }>('/workouts?pageSize=1')
    for (let index = totalCount; index < 2 * RUNS_A_YEAR; index += 1) {
      // at night, when the season has no run that it could be another recording of
      const dayMs = Math.floor(Date.now() / DAY_MS - 4.5 * (index - totalCount + 1)) * DAY_MS
      const startedAt = new Date(dayMs + NIGHT_MS).toISOString()
      const run = { startedAt, distanceM: 6000 + index, durationS: 2100 + index }
      lastId = ((await (await server.send('POST', '/workouts', run)).json()) as { id: string }).id
    }
  })

  /** Paths that the page asks the service for from now on; those of its own files and the event stream aside. */
  const asked = (page: Page) => {
    const paths: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (!/^\/(app|assets|icons|events$)/.test(pathname)) paths.push(`${request.method()} ${pathname}${search}`)
    })
    return paths
  }
  const twice = (paths: readonly string[]) => paths.filter((path, index) => paths.indexOf(path) < index)

  test('a dashboard asks for nothing twice and receives at most 20 KB, 95 KB unpacked', async () => {
    const { page, settled } = await open('/runs')
    await settled()
    // without the document of the list, whose last answers would count too
    await page.goto(`${server.address}/health`)
    const paths = asked(page)
    const sizes = new Map<string, { wire: number; unpacked: number }>()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    devtools.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.mimeType === 'application/json') sizes.set(requestId, { wire: 0, unpacked: 0 })
    })
    devtools.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
      const size = sizes.get(requestId)
      if (size === undefined) return
      size.unpacked += dataLength
      size.wire += encodedDataLength
    })
    await page.goto(`${server.address}/app`)
    await slider(page, FORM).waitFor()
    await settled()
    expect(twice(paths)).toEqual([])
    const sum = (part: 'wire' | 'unpacked') => [...sizes.values()].reduce((total, size) => total + size[part], 0)
    expect(sizes.size).toBe(paths.length)
    expect(sum('wire')).toBeWithin(5_001, 20_001)
    expect(sum('unpacked')).toBeLessThanOrEqual(95_000)
  })

  test('an edit asks anew for what it affects, one of elsewhere too', async () => {
    const { page, settled } = await open(`/runs/${lastId}`)
    await settled()
    const paths = asked(page)
    await act(page, { 'Run type': 'Long Run' })
    await soon(async () => paths.includes(`GET /workouts/${lastId}/training`))
    await server.send('PATCH', `/workouts/${lastId}`, { name: 'Out and back' })
    await page.getByRole('heading', { name: 'Out and back' }).waitFor()
  })

  test('the charts of endurance can be read by keys and opened by Enter', async () => {
    const { page } = await open('/training?view=endurance')
    const byRun = /^Pace at \d+ bpm and decoupling by run/
    await reads(page, /^(Faster|Slower) at the same heart rate by .* \(95% range|^No clear change/)
    expect(await keys(page, byRun, 'ArrowLeft')).toMatch(/^\w+, .*: .*decoupling/)
    const week = await keys(page, /^Easy, moderate and hard time/, 'Home')
    expect(week).toMatch(/^Week of .*: \d+% easy · easy \d/)
    await keys(page, byRun, 'ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}$/)
  })

  test('the training views do not jump while they load', async () => {
    for (const view of ['form', 'fitness', 'goals', 'calendar', 'endurance']) {
      const { page } = await open(`/training?view=${view}`, { viewport: { width: 1280, height: 800 } })
      await page.waitForLoadState('networkidle')
      const shift = await page.evaluate(async () => {
        let sum = 0
        const watched = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
        })
        watched.observe({ type: 'layout-shift', buffered: true })
        await new Promise((resolve) => setTimeout(resolve, 300))
        return sum
      })
      expect(shift, view).toBeLessThanOrEqual(0.02)
      await page.close()
    }
  })

  test('the progress of a goal and each of its past periods lead to their runs', async () => {
    type Goal = { readonly id: string; readonly period: string }
    // a goal that holds since long has missed and reached some
    const weekly = (await server.get<Goal[]>('/training/goals')).find(({ period }) => period === 'week')
    await server.send('PATCH', `/training/goals/${weekly?.id}`, { activeFrom: '2025-01-01' })
    const { page } = await open('/training?view=goals')
    await page.locator('li:has(.goal-head) p a').first().click()
    await page.waitForURL(RUNS_OF_DAYS)
    await page.goBack()
    expect(await keys(page, /^Past periods/, 'Home')).toMatch(/: .+ (reached|not reached)$/)
    await page.getByRole('link', { name: 'Show runs' }).waitFor()
    await inBothThemes(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(RUNS_OF_DAYS)
  })
})

describe('records', () => {
  const ids: string[] = []
  const { test, server, open } = pageSuite(async ({ server }) => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    // each faster than the one before, the last two of this year's last days
    for (const [daysAgo, speedMps] of [
      [800, 2.6],
      [430, 2.7],
      [20, 2.8],
      [5, 3.1],
    ] as const) {
      ids.push(await server.importRun(fitRun({ startMs: today - daysAgo * DAY_MS, seconds: 900, speedMps })))
    }
  })

  test('a run shows the ranks of its efforts, the runner decides which count, and whether the run does', async () => {
    const { page } = await open(`/runs/${ids[3]}`)
    const row = page.locator('.run-best tbody tr', { hasText: '1K' }).first()
    await reads(row, 'All-time best')
    const line = (link: Element) => getComputedStyle(link).textDecorationLine
    expect(await row.getByRole('link', { name: 'All-time best' }).evaluate(line)).toBe('underline')
    await act(page, 'Your correction for 1K', 'Not a record')
    await reads(row, 'Not a record (your correction')
    await act(page, 'Your correction for 1K', 'Remove correction')
    await reads(row, 'All-time best')
    const count = page.getByRole('checkbox', { name: /^Statistics and records/ })
    await fromMenu(page, 'Exclude…')
    await count.uncheck()
    await act(page, 'Save')
    const notice = page.getByText('This run is excluded from statistics and records.')
    await notice.waitFor()
    await fromMenu(page, 'Exclude…')
    await count.check()
    await act(page, 'Save')
    await notice.waitFor({ state: 'hidden' })
    await reads(page.locator('.run-best'), 'All-time best')
    await page.goto(`${server.address}/app/runs/${ids[2]}`)
    await reads(page.locator('.run-best tbody tr', { hasText: '1K' }).first(), '2nd of all time')
    // the first three of four runs at each distance
    await page.goto(`${server.address}/app/runs`)
    const medals = page.locator('.run-medals')
    await medals.first().waitFor()
    expect([await medals.count(), await medals.first().getAttribute('title')]).toEqual([
      3,
      expect.stringContaining('record 400 m'),
    ])
  })

  test('records of all time and of twelve months; a distance leads to its bests, and each of them to its run', async () => {
    const { page } = await open('/statistics')
    const card = page.locator('.efforts')
    for (const period of ['12 months', 'All time']) {
      await card.getByRole('radio', { name: period }).check()
      await card.getByRole('link', { name: '1K: top ten and progression' }).waitFor()
    }
    await act(page, '1K: top ten and progression')
    await page.waitForURL('**/app/bests?distance=1000')
    const rowsOf = (name: string) => page.locator('.card', { hasText: name }).locator('tbody tr')
    await reads(page.locator('.card', { hasText: 'Record progression' }), 'first')
    expect(await rowsOf('Record progression').count()).toBe(4)
    expect(await keys(page, /Record progression/, 'Home')).toEndWith('a record')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/app/runs/${ids[0]}`)
    await page.goBack()
    // 2.6, 2.7, 2.8 and 3.1 m/s
    const times = await page.locator('.best-top td strong').allTextContents()
    expect(times.join()).toBe('5:23,5:57,6:10,6:25')
    await rowsOf('Top ten').first().getByRole('link').click()
    await page.waitForURL(`**/app/runs/${ids[3]}`)
  })
})

describe('whether somebody is getting better', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-better-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  /** Two years of a runner who has become faster. */
  const startFasterServer = () => {
    const db = openDb(join(dataDir, 'harrier.sqlite'))
    storeRuns({ deps: { db }, clock: { nowMs: Date.now() } }, madeRuns({ change: 0.06, heat: [0.006, 0.004, 0.004] }))
    db.$client.close()
    return startRunServer({ DATA_DIR: dataDir })
  }
  const { test, server, open } = pageSuite(undefined, startFasterServer)

  test('one sentence says how much faster, the self-check is shown, and a run is a sum', async () => {
    const { page } = await open('/training?view=better')
    await reads(page, /^\d\.\d% faster at the same heart rate than in \w+( \d+)? \(\d\.\d–\d\.\d%\)\./)
    await reads(
      page,
      /^\d+ of the last \d+ runs were within what was expected\.$/,
      /^(Heat cost|No clear cost of heat) /,
    )
    await reads(page, /^At WBGT 2\d heat costs you (at least )?\d/)
    await page.getByRole('radio', { name: '5 years' }).check()
    await page.getByText('Other conditions').click()
    await page.getByRole('rowheader', { name: 'Each hour of running' }).waitFor()
    await keys(page, /^Fitness at one heart rate/, 'ArrowLeft', 'Enter')
    const rows = page.getByRole('region', { name: /^Run of / })
    for (const name of ['Heart rate', 'As run, on the flat']) await rows.getByRole('rowheader', { name }).waitFor()
    for (const width of [390, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      await inBothThemes(page)
      expect(await tooWide(page)).toEqual([])
    }
    await rows.getByRole('button', { name: 'Close' }).click()
    await rows.waitFor({ state: 'hidden' })
  })

  test('a sensor is marked, removed, and comes back', async () => {
    const { page } = await open('/training?view=better')
    await act(page, 'Mark a sensor')
    const day = new Date(Date.now() - 200 * DAY_MS).toISOString().slice(0, 10)
    await act(page, { Name: 'Chest strap', 'First day': day }, 'Mark', [/: Chest strap$/], 'Remove Chest strap', [
      'Chest strap removed',
    ])
    await page.getByText(/: Chest strap$/).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await reads(page, /: Chest strap$/)
    const marks = async () => (await server.get<{ marks: { name: string }[] }>('/truth/fitness')).marks
    await soon(async () => (await marks()).map(({ name }) => name).join() === 'Chest strap')
  })
})
