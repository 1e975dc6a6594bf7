import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { inkOfPointer } from './journey-files.ts'
import { DAY_MS, inBothThemes, PHONE, pageSuite, soon } from './suite.ts'

describe('the same ground again, on the page of a run', () => {
  let page: Page
  const { test, open } = pageSuite(async ({ server, open }) => {
    await server.importRun(fitRun({ startMs: START_MS - 3 * DAY_MS, speedMps: 3.2 }), 'a.fit')
    await server.importRun(fitRun({ startMs: START_MS - 2 * DAY_MS, speedMps: 2.8 }), 'b.fit')
    const id = await server.importRun(fitRun({ startMs: START_MS }), 'c.fit')
    page = (await open(`/runs/${id}`)).page
    await page.locator('.chart-host canvas').first().waitFor()
  })

  test('a section that is selected on a chart lists every time it was run', async () => {
    const box = (await page.locator('.chart-host .u-over').first().boundingBox())!
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 6 })
    await page.mouse.up()
    const card = page.getByRole('region', { name: 'Your times here' })
    await card.getByText('You’ve run this section 3 times; this was your 2nd fastest').waitFor()
    expect(await card.locator('tbody tr').count()).toBe(3)
    await card.getByRole('rowheader', { name: 'This run' }).waitFor()
    expect(await card.getByRole('link').count()).toBe(2)
    await noViolations(page)
    await page.getByRole('button', { name: 'Show all' }).click()
    await card.waitFor({ state: 'detached' })
  })

  test('a section that is selected along the route on the map as well', async () => {
    const box = (await page.locator('.map-frame').boundingBox())!
    // the route goes straight up in the middle
    const at = (share: number) => [box.x + box.width / 2, box.y + box.height * share] as const
    await page.keyboard.down('Shift')
    await page.mouse.move(...at(0.6))
    await page.mouse.down()
    await page.mouse.move(...at(0.4), { steps: 6 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    const card = page.getByRole('region', { name: 'Your times here' })
    await card.getByText('You’ve run this section 3 times; this was your 2nd fastest').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await card.waitFor({ state: 'detached' })
  })

  test('a section is selected with a finger: on the handles below the map, by taps on the route, on the charts', async () => {
    const { page: hand } = await open(new URL(page.url()).pathname.replace('/app', ''), PHONE)
    await hand.locator('.chart-host canvas').first().waitFor()
    const map = hand.getByRole('region', { name: 'Route' })
    await map.getByRole('button', { name: 'Select a section' }).tap()
    const picker = map.getByRole('group', { name: 'Section' })
    // the middle third of ten minutes at 3 m/s
    await picker.getByText('from 0.60\u00a0km to 1.20\u00a0km').waitFor()
    await picker.getByText('You’ve run this section 3 times; this was your 2nd fastest').waitFor()
    const [start, end] = [
      picker.getByRole('slider', { name: 'Start of section' }),
      picker.getByRole('slider', { name: 'End of section' }),
    ]
    expect(await start.evaluate((handle) => handle === document.activeElement)).toBe(true)
    await inBothThemes(hand)
    expect(await hand.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await start.press('PageDown')
    expect(await start.getAttribute('aria-valuetext')).toBe('2:20')
    await end.press('End')
    expect(await end.getAttribute('aria-valuetext')).toBe('10:00')
    // the route goes straight up in the middle of the map; taps set the start, then the end, whichever comes first
    const box = (await hand.locator('.map-frame').boundingBox())!
    const tap = (share: number) => hand.touchscreen.tap(box.x + box.width / 2, box.y + box.height * share)
    await tap(0.4)
    const early = Number(await start.getAttribute('aria-valuenow'))
    await tap(0.6)
    expect(Number(await end.getAttribute('aria-valuenow'))).toBe(early)
    expect(Number(await start.getAttribute('aria-valuenow'))).toBeLessThan(early - 60)
    await picker.getByText('You’ve run this section 3 times; this was your 2nd fastest').waitFor()
    await picker.getByRole('button', { name: 'See all times' }).tap()
    const card = hand.getByRole('region', { name: 'Your times here' })
    await card.getByRole('rowheader', { name: 'This run' }).waitFor()
    await picker.getByRole('button', { name: 'Done' }).tap()
    await picker.waitFor({ state: 'detached' })
    // the passes of the last choice may still be under way
    await soon(async () => (await card.locator('tbody tr').count()) === 3)
    // and from the charts, by keys alone
    await hand.getByRole('region', { name: 'Charts' }).getByRole('button', { name: 'Select a section' }).press('Enter')
    const beside = hand.getByRole('region', { name: 'Charts' }).getByRole('group', { name: 'Section' })
    await beside.getByRole('slider', { name: 'Start of section' }).press('Home')
    await beside.getByText('from 0.00\u00a0km').waitFor()
    await beside.getByRole('button', { name: 'Whole run' }).press('Enter')
    await card.waitFor({ state: 'detached' })
    expect(await beside.count()).toBe(0)
  })

  test.each([
    ['a mouse', {}],
    ['a finger', PHONE],
  ])('"Race it" leads to the gap, with a chip and the ghost on the map, by %s', async (_, options) => {
    const { page: hand } = await open(new URL(page.url()).pathname.replace('/app', ''), options)
    await hand.locator('.chart-host canvas').first().waitFor()
    expect((await inkOfPointer(hand)).count).toBe(0)
    const race = hand.getByRole('button', { name: /^Race it/ }).first()
    await (options === PHONE ? race.tap() : race.click())
    const card = hand.getByRole('region', { name: /^vs\. your run of/ })
    await card.getByText(/ahead of your run of/).waitFor()
    expect(await race.getAttribute('aria-pressed')).toBe('true')
    expect(await card.evaluate((element) => element.parentElement === document.activeElement)).toBe(true)
    // map and card are in view at once
    const { height } = hand.viewportSize()!
    const [map, gap] = [(await hand.locator('.map-frame').boundingBox())!, (await card.boundingBox())!]
    expect([map.y + map.height > 200, gap.y < height - 100]).toEqual([true, true])
    // at rest the ghost is where it was at the end of the run, and it moves with the place in the charts
    await soon(async () => (await inkOfPointer(hand)).count > 0)
    const atEnd = await inkOfPointer(hand)
    await hand.getByRole('slider', { name: /^Position in the run/ }).press('Home')
    await soon(async () => (await inkOfPointer(hand)).middle !== atEnd.middle)
    await inBothThemes(hand)
    await hand.getByText(/^Racing \d+ \w+/).waitFor()
    await hand.getByRole('button', { name: 'End race' }).click()
    await card.waitFor({ state: 'detached' })
    expect(await race.getAttribute('aria-pressed')).toBe('false')
  })

  test('a race shows the gap to an earlier run and its lines on the charts, and ends again', async () => {
    const race = page.getByRole('button', { name: /^Race it/ })
    await race.first().click()
    const card = page.getByRole('region', { name: /^vs\. your run of/ })
    await card.getByText(/ahead of your run of/).waitFor()
    await card.locator('.gap-line .line').waitFor()
    const charts = page.getByRole('region', { name: 'Charts' })
    const keys = charts.locator('.chart-key', { hasText: 'Ghost' })
    await keys.last().waitFor()
    await card.locator('.gap-line svg').hover()
    await card.getByText(/ahead at \d/).waitFor()
    // on the charts the ghost has its lines, and is behind the cursor: 2.8 m/s against 3
    await keys.first().getByText('5:57').waitFor()
    expect(await keys.count()).toBe(2)
    expect(await keys.last().textContent()).toContain('140 bpm')
    const xOf = async (selector: string) => (await charts.locator(selector).first().boundingBox())!.x
    const { x: left, width } = (await charts.locator('.u-over').first().boundingBox())!
    await soon(async () => (await xOf('.chart-ghost')) > left)
    const [ghostX, cursorX] = [await xOf('.chart-ghost'), await xOf('.u-cursor-x')]
    expect((ghostX - left) / (cursorX - left)).toBeCloseTo(2.8 / 3, 1)
    expect(ghostX).toBeLessThan(cursorX - width / 100)
    await inBothThemes(page)
    await page.mouse.move(0, 0)
    await card.getByText(/km together$/).waitFor()
    expect(await card.locator('.gap-line .pointer').count()).toBe(0)
    await card.getByRole('button', { name: 'End race' }).click()
    await card.waitFor({ state: 'detached' })
    await keys.first().waitFor({ state: 'detached' })
  })
})
