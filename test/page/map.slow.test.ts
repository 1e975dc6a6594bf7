// The map of all runs: filters, views, what is under a tap, keys, and that it is readable everywhere.
import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { DAY_MS, PHONE, pageSuite, soon } from './suite.ts'

const RUNS = 24
const HOME = { lat: 48.137, lon: 11.575 }

/** Loops from home, the later ones further; the dates are of this year and the one before. */
function loop(k: number): Uint8Array {
  const random = seededRandom(k + 1)
  const startMs = Date.now() - (1 + k * 17) * DAY_MS
  const [reachY, reachX] = [0.004 + random() * 0.02, 0.006 + random() * 0.03]
  const turn = random() < 0.7 ? 1 : -1
  const points = Array.from({ length: 401 }, (_, t) => {
    const angle = (t / 400) * 2 * Math.PI
    return {
      lat: HOME.lat + reachY * (1 - Math.cos(angle)) * turn + 0.0004 * Math.sin(9 * angle),
      lon: HOME.lon + reachX * Math.sin(angle),
      timeMs: startMs + t * 8000,
    }
  })
  return gpxFile({ points, name: `Loop ${k}` })
}

const { test, open, everywhere, server } = pageSuite(async (suite) => {
  for (let k = 0; k < RUNS; k += 1) await suite.server.importRun(loop(k), `${k}.gpx`)
  await suite.server.send('POST', '/places', { name: 'Home', ...HOME, isHome: true })
})

const map = (page: Page) => page.getByRole('application')
const said = (page: Page, text: string) => page.locator('.page-head').getByText(text, { exact: true })
const title = (page: Page) => page.getByRole('heading', { name: 'Map', exact: true })

/** Pixels that are strongly coloured, as runs are and the ground is not. */
const coloured = (page: Page) =>
  page.locator('.heat-map canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!]
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1
    }
    return count
  })

async function settled(page: Page): Promise<number> {
  let before = -1
  for (let turn = 0; turn < 60; turn += 1) {
    const now = await coloured(page)
    if (now === before && now > 0) return now
    before = now
    await page.waitForTimeout(300)
  }
  return before
}

