import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Db, openDb } from '../src/db/open.ts'
import { chromiumPath, launch } from '../test/page/browser.ts'
import { atRest } from './against-library.ts'
import { benchRun, seeded } from './library.ts'
import { timeHeap } from './page-heap.ts'
import { CHARTS, sortMs } from './page-steps.ts'
import { traced } from './page-trace.ts'
import { startServer } from './server.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const SAMPLES = 20_000
const WORKOUTS = 5_000
const DAY_MS = 86_400_000

/** The real page in a real browser, on a long run and in a large library: when it is there, how it moves, what it weighs. */
export async function benchPage(): Promise<void> {
  const path = chromiumPath()
  if (path === null) return console.log('page: skipped, there is no Chromium')
  const server = await filledServer()
  const browser = await launch(path)
  try {
    const runId = await longestRun(server)
    console.log(`page: a run of ${SAMPLES} samples among ${WORKOUTS} workouts`)
    await timeRun(browser, server, runId)
    await timeDashboard(browser, server)
    await timeList(browser, server)
    await timeHeap(browser)
  } finally {
    await browser.close()
    await server.stop()
    await server.remove()
  }
}

/** One long run, and one of an hour that is there as many times as a runner of many years has runs. */
async function filledServer(): Promise<Server> {
  const first = await startServer()
  await first.login()
  for (const [name, file] of [
    ['long.fit', benchRun(1, SAMPLES - 1)],
    ['hour.fit', benchRun(2)],
  ] as const) {
    const form = new FormData()
    form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), name)
    const answer = await first.call('/workouts/import', { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${await answer.text()}`)
  }
  await first.stop()
  const db = openDb(join(first.dataDir, 'harrier.sqlite'))
  multiply(db)
  db.$client.close()
  const server = await startServer(first.dataDir)
  await server.login()
  // the copies' loads and ground are computed in the background
  await atRest(server)
  return server
}

/** Copies of the shorter run over the last years; its samples, which nobody looks at, are not copied. */
function multiply({ $client: client }: Db): void {
  const random = seeded(1)
  const id = client.query<{ id: string }, []>('SELECT id FROM workout ORDER BY distance_m LIMIT 1').get()?.id ?? ''
  const columns = client.query<{ name: string }, []>('PRAGMA table_info(workout)').all()
  const names = columns.map(({ name }) => name)
  const own: Readonly<Record<string, string>> = {
    ...{ id: '$id', started_at: '$at', distance_m: 'distance_m + $more' },
  }
  const values = names.map((name) => own[name] ?? name)
  const workout = client.prepare(`INSERT INTO workout (${names}) SELECT ${values} FROM workout WHERE id = '${id}'`)
  const document = client.prepare(`INSERT INTO document (id, seq, revision, body, asked)
    SELECT $id, seq, revision, body, asked FROM document WHERE id = '${id}'`)
  const route = copier({ client, table: 'workout_route', own: { workout_id: '$id', started_at: '$at' }, id })
  const effort = copier({
    client,
    table: 'workout_best_effort',
    own: { workout_id: '$id', time_ms: 'time_ms + $more' },
    id,
  })
  client.transaction(() => {
    for (let k = 0; k < WORKOUTS; k += 1) {
      const made = { id: randomUUID(), at: Math.floor(Date.now() - (k + random()) * 0.4 * DAY_MS) }
      const more = Math.round(random() * 5000)
      workout.run({ ...made, more })
      document.run({ id: made.id })
      route.run(made)
      effort.run({ id: made.id, more })
    }
  })()
}

interface CopierOptions {
  readonly client: Db['$client']
  readonly table: string
  readonly own: Readonly<Record<string, string>>
  readonly id: string
}

function copier({ client, table, own, id }: CopierOptions) {
  const names = client
    .query<{ name: string }, []>(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => name)
  const values = names.map((name) => own[name] ?? name)
  return client.prepare(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE workout_id = '${id}'`)
}

async function longestRun(server: Server): Promise<string> {
  const list = (await (await server.call('/workouts?sortBy=duration&sortOrder=desc&pageSize=1')).json()) as {
    items: { id: string }[]
  }
  return list.items[0]?.id ?? ''
}

