import { describe, expect } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { greyPng } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { madeSession, type Step } from '../fixtures/sessions.ts'
import { noViolations } from './axe.ts'
import { preferTheme } from './browser.ts'
import { PHONE, pageSuite, soon, tooWide } from './suite.ts'

describe('a run on a phone', () => {
  let runId: string
  let tinyId: string
  let sessionId: string
  const { test, server, open } = pageSuite(async ({ server }) => {
    const now = Date.now()
    runId = await server.importRun(fitRun({ startMs: now - 3_600_000, seconds: 1500 }))
    tinyId = await server.importRun(gpxRun({ startMs: now - 90_000_000, seconds: 40 }), 'tiny.gpx')
    sessionId = await server.importRun(session(now - 200_000_000))
    await server.addMedia(runId, 'large.png', noise(700))
  })

  const opened = async (id: string, options = {}) => {
    const watched = await open('/runs', { ...PHONE, ...options })
    await watched.page.goto(`${server.address}/app/runs/${id}`)
    await watched.page.locator('.chart-host canvas').first().waitFor()
    return watched
  }

  test('keeps place, values and a small map in sight while a finger is on the last chart', async () => {
    const { page } = await opened(runId)
    const chart = page.locator('.u-over').last()
    await toMiddle(page, '.u-over')
    const bar = page.locator('.charts-bar')
    const before = await bar.boundingBox()
    await chart.tap()
    await page.locator('.charts-values', { hasText: 'bpm' }).waitFor()
    const after = (await bar.boundingBox())!
    // nothing moves under the finger
    expect(after).toEqual(before!)
    expect([after.y >= 55, after.y + after.height < 200]).toEqual([true, true])
    const dot = await page.locator('.mini-map circle:not(.ghost)').boundingBox()
    expect(dot !== null && dot.y >= after.y && dot.y < after.y + after.height).toBe(true)
    await noViolations(page)
  })

  test('zooms charts with two fingers and with a double tap, and shows all again', async () => {
    const { page } = await opened(runId)
    await toMiddle(page, '.u-over')
    const all = page.getByRole('button', { name: 'Show all', exact: true })
    expect(await all.isVisible()).toBe(false)
    const readout = page.locator('.charts-readout')
    const whole = await readout.textContent()
    const session = await page.context().newCDPSession(page)
    const { width } = (await page.locator('.u-over').last().boundingBox())!
    await pinch(session, await middleOf(page), [width * 0.1, width * 0.4])
    await all.waitFor()
    // a quarter of 4.5 km is left
    const shown = async () => Number.parseFloat((await readout.textContent()) ?? '')
    await soon(async () => (await shown()) > 1 && (await shown()) < 1.3)
    await all.tap()
    await soon(async () => (await readout.textContent()) === whole)

    await toMiddle(page, '.u-over')
    await doubleTap(session, await middleOf(page))
    await all.waitFor()
    await page.waitForTimeout(400)
    await doubleTap(session, await middleOf(page))
    await all.waitFor({ state: 'hidden' })
  })

  test('zooms the map by two around a double tap', async () => {
    const { page } = await opened(runId)
    const frame = page.locator('.map-frame')
    await frame.scrollIntoViewIfNeeded()
    const session = await page.context().newCDPSession(page)
    const { x, y, width, height } = (await frame.boundingBox())!
    /** Kilometres of the route under a finger; it goes straight up in the middle. */
    const kmAt = async (share: number) => {
      const finger = { x: x + width / 2, y: y + height * share }
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] })
      const touchPoints = [{ ...finger, x: finger.x + 2 }]
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
      await page.waitForTimeout(100)
      const km = Number.parseFloat((await page.locator('.charts-readout').textContent()) ?? '')
      await session.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
      return km
    }
    const [above, tapped, below] = [await kmAt(0.35), await kmAt(0.5), await kmAt(0.65)]
    expect(above).toBeGreaterThan(below + 0.5)
    await doubleTap(session, { x: x + width / 2, y: y + height * 0.5 })
    await soon(async () => Math.abs((await kmAt(0.35)) - (above + tapped) / 2) < 0.04)
    expect(Math.abs((await kmAt(0.5)) - tapped)).toBeLessThan(0.04)
    expect(Math.abs((await kmAt(0.65)) - (below + tapped) / 2)).toBeLessThan(0.04)
  })

  test('switches lines of the charts off, which stays so, and on again', async () => {
    const { page } = await opened(runId)
    const key = (name: string) => page.locator('.chart-key').getByRole('button', { name, exact: true })
    const charts = await page.locator('.chart-host').count()
    await key('Heart rate').tap()
    await soon(async () => (await key('Heart rate').getAttribute('aria-pressed')) === 'false')
    expect(await page.locator('.chart-host').count()).toBe(charts - 1)
    // of two lines one is left
    await key('Grade-adjusted').tap()
    expect(await page.locator('.chart-host').count()).toBe(charts - 1)
    await page.reload()
    await page.locator('.chart-host canvas').first().waitFor()
    expect(await page.locator('.chart-host').count()).toBe(charts - 1)
    await noViolations(page)
    for (const name of ['Heart rate', 'Grade-adjusted']) await key(name).tap()
    await soon(async () => (await page.locator('.chart-host').count()) === charts)
  })

  test('loads a small picture, opens the file, and Back closes it where the page was, with the focus', async () => {
    const { page } = await opened(runId)
    const small = page.locator('.media-thumb img')
    await small.scrollIntoViewIfNeeded()
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.media-thumb img')?.naturalWidth === 480)
    const scrolled = await page.evaluate(() => scrollY)
    await page.getByRole('button', { name: 'Show large.png' }).tap()
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.lightbox img')?.naturalWidth === 700)
    await page.goBack()
    await page.locator('.lightbox').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(`/app/runs/${runId}`)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Show large.png')
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(3)
    // closed by its button it leaves no step behind
    await page.getByRole('button', { name: 'Show large.png' }).tap()
    await page.getByRole('button', { name: 'Close' }).tap()
    await page.locator('.lightbox').waitFor({ state: 'detached' })
    await page.waitForTimeout(100)
    await page.goBack()
    await page.waitForURL(/\/app\/runs$/)
  })

  test('shows laps and intervals in tabs of their own, by finger and by keyboard, and none where there are none', async () => {
    const { page } = await opened(sessionId)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    const rows = page.locator('.splits tbody tr')
    await tab('Intervals').waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Splits', 'Laps', 'Intervals'])
    await tab('Laps').tap()
    await soon(async () => (await rows.count()) === 7)
    expect(await rows.first().textContent()).toContain('warm-up')
    // all columns fit, nothing has to be scrolled to
    const isCut = () =>
      page
        .locator('.table-frame')
        .first()
        .evaluate((frame) => frame.scrollWidth > frame.clientWidth)
    expect(await isCut()).toBe(false)
    await noViolations(page)
    await page.keyboard.press('ArrowRight')
    await page.getByText('3 × 4:00').first().waitFor()
    expect([await tab('Intervals').getAttribute('aria-selected'), await rows.count()]).toEqual(['true', 3])
    expect(await isCut()).toBe(false)
    await rows.nth(1).getByRole('button').tap()
    await page.getByRole('button', { name: 'Show all', exact: true }).waitFor()
    await noViolations(page)

    await page.goto(`${server.address}/app/runs/${runId}`)
    await page.getByRole('heading', { name: 'Splits' }).waitFor()
    await page.waitForTimeout(300)
    expect(await page.getByRole('tab').count()).toBe(0)
  })

  test('cuts a run without a route in the unit of the reader as well', async () => {
    const samples = Array.from({ length: 1801 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
    const startMs = Math.floor(Date.now() / 1000) * 1000 - 300_000_000
    const indoorId = await server.importRun(fitFile({ startMs, samples, session: { subSport: 1 } }))
    const { page } = await opened(indoorId)
    const rows = page.locator('.run-splits tbody tr')
    const prefer = async (unitPreference: string) => {
      await server.send('PUT', '/settings/unit-preference', { unitPreference })
      await page.reload()
      await rows.first().waitFor()
    }
    expect(await rows.count()).toBe(6)
    await prefer('imperial')
    // 5,400 m
    await soon(async () => (await rows.count()) === 4)
    expect(await page.locator('.run-splits thead').textContent()).toContain('mi')
    expect(await rows.last().textContent()).toContain('0.36')
    expect(await rows.first().textContent()).toContain('8:56')
    await noViolations(page)
    await prefer('metric')
    await soon(async () => (await rows.count()) === 6)
  })

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1024, 'light'],
  ] as const)('fits at %d px in %s, a run of some seconds as well, without a finding of axe', async (width, theme) => {
    for (const id of [runId, tinyId]) {
      const { page } = await opened(id, { viewport: { width, height: 700 }, colorScheme: theme })
      await preferTheme(page, theme)
      expect([id, await tooWide(page)]).toEqual([id, []])
      await noViolations(page)
    }
  })
})

