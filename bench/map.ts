import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openDb } from '../src/db/open.ts'
import { chromiumPath, launch } from '../test/page/browser.ts'
import { atRest } from './against-library.ts'
import { middleOf, tell, visit } from './page.ts'
import { traced } from './page-trace.ts'
import { fillPlaces } from './places.ts'
import { startServer } from './server.ts'
import { percentile } from './waits.ts'

/** Where most of the made runs start. */
const HOME = '52.5,13.4'
const LAYERS = { 'heat map': '', squares: '&layer=squares' } as const

/** The map of 10,000 runs in a real browser: its frames while it is moved, and how soon another filter is seen. */
export async function benchMap(): Promise<void> {
  const path = chromiumPath()
  if (path === null) return console.log('map: skipped, there is no Chromium')
  const first = await startServer()
  await first.login()
  await first.stop()
  const db = openDb(join(first.dataDir, 'harrier.sqlite'))
  fillPlaces(db)
  db.$client.close()
  const server = await startServer(first.dataDir)
  await server.login()
  await atRest(server)
  const browser = await launch(path)
  try {
    console.log('map: 10,000 runs, 1280 x 900, without a graphics card')
    await emptyPage(browser, server)
    for (const [name, layer] of Object.entries(LAYERS)) {
      for (const zoom of [10, 13]) await moves(browser, server, { name: `${name}, zoom ${zoom}`, layer, zoom })
    }
    await filters(browser, server)
  } finally {
    await browser.close()
    await server.stop()
    await server.remove()
  }
}

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'url'>

interface Shown {
  readonly name: string
  readonly layer: string
  readonly zoom: number
}

async function opened(browser: Browser, server: Server, { layer, zoom }: Omit<Shown, 'name'>) {
  const { context, page } = await visit(browser, server)
  await page.goto(`${server.url}/app/map?at=${HOME},${zoom}${layer}`)
  await page.locator('.heat-map canvas').waitFor()
  await page.waitForLoadState('networkidle')
  return { context, page }
}

async function moves(browser: Browser, server: Server, shown: Shown): Promise<void> {
  const { context, page } = await opened(browser, server, shown)
  for (const [what, act] of Object.entries(MOVES)) {
    // the tiles that it comes across are there the second time
    await act(page)
    await page.waitForTimeout(500)
    await page.waitForLoadState('networkidle')
    const { longestMs, cpuMs, frameMs, frameCpuMs } = await traced(browser, page, act)
    tell(
      `${shown.name}: ${what}`,
      `${frameMs.length} frames, p95 ${percentile(frameMs, 0.95)} ms (budget 33), of the processor ${percentile(frameCpuMs, 0.95)} ms; longest task ${longestMs.toFixed(0)} ms, of the processor ${cpuMs.toFixed(0)} ms (50)`,
    )
  }
  await context.close()
}

/** What this machine adds at present. */
async function emptyPage(browser: Browser, server: Server): Promise<void> {
  const { context, page } = await visit(browser, server)
  await page.setContent('<div class="map-frame" style="height: 600px">')
  await page.evaluate(() => {
    const frame = () => void requestAnimationFrame(frame)
    frame()
  })
  const { frameMs } = await traced(browser, page, MOVES.panning!)
  tell('empty page', `${frameMs.length} frames, p95 ${percentile(frameMs, 0.95)} ms`)
  await context.close()
}

const MOVES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  panning: async (page) => {
    const { x, y } = await middleOf(page, '.map-frame')
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let k = 0; k < 120; k += 1) await page.mouse.move(x + 250 * Math.sin(k / 12), y + 150 * Math.sin(k / 7))
    await page.mouse.move(x, y)
    await page.mouse.up()
  },
  zooming: async (page) => {
    const { x, y } = await middleOf(page, '.map-frame')
    await page.mouse.move(x, y)
    for (let k = 0; k < 60; k += 1) await page.mouse.wheel(0, k % 30 < 15 ? -40 : 40)
  },
}

/** From the press of a chip to the frame with its last tile. */
async function filters(browser: Browser, server: Server): Promise<void> {
  const { context, page } = await opened(browser, server, { layer: '', zoom: 13 })
  const times: number[] = []
  const chips = page.locator('.map-filters .chip')
  for (const at of [2, 3, 4, 0, 5]) {
    const fromMs = await chips.nth(at).evaluate((chip: HTMLButtonElement) => {
      performance.clearResourceTimings()
      chip.click()
      return performance.now()
    })
    await page.waitForTimeout(2000)
    times.push(
      await page.evaluate((from) => {
        const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const tiles = asked.filter(({ name }) => /heat\/\d/.test(name))
        return Math.max(...tiles.map(({ responseEnd }) => responseEnd)) - from
      }, fromMs),
    )
  }
  tell('another filter, to its last tile, zoom 13', `${times.map((ms) => ms.toFixed(0)).join(', ')} ms (budget 400)`)
  await context.close()
}

if (import.meta.main) await benchMap()