/** A page of a new visitor who is logged in; it notes layout shifts from the beginning. */
export async function visit(
  browser: Browser,
  server: Pick<Server, 'url'>,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  const data = { username: 'bench', password: 'correct-horse-battery-staple' }
  await context.request.post(`${server.url}/auth/login`, { data })
  await context.addInitScript(() => {
    localStorage.setItem('harrier.session', 'in')
    const noted = window as unknown as { layoutShift: number }
    noted.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
        if (!entry.hadRecentInput) noted.layoutShift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return { context, page: await context.newPage() }
}

async function timeRun(browser: Browser, server: Server, runId: string): Promise<void> {
  const painted: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { context, page } = await visit(browser, server)
    await page.goto(`${server.url}/app/runs/${runId}`)
    // the first visit builds the page
    if (round > 0) painted.push(await paintedMs(page))
    if (round < 4) await context.close()
    else {
      tell('samples there to charts and map painted', `${median(painted).toFixed(0)} ms (budget 500)`)
      await page.waitForTimeout(500)
      tell('layout shift of the run', `${(await layoutShift(page)).toFixed(4)} (budget 0.01)`)
      for (const [what, act] of Object.entries(MOVES)) {
        const { longestMs, cpuMs } = await traced(browser, page, act)
        tell(`longest task: ${what}`, `${longestMs.toFixed(1)} ms, of the processor ${cpuMs.toFixed(1)} ms (budget 50)`)
      }
      await context.close()
    }
  }
}

/** From the last byte of the samples to the frame after all canvases are there, milliseconds. */
async function paintedMs(page: Page): Promise<number> {
  return await page.evaluate(async (charts) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isThere = () =>
      document.querySelectorAll('.chart-host canvas').length >= charts && document.querySelector('.map-frame canvas')
    while (!isThere()) await frame()
    await frame()
    const now = performance.now()
    const samples = performance.getEntriesByType('resource').find(({ name }) => name.includes('/samples'))
    return now - (samples as PerformanceResourceTiming).responseEnd
  }, CHARTS)
}

const MOVES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'cursor over a chart': (page) => sweep(page, '.chart-host .u-over'),
  'cursor over the map': (page) => sweep(page, '.map-frame'),
  'dragging the map': async (page) => {
    const { x, y } = await middleOf(page, '.map-frame')
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let k = 0; k < 60; k += 1) await page.mouse.move(x + 80 * Math.sin(k / 6), y + 60 * Math.cos(k / 6))
    await page.mouse.up()
  },
  'zooming the map': async (page) => {
    const { x, y } = await middleOf(page, '.map-frame')
    await page.mouse.move(x, y)
    for (let k = 0; k < 60; k += 1) await page.mouse.wheel(0, k < 30 ? -60 : 60)
  },
  'zooming the charts': async (page) => {
    const { x, y } = await middleOf(page, '.chart-host .u-over')
    for (let k = 0; k < 4; k += 1) {
      await page.mouse.move(x - 100, y)
      await page.mouse.down()
      await page.mouse.move(x + 80, y, { steps: 8 })
      await page.mouse.up()
      await page.mouse.dblclick(x, y)
    }
  },
  'cursor by keyboard': async (page) => {
    await page.locator('.charts-stack').focus()
    for (let k = 0; k < 60; k += 1) await page.keyboard.press('ArrowRight')
  },
  'pointing at splits': async (page) => {
    for (const row of (await page.locator('.splits tbody tr').all()).slice(0, 12)) await row.hover()
  },
}

async function sweep(page: Page, selector: string): Promise<void> {
  const { x, y, width } = await middleOf(page, selector)
  for (let k = 0; k <= 150; k += 1) {
    await page.mouse.move(x - width * 0.45 + (k / 150) * width * 0.9, y + 20 * Math.sin(k / 8))
  }
}

export async function middleOf(page: Page, selector: string) {
  const element = page.locator(selector).first()
  await element.scrollIntoViewIfNeeded()
  const box = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width }
}

async function timeDashboard(browser: Browser, server: Server): Promise<void> {
  const shown: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { context, page } = await visit(browser, server)
    await page.goto(`${server.url}/app`)
    shown.push(
      await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        while (document.querySelector('.hero') === null) await frame()
        await frame()
        return performance.now()
      }),
    )
    if (round === 4) {
      await page.waitForLoadState('load')
      await page.waitForTimeout(800)
      const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
      tell('dashboard: first paint', `${paint.toFixed(0)} ms`)
      tell('dashboard: the week shown', `${median(shown).toFixed(0)} ms (budget 1000)`)
      tell('layout shift of the dashboard', `${(await layoutShift(page)).toFixed(4)} (budget 0.01)`)
      tell('first load, gzip', `${((await loadedBytes(page)) / 1000).toFixed(1)} KB (budget 56)`)
    }
    await context.close()
  }
}

async function timeList(browser: Browser, server: Server): Promise<void> {
  const { context, page } = await visit(browser, server)
  await page.goto(`${server.url}/app/runs`)
  await page.locator('.run-line').first().waitFor()
  tell(`list of ${WORKOUTS} sorted`, `${median(await sortMs(page)).toFixed(0)} ms (budget 80)`)
  await context.close()
}

/** The document, and the scripts and styles that it names, as they came over the wire. */
async function loadedBytes(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const html = await (await fetch(location.href)).text()
    const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => location.origin + path)
    const files = performance.getEntriesByType('resource').filter(({ name }) => named.includes(name))
    return [...files, ...performance.getEntriesByType('navigation')].reduce((sum, entry) => {
      return sum + (entry as PerformanceResourceTiming).encodedBodySize
    }, 0)
  })
}

async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(() => (window as unknown as { layoutShift: number }).layoutShift)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function tell(what: string, figure: string): void {
  console.log(`  ${what.padEnd(42)} ${figure}`)
}

if (import.meta.main) await benchPage()