/** Three times four minutes with a lap at each step, as a watch writes it. */
function session(startMs: number): Uint8Array {
  const work: Step = { s: 240, mps: 4.3, work: true, intensity: 'active' }
  const rest: Step = { s: 120, mps: 2.4, intensity: 'rest' }
  const easy = (intensity: 'warmup' | 'cooldown'): Step => ({ s: 400, mps: 2.9, intensity })
  const { track, laps } = madeSession([easy('warmup'), work, rest, work, rest, work, easy('cooldown')])
  const samples = Array.from(track.tS, (t, i) => {
    const distanceM = track.distanceM[i]!
    return { t, lat: 47 + distanceM / 111_170, lon: 8, distanceM, hr: track.heartRateBpm[i]! }
  }).filter(({ t }) => Number.isInteger(t))
  const codes: readonly unknown[] = ['active', 'rest', 'warmup', 'cooldown']
  const stated = laps.map(({ startS, endS, intensity }) => {
    return { startS, elapsedS: endS - startS, intensity: codes.indexOf(intensity), trigger: 1 }
  })
  return fitFile({ startMs, samples, laps: stated })
}

/** Scrolls the last of some elements into the lower half of the window. */
async function toMiddle(page: Page, selector: string): Promise<void> {
  await page.evaluate((sought) => {
    const found = [...document.querySelectorAll(sought)].at(-1)
    window.scrollBy(0, (found?.getBoundingClientRect().top ?? 0) - 460)
  }, selector)
  await page.waitForTimeout(100)
}

