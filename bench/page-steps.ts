import type { Page } from 'playwright-core'

/** Charts of a run of `benchRun`. */
export const CHARTS = 5
/** Headings whose answers the list has not asked for yet. */
const HEADINGS = ['Distance', 'Time', 'Pace', 'Elevation gain', 'Name'] as const

/** Presses the key for the next run. @returns from there to the frame after its charts are painted, ms */
export async function nextRunMs(page: Page): Promise<number> {
  await page.evaluate((charts) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const canvases = () => [...document.querySelectorAll('.chart-host canvas')]
    const before = new Set(canvases())
    const painted = async ({ timeStamp }: KeyboardEvent) => {
      while (canvases().filter((canvas) => !before.has(canvas)).length < charts) await frame()
      await frame()
      return performance.now() - timeStamp
    }
    const step = new Promise((resolve) => {
      window.addEventListener('keydown', (event) => resolve(painted(event)), { once: true, capture: true })
    })
    Object.assign(window, { step })
  }, CHARTS)
  await page.keyboard.press('j')
  return await page.evaluate(() => (window as unknown as { step: Promise<number> }).step)
}

/** Sorts the list by each heading. @returns from a press to the frame after its lines are painted, ms */
export async function sortMs(page: Page): Promise<number[]> {
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
  return taken
}
