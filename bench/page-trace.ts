import type { Browser, Page } from 'playwright-core'

const TRACED = ['toplevel', 'devtools.timeline']

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: on the clock, and of the processor. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The tasks and frames of a page's main thread while something is done, from a trace of the browser. */
export async function traced(browser: Browser, page: Page, act: (page: Page) => Promise<void>) {
  await browser.startTracing(page, { categories: TRACED })
  await act(page)
  await page.waitForTimeout(100)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const isMain = (event: TraceEvent) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain'
  const threads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
  const ofMain = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && threads.has(`${pid} ${tid}`))
  const tasks = ofMain.filter(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask')
  const frames = ofMain.filter(({ name }) => name === 'FireAnimationFrame').toSorted((a, b) => a.ts - b.ts)
  return {
    // on a busy machine a task waits for its turn in the middle
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    cpuMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000)),
    /** From each animation frame to the next. */
    frameMs: frames.slice(1).map(({ ts }, k) => (ts - frames[k]!.ts) / 1000),
    /** Of the processor, what the page does in each. */
    frameCpuMs: frames.map(({ tdur = 0 }) => tdur / 1000),
  }
}
