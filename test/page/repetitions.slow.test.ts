import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { START_MS } from '../fixtures/runs.ts'
import { madeSession, type Step } from '../fixtures/sessions.ts'
import { fromMenu, inBothThemes, PHONE, pageSuite, soon } from './suite.ts'

const WORK: Step = { s: 240, mps: 4.3 }
const REST: Step = { s: 120, mps: 2.4 }

function session(): Uint8Array {
  const { track } = madeSession([{ s: 600, mps: 2.9 }, WORK, REST, WORK, REST, WORK, { s: 600, mps: 2.8 }])
  const samples = Array.from(track.tS, (t, i) => ({ t, distanceM: track.distanceM[i]!, elevM: 400, hr: 150 }))
  return fitFile({ startMs: START_MS, samples: samples.filter(({ t }) => Number.isInteger(t)) })
}

describe('the repetitions of a run', () => {
  let runId: string
  const { test, server, open } = pageSuite(async ({ server }) => {
    runId = await server.importRun(session())
  })

  const opened = async (options = {}) => {
    const { page } = await open(`/runs/${runId}`, options)
    await page.locator('.chart-host canvas').first().waitFor()
    return page
  }
  const found = () =>
    server.get<{ source: string; sets: { repetitions: { startElapsedS: number; endElapsedS: number }[] }[] }>(
      `/workouts/${runId}/intervals`,
    )
  const spans = async () =>
    (await found()).sets.flatMap((set) => set.repetitions.map((one) => [one.startElapsedS, one.endElapsedS]))
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Edit reps' })

  test('are moved, added and removed by keyboard alone, saved and undone', async () => {
    const page = await opened()
    const before = await spans()
    await page.getByRole('tab', { name: 'Intervals' }).press('Enter')
    await page.getByRole('button', { name: 'Edit reps' }).press('Enter')
    const dialog = dialogOf(page)
    const list = dialog.getByRole('list', { name: 'Reps' }).getByRole('listitem')
    await soon(async () => (await list.count()) === 3)
    await dialog.getByRole('button', { name: /^Rep 2,/ }).press('Enter')
    const start = dialog.getByRole('slider', { name: 'Start of rep 2' })
    await start.press('Shift+ArrowRight')
    await start.press('ArrowRight')
    // no further than its neighbour
    await dialog.getByRole('slider', { name: 'End of rep 2' }).press('End')
    await dialog.getByRole('button', { name: 'Remove rep 1' }).press('Enter')
    const kept = dialog.getByRole('button', { name: /^Rep 1,/ })
    await soon(() => kept.evaluate((element) => element === document.activeElement))
    await dialog.getByRole('button', { name: 'Add rep' }).press('Enter')
    // the new one, before the others, has the focus
    const added = dialog.getByRole('slider', { name: 'Start of rep 1' })
    await soon(() => added.evaluate((element) => element === document.activeElement))
    await added.press('Home')
    await inBothThemes(page)
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Reps saved').waitFor()
    await page.getByText('Corrected by you').waitFor()
    const [first, second, third, ...more] = await spans()
    expect([first![0], second![0], second![1], third, more]).toEqual([
      0,
      before[1]![0]! + 11,
      before[2]![0]! - 1,
      before[2]!,
      [],
    ])
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('Undone').waitFor()
    await soon(async () => (await found()).source === 'pace')
    expect(await spans()).toEqual(before)
  })

  test('are dragged by finger, and the correction is removed', async () => {
    const page = await opened(PHONE)
    await fromMenu(page, 'Edit reps…')
    const dialog = dialogOf(page)
    const end = dialog.getByRole('slider', { name: 'End of rep 1' })
    const valueS = async () => Number(await end.getAttribute('aria-valuenow'))
    const { x, y, width, height } = (await end.boundingBox())!
    const wasS = await valueS()
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 - 12, y + height / 2)
    await page.mouse.up()
    expect(await valueS()).toBeLessThan(wasS - 30)
    const toS = await valueS()
    await inBothThemes(page)
    await dialog.getByRole('button', { name: 'Save' }).tap()
    await page.getByText('Reps saved').waitFor()
    expect((await spans())[0]![1]).toBe(toS)
    await fromMenu(page, 'Edit reps…')
    await dialog.getByRole('button', { name: 'Remove correction' }).tap()
    await page.getByText('Correction removed').waitFor()
    expect((await found()).source).toBe('pace')
  })
})
