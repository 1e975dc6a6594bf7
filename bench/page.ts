import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumPath, launch } from '../test/page/browser.ts'
import { CREDENTIALS } from '../test/process/real-server.ts'
import { benchRun, filledLibrary } from './library.ts'
import { asked, atRest, imported, median, startServer, tell } from './server.ts'

const SAMPLES = 20_000
const WORKOUTS = 5_000
const ROUNDS = 5
/** Charts of a run of `benchRun`. */
const CHARTS = 5
const STEPS = 10
const HEADINGS = ['Distance', 'Time', 'Pace', 'Elevation gain', 'Name'] as const

/** The real page in a real browser, on a long run and in a large library: when it is there, how it moves, what it weighs. */
export async function bench(): Promise<void> {
  const path = chromiumPath()
  if (path === null) return console.log('page: skipped, there is no Chromium')
  const server = await startServer(await filledLibrary(WORKOUTS))
  const browser = await launch(path)
  try {
    await server.login()
    const runId = await imported(server, benchRun(101, SAMPLES - 1))
    // loads and ground of the library are computed in the background
    await atRest(server)
    console.log(`page: a run of ${SAMPLES} samples among ${WORKOUTS} workouts`)
    await timeRun(browser, server.address, runId)
    await timeDashboard(browser, server.address)
    await timeList(browser, server.address)
    await timeSteps(browser, server.address, JSON.parse(await asked(server, '/workouts?pageSize=1')).items[0].id)
  } finally {
    await browser.close()
    await server.stop()
    await server.remove()
  }
}

/** A page of a new visitor who is logged in; it notes layout shifts from the beginning. */
async function visit(browser: Browser, address: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  await context.request.post(`${address}/auth/login`, { data: CREDENTIALS })
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

/** Visits an address several times; the first visit builds the page. @param last what the last page is asked for */
async function visits(browser: Browser, address: string, times: Times): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { context, page } = await visit(browser, new URL(address).origin)
    await page.goto(address)
    const ms = await times.there(page)
    if (round > 0) taken.push(ms)
    if (round === ROUNDS) await times.last(page)
    await context.close()
  }
  return median(taken)
}

interface Times {
  readonly there: (page: Page) => Promise<number>
  readonly last: (page: Page) => Promise<void>
}

async function timeRun(browser: Browser, address: string, runId: string): Promise<void> {
  const painted = await visits(browser, `${address}/app/runs/${runId}`, {
    there: paintedMs,
    last: async (page) => {
      await page.waitForTimeout(500)
      tell('layout shift of the run', `${(await layoutShift(page)).toFixed(4)} (budget 0.01)`)
      for (const [what, act] of Object.entries(MOVES)) {
        const { longestMs, cpuMs } = await traced(browser, page, act)
        tell(`longest task: ${what}`, `${longestMs.toFixed(1)} ms, of the processor ${cpuMs.toFixed(1)} ms (budget 50)`)
      }
    },
  })
  tell('samples there to charts and map painted', `${painted.toFixed(0)} ms (budget 500)`)
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
  'cursor by keyboard': async (page) => {
    await page.locator('.charts-stack').focus()
    for (let k = 0; k < 60; k += 1) await page.keyboard.press('ArrowRight')
  },
}

async function sweep(page: Page, selector: string): Promise<void> {
  const { x, y, width } = await middleOf(page, selector)
  for (let k = 0; k <= 150; k += 1) {
    await page.mouse.move(x - width * 0.45 + (k / 150) * width * 0.9, y + 20 * Math.sin(k / 8))
  }
}

async function middleOf(page: Page, selector: string) {
  const element = page.locator(selector).first()
  await element.scrollIntoViewIfNeeded()
  const box = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width }
}

/** The longest task of a page's main thread while something is done, from a trace of the browser: by the clock, and of the processor. */
async function traced(browser: Browser, page: Page, act: (page: Page) => Promise<void>) {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await act(page)
  await page.waitForTimeout(100)
  type Traced = Readonly<Record<'name' | 'ph' | 'pid' | 'tid', string>> & {
    readonly args?: { readonly name?: string }
    /** Microseconds. */
    readonly dur?: number
    readonly tdur?: number
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] }
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const threads = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  )
  return {
    // on a busy machine a task waits for its turn in the middle
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    cpuMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000)),
  }
}

async function timeDashboard(browser: Browser, address: string): Promise<void> {
  const shown = await visits(browser, `${address}/app`, {
    there: (page) =>
      page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        while (document.querySelector('.hero') === null) await frame()
        await frame()
        return performance.now()
      }),
    last: async (page) => {
      await page.waitForLoadState('load')
      await page.waitForTimeout(800)
      const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
      tell('dashboard: first paint', `${paint.toFixed(0)} ms`)
      tell('layout shift of the dashboard', `${(await layoutShift(page)).toFixed(4)} (budget 0.01)`)
      tell('first load, gzip', `${((await loadedBytes(page)) / 1000).toFixed(1)} KB (budget 70)`)
    },
  })
  tell('dashboard: the week shown', `${shown.toFixed(0)} ms (budget 1000)`)
}

/** Sorts the list by headings whose answers it has not asked for yet. */
async function timeList(browser: Browser, address: string): Promise<void> {
  const { context, page } = await visit(browser, address)
  await page.goto(`${address}/app/runs`)
  await page.locator('.run-line').first().waitFor()
  const taken: number[] = []
  for (const heading of HEADINGS) {
    const ms = await page.evaluate(async (name) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const button = [...document.querySelectorAll<HTMLElement>('.heading')].find((one) => one.textContent === name)
      if (button === undefined) throw new Error(`The list has no heading ${name}`)
      const fromMs = performance.now()
      button.click()
      do await frame()
      while (button.ariaPressed !== 'true' || document.querySelector('.run-list.waiting') !== null)
      await frame()
      return performance.now() - fromMs
    }, heading)
    taken.push(ms)
  }
  tell(`list of ${WORKOUTS} sorted`, `${median(taken).toFixed(0)} ms (budget 80)`)
  await context.close()
}

/** The next run by key, again and again: to the frame after its charts are painted, and the heap before and after. */
async function timeSteps(browser: Browser, address: string, runId: string): Promise<void> {
  const { context, page } = await visit(browser, address)
  const session = await context.newCDPSession(page)
  const heapMiB = async () => {
    // what finalizers let go of in one collection goes with the next
    for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
  }
  await page.goto(`${address}/app/runs/${runId}`)
  await paintedMs(page)
  const [steps, heaps]: [number[], number[]] = [[], []]
  for (let step = 0; step < 3 * STEPS; step += 1) {
    if (step % STEPS === 0) heaps.push(await heapMiB())
    const ms = page.evaluate(async (charts) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const canvases = () => [...document.querySelectorAll('.chart-host canvas')]
      const before = new Set(canvases())
      const { timeStamp } = await new Promise<KeyboardEvent>((resolve) => {
        window.addEventListener('keydown', resolve, { once: true, capture: true })
      })
      while (canvases().filter((canvas) => !before.has(canvas)).length < charts) await frame()
      await frame()
      return performance.now() - timeStamp
    }, CHARTS)
    await page.waitForTimeout(150)
    await page.keyboard.press('j')
    steps.push(await ms)
  }
  tell('charts of the next run by key', `${median(steps).toFixed(0)} ms (budget 350)`)
  const more = (await heapMiB()) - heaps[1]!
  tell('heap of the page', `${heaps[0]!.toFixed(1)} MiB, ${(more / 2 / STEPS).toFixed(3)} more a run (budget 0.02)`)
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
