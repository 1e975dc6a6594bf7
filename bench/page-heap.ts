import type { Browser, CDPSession } from 'playwright-core'
import { chromiumPath, launch } from '../test/page/browser.ts'
import { benchRun } from './library.ts'
import { nextRunMs } from './page-steps.ts'
import { startServer } from './server.ts'

const VISITS = 50
/** Visits after which the heap is reported. */
const STATED: readonly number[] = [1, 10, 20, 30, 40, 50]
const CREDENTIALS = { username: 'bench', password: 'correct-horse-battery-staple' }

/**
 * The JavaScript heap of one page that visits 50 runs of an hour one after the other, by the key for the next run, and
 * points at the charts of each. Measured after forced collections. And the time to the charts of the next run, the median.
 */
export async function timeHeap(browser: Browser): Promise<void> {
  const server = await startServer()
  try {
    await server.login()
    for (let seed = 1; seed <= VISITS + 1; seed += 1) {
      const form = new FormData()
      form.append('file', new Blob([benchRun(seed) as Uint8Array<ArrayBuffer>]), `${seed}.fit`)
      const answer = await server.call('/workouts/import', { method: 'POST', body: form })
      if (!answer.ok) throw new Error(`Import answered ${answer.status}: ${await answer.text()}`)
    }
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
    await context.request.post(`${server.url}/auth/login`, { data: CREDENTIALS })
    await context.addInitScript(() => localStorage.setItem('harrier.session', 'in'))
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(`${server.url}/app/runs`)
    await page.locator('.run-line').first().click()
    const steps: number[] = []
    for (let visit = 1; visit <= VISITS; visit += 1) {
      await page.locator('.map-frame canvas').first().waitFor()
      await page.locator('.chart-host .u-over').first().hover()
      await page.getByText(new RegExp(`^${visit} of ${VISITS + 1}$`)).waitFor()
      await page.waitForTimeout(150)
      if (STATED.includes(visit)) console.log(`  heap after ${visit} runs`.padEnd(45), await heapText(session))
      steps.push(await nextRunMs(page))
    }
    const middle = steps.toSorted((a, b) => a - b)[VISITS / 2] ?? Number.NaN
    console.log('  charts of the next run by key'.padEnd(45), `${middle.toFixed(0)} ms (budget 350)`)
    await context.close()
  } finally {
    await server.stop()
    await server.remove()
  }
}

/** Such as `9.1 MiB, 4,210 nodes, 310 listeners`. */
async function heapText(session: CDPSession): Promise<string> {
  // what finalizers let go of in one collection goes with the next
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  const heap = (of('JSHeapUsedSize') / 1024 / 1024).toFixed(1)
  return `${heap} MiB, ${of('Nodes')} nodes, ${of('JSEventListeners')} listeners`
}

if (import.meta.main) {
  const path = chromiumPath()
  if (path !== null) {
    const browser = await launch(path)
    await timeHeap(browser).finally(() => browser.close())
  }
}