/** Of the last chart. */
async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await page.locator('.u-over').last().boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Two fingers side by side around a place, from so many pixels to the middle to so many others. */
async function pinch(
  session: CDPSession,
  { x, y }: { readonly x: number; readonly y: number },
  [from, to]: readonly [number, number],
): Promise<void> {
  const fingers = (apart: number) => [-apart, apart].map((by, id) => ({ x: x + by, y, id }))
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(from) })
  for (let step = 1; step <= 10; step += 1) {
    const touchPoints = fingers(from + ((to - from) * step) / 10)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** As one message after the other, so that a slow machine does not make two taps of it. */
async function doubleTap(session: CDPSession, place: { readonly x: number; readonly y: number }): Promise<void> {
  const events = [[place], [], [place], []].map((touchPoints) =>
    session.send('Input.dispatchTouchEvent', { type: touchPoints.length > 0 ? 'touchStart' : 'touchEnd', touchPoints }),
  )
  await Promise.all(events)
}

/** A grey picture that does not pack. */
function noise(side: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(side * (side + 1))
  for (let row = 0; row < side; row += 1) {
    const from = row * (side + 1)
    // the first byte of a row is its filter: none
    crypto.getRandomValues(rows.subarray(from + 1, from + 1 + side))
  }
  return greyPng(side, side, rows)
}