describe('the map', () => {
  test('opens at home with all runs, and says so', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    await title(page).waitFor()
    await page.getByRole('application', { name: 'Heat map: 24 runs, most around Home' }).waitFor()
    expect(await settled(page)).toBeGreaterThan(2000)
  })

  test('has the size of its frame on a fine display', async () => {
    const { page } = await open('/map', { viewport: { width: 600, height: 600 }, deviceScaleFactor: 2 })
    await map(page).waitFor()
    const canvas = page.locator('.heat-map canvas')
    await soon(async () => Number(await canvas.getAttribute('width')) > 600)
    expect(await canvas.boundingBox()).toEqual(await map(page).boundingBox())
  })

  test('shows the runs of a year, a type and the last 30 days, and keeps them in the address', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    const all = await settled(page)
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await said(page, '2 runs').waitFor()
    await page.waitForTimeout(600)
    const few = await settled(page)
    expect(few).toBeLessThan(all)
    expect(new URL(page.url()).searchParams.get('time')).toBe('30')
    await page.getByLabel('Run type').selectOption('Race')
    await said(page, 'No matching runs').waitFor()
    await page.getByLabel('Run type').selectOption('')
    await page.getByRole('button', { name: 'All time' }).click()
    await said(page, '24 runs').waitFor()
    await page.waitForTimeout(600)
    expect(await settled(page)).toBeGreaterThan(2 * few)
  })

  test('is moved by mouse, wheel and keys, and comes back where it was', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    await settled(page)
    const at = async () => {
      await page.waitForTimeout(700)
      return (new URL(page.url()).searchParams.get('at') ?? '').split(',').map(Number)
    }
    const box = (await map(page).boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 100, y + 50, { steps: 5 })
    await page.mouse.up()
    const [lat, lon, zoom] = await at()
    // 100 px at zoom 13 are 0.0172 degrees to the west
    expect(lon).toBeCloseTo(HOME.lon - (100 * 360) / (256 * 2 ** 13), 3)
    expect(lat).toBeGreaterThan(HOME.lat)
    expect(zoom).toBe(13)
    await page.mouse.wheel(0, -277)
    expect((await at())[2]).toBeCloseTo(14, 1)
    await map(page).focus()
    await page.keyboard.press('-')
    const smaller = await at()
    expect(smaller[2]).toBeCloseTo(14 - Math.log2(1.5), 1)
    await page.keyboard.press('ArrowLeft')
    const left = await at()
    expect(left[1]).toBeLessThan(smaller[1]!)
    await page.reload()
    await settled(page)
    expect(await at()).toEqual(left)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Show all runs' }).click()
    expect((await at())[2]).toBeLessThan(13.5)
  })

  test('lists the runs under a tap, which lead to their pages', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    await settled(page)
    await map(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '24 runs here' }).waitFor()
    await page.getByRole('link', { name: 'Loop 0' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: '24 runs here' }).waitFor({ state: 'detached' })
    const box = (await map(page).boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('.heat-count').waitFor()
    expect(await page.locator('.heat-count').textContent()).toMatch(/^\d+ runs$/)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('link', { name: 'Loop 3' }).click()
    await page.getByRole('heading', { name: 'Loop 3' }).waitFor()
  })

  test('shows squares, the largest block, and leads to what it lacks', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    await settled(page)
    await page.getByRole('radio', { name: 'Squares' }).check()
    const answer = await server.get<{ count: number; maxSquare: { size: number }; grow: { missing: unknown[] } }>(
      '/map/squares',
    )
    expect(answer.count).toBeGreaterThan(5)
    await page.getByText(`${answer.count} squares`, { exact: true }).waitFor()
    expect(await settled(page)).toBeGreaterThan(2000)
    expect(new URL(page.url()).searchParams.get('layer')).toBe('squares')
    const { size } = answer.maxSquare
    await page
      .getByRole('button', { name: `${answer.grow.missing.length} squares to ${size + 1} × ${size + 1}` })
      .click()
    await page.waitForTimeout(700)
    // a block of n squares is 420 px wide
    const zoom = Number(new URL(page.url()).searchParams.get('at')?.split(',')[2])
    expect(zoom).toBeCloseTo(Math.log2(((420 / 256) * 2 ** 14) / (size + 1)), 1)
    await settled(page)
    const box = (await map(page).boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('.heat-count').waitFor()
  })

  test('changes when a run is left out elsewhere', async () => {
    const { page } = await open('/map', { viewport: { width: 1280, height: 900 } })
    await said(page, '24 runs').waitFor()
    const { items } = await server.get<{ items: { id: string }[] }>('/workouts?pageSize=1')
    await server.send('PATCH', `/workouts/${items[0]!.id}`, { leftOut: true })
    await said(page, '23 runs').waitFor()
    await server.send('PATCH', `/workouts/${items[0]!.id}`, { leftOut: false })
    await said(page, '24 runs').waitFor()
  })

  test('the page of a run says what was new', async () => {
    const { items } = await server.get<{ items: { id: string; name: string }[] }>('/workouts?sortOrder=asc&pageSize=1')
    const { page } = await open(`/runs/${items[0]!.id}`, { viewport: { width: 1280, height: 900 } })
    await page.getByRole('link', { name: /^\d+ new squares · \d+\.\d km of new ground$/ }).click()
    await title(page).waitFor()
  })

  test('one finger moves it, and a tap lists the runs', async () => {
    const { page } = await open('/map', PHONE)
    await settled(page)
    const [button, tabs] = [page.getByRole('button', { name: 'Show all runs' }), page.locator('.topbar nav')]
    const [above, below] = [(await button.boundingBox())!, (await tabs.boundingBox())!]
    expect(above.y + above.height).toBeLessThan(below.y)
    const box = (await map(page).boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('heading', { name: '24 runs here' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    const session = await page.context().newCDPSession(page)
    const finger = async (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
      void (await session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      }))
    await finger('touchStart', box.x + 200, box.y + 150)
    await finger('touchMove', box.x + 150, box.y + 150)
    await finger('touchMove', box.x + 100, box.y + 150)
    await finger('touchEnd', 0, 0)
    await page.waitForTimeout(700)
    expect(Number(new URL(page.url()).searchParams.get('at')?.split(',')[1])).toBeGreaterThan(HOME.lon)
  })

  test('is readable and fits at every width, in both themes', async () => {
    for (const at of ['/map', '/map?layer=squares'])
      await everywhere(at, async (page) => void (await settled(page)), [390, 1024, 1600])
  })
})
